import { existsSync, readFileSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { because, ensureDirectory, ReverieError, systemCode, writeFileAtomic } from '../store/index.ts'

/** The home was written by a newer Reverie, or its format cannot be read. */
export class HomeUnusable extends ReverieError {}

/** Raised when files in the home change their meaning. */
const HOME_FORMAT = 1

/** Where everything lives that is not in a project (1-product.md, "Where things live"). */
export interface Home {
  path: string
  config: string
  format: string
  memory: string
  projects: string
  /** What can be deleted at any time: indexes and compiled code. */
  cache: string
}

export function homeAt(path: string): Home {
  const root = resolve(expandTilde(path))
  return {
    path: root,
    config: join(root, 'config.json'),
    format: join(root, 'format'),
    memory: join(root, 'memory'),
    projects: join(root, 'projects'),
    cache: join(root, 'cache'),
  }
}

/** `--home`, else `REVERIE_HOME`, else `~/.reverie`. */
export function findHome(flag: string | undefined, env: NodeJS.ProcessEnv): Home {
  return homeAt(flag || env.REVERIE_HOME || '~/.reverie')
}

export function expandTilde(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir() || userInfo().homedir, path.slice(1)) : path
}

/** Throws if the home is of a format that this version does not know. A home that is not there is fine. */
export function assertHomeFormat(home: Home): void {
  let text: string
  try {
    text = readFileSync(home.format, 'utf8')
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return
    throw new HomeUnusable(`Could not read ${home.format}: ${because(error)}.`, { cause: error })
  }
  const format = Number(text.trim())
  if (!Number.isInteger(format) || format < 1)
    throw new HomeUnusable(
      `${home.format} should hold a number such as ${HOME_FORMAT}; it holds something else.`,
    )
  if (format > HOME_FORMAT)
    throw new HomeUnusable(
      `${home.path} was written by a newer Reverie (format ${format}; this version knows ${HOME_FORMAT}). ` +
        `Update Reverie, or choose another home with --home.`,
    )
}

/** Makes the home if it is not there. To be called before the first write into it. */
export async function prepareHome(home: Home): Promise<void> {
  assertHomeFormat(home)
  if (existsSync(home.format)) return
  try {
    await ensureDirectory(home.path)
    await writeFileAtomic(home.format, `${HOME_FORMAT}\n`)
  } catch (error) {
    if (error instanceof ReverieError) throw error
    throw new HomeUnusable(
      `Could not make ${home.path}: ${because(error)}. Choose another home with --home.`,
      {
        cause: error,
      },
    )
  }
}
