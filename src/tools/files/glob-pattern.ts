import { basename, resolve } from 'node:path'
import picomatch from 'picomatch'
import { ReverieError } from '../../store/index.ts'
import type { Workspace } from '../workspace.ts'
import { toAbsolute } from './path.ts'

class BadGlob extends ReverieError {}

const MAGIC = /[*?[\]{}!\\]/
/** What matching costs grows with every star: more than anybody needs is refused instead of hanging. */
const MOST_STARS = 4
const MOST_SEGMENTS_OF_STARS = 6
const LONGEST = 1_000

/** A pattern, taken apart into where to begin and what to look for there. */
export interface GlobPattern {
  /** Absolute: the part of the pattern before anything magic. */
  base: string
  /** Whether a path below the base, with `/`, is meant. */
  matches(path: string): boolean
  /** Names that the pattern spells out: they are not passed over. */
  named: ReadonlySet<string>
}

export function parseGlob(pattern: string, directory: string): GlobPattern {
  const absolute = pattern.startsWith('/') || pattern.startsWith('~')
  const segments = pattern.split('/')
  const magicAt = segments.findIndex(segment => MAGIC.test(segment))
  // Without anything magic, the last part is the name that is looked for.
  const fixed = magicAt < 0 ? segments.length - 1 : magicAt
  const start = segments.slice(0, fixed).join('/')
  const rest = segments.slice(fixed).join('/') || '**'
  const place: Pick<Workspace, 'directory'> = { directory }
  const base = absolute
    ? toAbsolute(start || '/', place)
    : start
      ? toAbsolute(start, place)
      : resolve(directory)
  if (rest.split('/').includes('..'))
    throw new BadGlob(`"${pattern}" has ".." after a wildcard. Give the directory as path instead.`)
  return { base, matches: globMatcher(rest), named: namedIn(pattern) }
}

/** Whether a path with `/` is meant. */
function globMatcher(pattern: string): (path: string) => boolean {
  refuseCostly(pattern)
  try {
    const regex = picomatch.makeRe(pattern, {
      dot: true,
      noextglob: true,
      nonegate: true,
      strictBrackets: true,
    })
    return path => regex.test(path)
  } catch (error) {
    throw new BadGlob(
      `"${pattern}" is not a pattern: ${error instanceof Error ? error.message : String(error)}. Use * ** ? [abc] {a,b}.`,
      { cause: error },
    )
  }
}

/** As of grep and ripgrep: without a slash, a pattern is about the name only. */
export function filterMatcher(pattern: string): (path: string) => boolean {
  const negated = pattern.startsWith('!')
  const positive = negated ? pattern.slice(1) : pattern
  const matches = globMatcher(positive.replace(/^\//, ''))
  const found = positive.includes('/') ? matches : (path: string) => matches(basename(path))
  return negated ? path => !found(path) : found
}

export function namedIn(pattern: string): Set<string> {
  const segments = pattern.split('/').filter(segment => segment !== '' && segment !== '.' && segment !== '..')
  return new Set(segments.filter(segment => !MAGIC.test(segment)))
}

function refuseCostly(pattern: string): void {
  if (/[\u0000-\u001f\u007f]/.test(pattern)) throw new BadGlob('The pattern contains control characters.')
  const segments = pattern.split('/')
  const stars = Math.max(
    ...segments.filter(segment => segment !== '**').map(segment => segment.split('*').length - 1),
    0,
  )
  const globstars = segments.filter(segment => segment.includes('**')).length
  if (pattern === '' || pattern.length > LONGEST || stars > MOST_STARS || globstars > MOST_SEGMENTS_OF_STARS)
    throw new BadGlob(
      `"${pattern.slice(0, 100)}" is ${pattern === '' ? 'empty' : 'too complicated'}. Use a simpler pattern.`,
    )
}
