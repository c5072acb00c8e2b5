/** The files of OpenCode before 2026: one JSON file for each session, message and part. */
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { because } from '../../../store/index.ts'
import type { Finder } from '../finder.ts'
import { isFields, textIn } from '../json.ts'
import type { StoredMessage } from './message.ts'
import type { StoredSession } from './session.ts'

const SUB_AGENTS = 'sessions of sub-agents'
const LARGEST_FILE_BYTES = 64 * 1024 * 1024

export async function sessionsInStorage(storage: string, finder: Finder): Promise<StoredSession[]> {
  const sessions: StoredSession[] = []
  for (const project of await finder.names(join(storage, 'session')))
    for (const name of (await finder.names(join(storage, 'session', project))).filter(isJson)) {
      const file = join(storage, 'session', project, name)
      const info = await readJson(file, finder)
      if ('problem' in info) finder.unreadable.push({ file, reason: info.problem })
      else if (textIn(info.value, 'parentID') !== undefined) finder.leaveOut(SUB_AGENTS)
      else sessions.push(await toStored(storage, project, file, info.value, finder))
    }
  return sessions
}

async function toStored(
  storage: string,
  project: string,
  file: string,
  info: unknown,
  finder: Finder,
): Promise<StoredSession> {
  const id = basename(file, '.json')
  return {
    id,
    file,
    title: textIn(info, 'title') ?? '',
    directory: textIn(info, 'directory') ?? (await worktreeOf(storage, project, finder)),
    stamp: await stampOf(storage, id, finder),
    messages: () => messagesOf(storage, id, finder),
  }
}

async function worktreeOf(storage: string, project: string, finder: Finder): Promise<string | undefined> {
  const name = `${project}.json`
  if (!(await finder.names(join(storage, 'project'))).includes(name)) return undefined
  const info = await readJson(join(storage, 'project', name), finder)
  return 'value' in info ? textIn(info.value, 'worktree') : undefined
}

/** Of everything that belongs to a session, together. */
async function stampOf(storage: string, id: string, finder: Finder): Promise<StoredSession['stamp']> {
  const whole = { bytes: 0, mtimeMs: 0 }
  const add = async (path: string) => {
    const stamp = await finder.stampOf(path)
    whole.bytes += stamp?.bytes ?? 0
    whole.mtimeMs = Math.max(whole.mtimeMs, stamp?.mtimeMs ?? 0)
  }
  for (const name of (await finder.names(join(storage, 'message', id))).filter(isJson)) {
    await add(join(storage, 'message', id, name))
    const parts = join(storage, 'part', basename(name, '.json'))
    for (const part of (await finder.names(parts)).filter(isJson)) await add(join(parts, part))
  }
  return whole
}

async function* messagesOf(
  storage: string,
  session: string,
  finder: Finder,
): AsyncGenerator<StoredMessage & { problems: string[] }> {
  // Their ids begin with the time that they were made at, and so do those of the parts.
  for (const name of (await finder.names(join(storage, 'message', session))).filter(isJson)) {
    const id = basename(name, '.json')
    const problems: string[] = []
    const read = async (path: string): Promise<unknown> => {
      const json = await readJson(path, finder)
      if ('value' in json) return json.value
      problems.push(`${path}: ${json.problem}`)
      return undefined
    }
    const info = await read(join(storage, 'message', session, name))
    const parts: Array<{ id: string; data: unknown }> = []
    for (const part of (await finder.names(join(storage, 'part', id))).filter(isJson)) {
      const data = await read(join(storage, 'part', id, part))
      if (data !== undefined) parts.push({ id: basename(part, '.json'), data })
    }
    yield { id, info, parts, problems }
  }
}

function isJson(name: string): boolean {
  return name.endsWith('.json') && !name.startsWith('.')
}

async function readJson(path: string, finder: Finder): Promise<{ value: unknown } | { problem: string }> {
  const stamp = await finder.stampOf(path)
  if (!stamp) return { problem: 'it is not there' }
  if (stamp.bytes > LARGEST_FILE_BYTES) return { problem: `it is larger than ${LARGEST_FILE_BYTES} bytes` }
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'))
    return isFields(value) ? { value } : { problem: 'it is not an object' }
  } catch (error) {
    return { problem: error instanceof SyntaxError ? `it is not JSON (${error.message})` : because(error) }
  }
}
