import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
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
    ...surroundings(options),
    input: options.input,
    encoding: 'utf8',
  })
  return { code: status, stdout, stderr }
}

/** The same beside a server that this process runs: one that waits for the command cannot answer it. */
export async function reverieBeside(args: readonly string[], options: RunOptions): Promise<Ran> {
  const child = spawn(BIN, args, surroundings(options))
  child.stdin.end(options.input ?? '')
  const closed = new Promise<number | null>(resolve => child.once('close', resolve))
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), closed])
  return { code, stdout, stderr }
}

function surroundings({ cwd, home, env, uid }: RunOptions) {
  return {
    cwd: cwd ?? home,
    env: { PATH: process.env.PATH, HOME: join(home, 'nobody'), REVERIE_HOME: home, ...env },
    ...(uid !== undefined && { uid, gid: uid }),
  }
}
