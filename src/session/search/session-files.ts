/** The session files of a home, and what they are called in the index. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { fileNameProblem, systemCode } from '../../store/index.ts'
import type { FileStamp } from './file-state.ts'

const SUFFIX = '.jsonl'
const FILES_AT_ONCE = 32

/** `project/session`: neither has a slash in it. */
function sessionName(project: string, session: string): string {
  return `${project}/${session}`
}

export function partsOf(name: string): { project: string; session: string } {
  const [project = '', session = ''] = name.split('/')
  return { project, session }
}

export function pathOf(projects: string, name: string): string {
  const { project, session } = partsOf(name)
  return join(projects, project, 'sessions', session + SUFFIX)
}

/** A project as a number, which every turn has beside it. */
export function projectNumber(slug: string): number {
  return crc32(slug)
}

/** Every session file there is, with what the directory tells of it, the one written to longest ago first. */
export async function findSessionFiles(projects: string): Promise<Map<string, FileStamp>> {
  const names: string[] = []
  for (const project of await namesIn(projects))
    for (const file of await namesIn(join(projects, project, 'sessions')))
      if (file.endsWith(SUFFIX) && fileNameProblem(file) === undefined)
        names.push(sessionName(project, file.slice(0, -SUFFIX.length)))
  const found: [name: string, stamp: FileStamp][] = []
  for (let at = 0; at < names.length; at += FILES_AT_ONCE) {
    const some = names.slice(at, at + FILES_AT_ONCE)
    const stamps = await Promise.all(some.map(name => stampOf(pathOf(projects, name))))
    stamps.forEach((stamp, index) => {
      if (stamp) found.push([some[index] ?? '', stamp])
    })
  }
  return new Map(found.sort(([, a], [, b]) => Number(BigInt(a.mtimeNs) - BigInt(b.mtimeNs))))
}

async function stampOf(path: string): Promise<FileStamp | undefined> {
  const stats = await stat(path, { bigint: true }).catch(ignoreUnreachable)
  return stats?.isFile() ? toStamp(stats) : undefined
}

export function toStamp(stats: { ino: bigint; size: bigint; mtimeNs: bigint }): FileStamp {
  return { inode: String(stats.ino), size: Number(stats.size), mtimeNs: String(stats.mtimeNs) }
}

async function namesIn(directory: string): Promise<string[]> {
  return (await readdir(directory).catch(ignoreUnreachable)) ?? []
}

function ignoreUnreachable(error: unknown): undefined {
  if (!['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP'].includes(systemCode(error) ?? '')) throw error
}
