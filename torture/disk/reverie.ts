import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const BIN = fileURLToPath(new URL('../../bin/reverie', import.meta.url))
/** `nobody`. Root may read and write everything, so whoever is root plays somebody who is not. */
const NOBODY = 65534

export const isRoot = process.getuid?.() === 0

export interface Ran {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs the command as a person without rights over the whole machine. */
export function reverie(home: string, ...args: string[]): Ran {
  const { status, stdout, stderr } = spawnSync(BIN, args, {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, REVERIE_HOME: join(home, 'home') },
    encoding: 'utf8',
    ...(isRoot && { uid: NOBODY, gid: NOBODY }),
  })
  return { code: status, stdout, stderr }
}

export function save(home: string, name: string, body = 'b'): Ran {
  return reverie(
    home,
    'memory',
    'save',
    '--type',
    'user',
    '--name',
    name,
    '--description',
    `About ${name}`,
    '--body',
    body,
  )
}

/** A directory that the person above owns. */
export function ownDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'reverie-disk-'))
  chmodSync(directory, 0o755)
  if (isRoot) chownSync(directory, NOBODY, NOBODY)
  return directory
}

/** The project's memory directory. */
export function memoryDirectory(home: string): string {
  const projects = join(home, 'home', 'projects')
  return join(projects, readdirSync(projects)[0] ?? '', 'memory')
}
