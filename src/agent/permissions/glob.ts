/** What a pattern of file names stands for. */
import { readdirSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { LOOKS_PER_PATH, type Looking, spend } from './looking.ts'
import { realPath } from './real-path.ts'

/** How many names are looked at for one pattern. */
const MOST_MATCHES = 1_000

/**
 * The paths that a shell could make of a pattern, or more: brackets stand for any name. Undefined when there are
 * too many. The pattern itself is one of them, because that is what a shell uses when nothing matches.
 */
export function matchingPaths(directory: string, pattern: string, eyes: Looking): string[] | undefined {
  let found = [isAbsolute(pattern) ? '/' : '']
  for (const part of pattern.split('/').filter(Boolean)) {
    if (!/[*?[]/.test(part)) {
      found = found.map(path => below(path, part))
      continue
    }
    const fits = namePattern(part)
    found = found.flatMap(path =>
      [...ABOVE, ...namesIn(directory, path, eyes)]
        .filter(name => fits.test(name))
        .map(name => below(path, name)),
    )
    if (found.length > MOST_MATCHES) return undefined
  }
  return [...found, pattern]
}

/** Before bash 5.2, and for other shells, `.*` stands for these, too. */
const ABOVE = ['.', '..']

/** Not shortened: `link/..` is the directory above what the link leads to. */
function below(path: string, name: string): string {
  return path === '' || path.endsWith('/') ? path + name : `${path}/${name}`
}

function namePattern(part: string): RegExp {
  const hidden = part.startsWith('.') ? '' : '(?!\\.)'
  const loose = part.replaceAll(/\[.*\]/g, '*')
  const source = loose.replaceAll(/[*?]|[^*?]/g, character =>
    character === '*' ? '.*' : character === '?' ? '.' : RegExp.escape(character),
  )
  return new RegExp(`^${hidden}${source}$`, 'su')
}

function namesIn(directory: string, path: string, eyes: Looking): string[] {
  if (!spend(eyes, LOOKS_PER_PATH)) return []
  try {
    const names = readdirSync(realPath(directory, path))
    return spend(eyes, names.length) ? names : []
  } catch {
    return [] // the shell finds nothing there either
  }
}
