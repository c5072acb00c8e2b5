import { homedir } from 'node:os'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { because, isInside, ReverieError, realPathOf } from '../../store/index.ts'
import type { Touch } from '../tool.ts'
import type { Workspace } from '../workspace.ts'

export class BadPath extends ReverieError {}

const CONTROL = /[\u0000-\u001f\u007f]/

/** The absolute path that a model means; links in it are not resolved. */
export function toAbsolute(
  path: string,
  { directory }: Pick<Workspace, 'directory'>,
  home = homedir(),
): string {
  if (path.trim() === '') throw new BadPath('The path is empty. Give the path of a file.')
  if (CONTROL.test(path) || !path.isWellFormed())
    throw new BadPath(`The path ${JSON.stringify(path)} contains control characters, so nothing was done.`)
  if (path === '~') return home
  if (path.startsWith('~/')) return join(home, path.slice(2))
  return isAbsolute(path) ? resolve(path) : resolve(directory, path)
}

/** Where a path really leads; its last parts need not exist. */
export async function toReal(path: string, shown = path): Promise<string> {
  try {
    return await realPathOf(path)
  } catch (error) {
    throw new BadPath(`${shown} cannot be used: ${because(error)}.`, { cause: error })
  }
}

/** How a path is called towards the model: short where it lies below where it works. */
export function shownPath(path: string, { directory }: Pick<Workspace, 'directory'>): string {
  return isInside(directory, path) ? relative(directory, path) || '.' : path
}

/** What calls touch, for `touches`: a call with a path that `run` refuses touches nothing. */
export function touching(kind: 'read' | 'write', paths: () => readonly string[]): Touch[] {
  try {
    return paths().map(path => ({ kind, path }))
  } catch (error) {
    if (error instanceof ReverieError) return []
    throw error
  }
}
