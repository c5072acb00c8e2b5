import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { isInside } from '../../store/index.ts'
import type { Hook } from './hook.ts'

/** More than anybody's hooks name. */
const MOST_WORDS = 500

/**
 * Files of a project that hooks run, as far as their commands name them: who may write these decides what runs. Real
 * paths, each once.
 */
export function filesOfHooks(hooks: readonly Hook[], root: string): string[] {
  const words = hooks.flatMap(({ command = '' }) => command.split(/[\s'"`;&|()<>=]+/).filter(Boolean))
  const found = new Set<string>()
  for (const word of words.slice(0, MOST_WORDS)) {
    const path = resolve(root, word)
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) continue
    const real = realpathSync(path)
    if (isInside(realpathSync(root), real)) found.add(real)
  }
  return [...found].toSorted()
}
