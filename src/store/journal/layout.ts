import { createHash } from 'node:crypto'
import { ReverieError } from '../error.ts'
import { fileNameProblem } from '../paths.ts'

/** Only what is listed in the architecture notes is journalled; sessions, settings and locks never are. */
export class NotJournalled extends ReverieError {}

const TRACKED = [
  /^(SOUL|USER)\.md$/,
  /^skills\/.+$/,
  /^memory\/.+$/,
  /^projects\/[^/]+\/memory\/.+$/,
  /^elsewhere\/[^/]+\/.+$/,
]

/** Throws unless `path`, with `/` between its parts, is one that the journal keeps. */
export function assertJournalled(path: string): void {
  const parts = path.split('/')
  for (const part of parts) {
    const problem = nameProblem(part)
    if (problem) throw new NotJournalled(`The journal does not keep ${JSON.stringify(path)}: ${problem}.`)
  }
  if (!TRACKED.some(pattern => pattern.test(path)))
    throw new NotJournalled(
      `The journal does not keep ${JSON.stringify(path)}: it holds memories, skills, SOUL.md and USER.md.`,
    )
}

function nameProblem(name: string): string | undefined {
  if (name.startsWith('.')) return 'it is hidden'
  if (BUCKET.test(name)) return `the name ${name} is one that the journal uses itself`
  return fileNameProblem(name)
}

/**
 * Files that live beside thousands of others are spread over 256 directories inside the repository, so that
 * changing one rewrites a tree of some dozens of entries and not of all.
 */
const BUCKET = /^~[0-9a-f]{2}$/

export function storedPath(path: string): string {
  const parts = path.split('/')
  if (parts.length < 2) return path
  const name = parts.pop() ?? ''
  const bucket = createHash('sha1').update(name).digest('hex').slice(0, 2)
  return [...parts, `~${bucket}`, name].join('/')
}

export function journalPath(stored: string): string {
  return stored
    .split('/')
    .filter(part => !BUCKET.test(part))
    .join('/')
}
