import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const BIN = fileURLToPath(new URL('../../bin/reverie', import.meta.url))

export interface Ran {
  code: number | null
  stdout: string
  stderr: string
}

export interface RunOptions {
  home: string
  cwd?: string
  env?: NodeJS.ProcessEnv
  input?: string
  /** Runs as this user; only root can. */
  uid?: number
}

/** Runs the real command as a person would, with an environment that holds nothing of this machine's. */
export function reverie(args: readonly string[], options: RunOptions): Ran {
  const { status, stdout, stderr } = spawnSync(BIN, args, {
    cwd: options.cwd ?? options.home,
    env: {
      PATH: process.env.PATH,
      HOME: join(options.home, 'nobody'),
      REVERIE_HOME: options.home,
      ...options.env,
    },
    input: options.input,
    encoding: 'utf8',
    ...(options.uid !== undefined && { uid: options.uid, gid: options.uid }),
  })
  return { code: status, stdout, stderr }
}
