import { lstatSync, readlinkSync } from 'node:fs'
import { dirname, join, parse } from 'node:path'
import { ReverieError, systemCode } from '../../store/index.ts'

/** As many as Linux follows. */
const MOST_LINKS = 40

const SEPARATORS = process.platform === 'win32' ? /[/\\]+/ : /\/+/

export class EndlessLinks extends ReverieError {}

/**
 * Where the operating system would end up with `path` in the directory `from`, whether or not the last parts
 * exist: part by part, so that `link/..` is the directory above what the link leads to, and with links that lead
 * to nothing yet, because writing to them makes what they lead to. What is below `/proc` is another thing for
 * every process and is not followed.
 */
export function realPath(from: string, path: string): string {
  let links = 0
  const walk = (start: string, way: string): string => {
    const { root } = parse(way)
    let at = root || start
    const parts = way.slice(root.length).split(SEPARATORS)
    for (const [index, part] of parts.entries()) {
      if (part === '' || part === '.') continue
      if (part === '..') {
        at = dirname(at)
        continue
      }
      const next = join(at, part)
      if (next === '/proc') return join('/proc', ...parts.slice(index + 1).filter(rest => rest !== '..'))
      const target = linkTarget(next)
      if (target === undefined) at = next
      else {
        if (++links > MOST_LINKS) throw new EndlessLinks(`The symbolic links of ${path} lead in a circle.`)
        at = walk(at, target)
        if (at.startsWith('/proc')) return at
      }
    }
    return at
  }
  return walk(walk(parse(from).root, from), path)
}

function linkTarget(path: string): string | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : undefined
  } catch (error) {
    // A name that cannot be looked at leads nowhere for us either.
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'ENAMETOOLONG', 'EINVAL'].includes(systemCode(error) ?? ''))
      return undefined
    throw error
  }
}
