/** What must hold before anything of a dream becomes real. */
import { findSecrets, INDEX_FILE, isMemoryFileName, parseEntry, withoutSecrets } from '../memory/index.ts'
import type { ProposedChange } from './dreamer.ts'
import { HOLLOW_SHARE, isHollowed, lettersIn } from './hollow.ts'
import { looksInjected } from './mind/injection.ts'
import { isOwnFile, isSkillFile } from './own-files.ts'

export interface Checked {
  /** Files there were. */
  files: number
  changes: readonly (ProposedChange & { before: string | null })[]
  /** So many of them may be removed. */
  mostRemovals: number
}

const REMOVED_AT_LEAST = 3
const REMOVED_SHARE = 0.2
/** A file that loses a larger share of its lines needs to say why. */
const LOST_SHARE = 0.5
/** Of a body of more letters than these at least a quarter stays. */
const LONG_BODY = 400
/** Of the owner's own files at least half stays. */
const LONG_OWN_FILE = 200
/** What somebody gives as a reason and a place has at least this many letters. */
const LEAST_SAID = 4

export function mostRemovals(files: number, told?: number): number {
  return told ?? Math.max(REMOVED_AT_LEAST, Math.floor(files * REMOVED_SHARE))
}

/** Every sentence is a reason not to apply; none when all is well. */
export async function checkDream({
  files,
  changes: proposed,
  mostRemovals: most,
}: Checked): Promise<string[]> {
  // A secret that goes is no loss: a private key may be all that a file had.
  const changes = await Promise.all(
    proposed.map(async change => ({
      ...change,
      before: change.before === null ? null : await withoutSecrets(change.before),
    })),
  )
  const problems: string[] = []
  const removed = changes.filter(({ text }) => text === null).length
  const emptied = changes.filter(isEmptied).length
  if (removed + emptied > most) {
    const what = emptied === 0 ? `remove ${removed}` : `remove or empty ${removed + emptied}`
    problems.push(`it would ${what} of ${files} memories, and ${most} is the most (dream.maxRemovals)`)
  }
  for (const change of changes) problems.push(...(await problemsOf(change)))
  return problems
}

/** Hardly anything of what it said is left. */
function isEmptied({
  file,
  text,
  before,
}: Pick<ProposedChange, 'file' | 'text'> & { before: string | null }) {
  return text !== null && before !== null && isMemoryFileName(file) && isHollowed(before, text)
}

async function problemsOf({
  file,
  text,
  before,
  reason,
  wentTo,
}: ProposedChange & { before: string | null }): Promise<string[]> {
  if (file === INDEX_FILE) return problemsOfIndex(text)
  if (isOwnFile(file) || isSkillFile(file)) return problemsOfOwn({ file, text, before })
  if (!isMemoryFileName(file)) return [`${file} is not a name for a memory`]
  const was = before === null ? undefined : parseEntry(before)
  if (was?.ok && was.entry.pinned) return [`${file} is pinned`]
  if (text === null)
    return [reason, wentTo ?? ''].some(said => said.trim().length < LEAST_SAID)
      ? [`${file} would go without a reason, or without a place where its content went`]
      : []
  const is = parseEntry(text)
  if (!is.ok) return [`${file} would no longer be a memory: ${is.problem}`]
  const problems: string[] = []
  const secrets = await findSecrets(text)
  if (secrets.length > 0) problems.push(`${file} would hold a secret (${secrets[0]?.kind ?? 'a key'})`)
  const { type, body, origin } = is.entry
  if ((type === 'user' || type === 'feedback') && (was?.ok !== true || was.entry.body !== body))
    if (looksInjected(body, origin) && !(was?.ok && looksInjected(was.entry.body, was.entry.origin)))
      problems.push(`${file} would hold instructions that are not the owner's`)
  const [linesBefore, linesAfter] = [linesOf(before ?? ''), linesOf(text)]
  const lost = [...linesBefore].filter(line => !linesAfter.has(line)).length
  if (linesBefore.size > 4 && lost > linesBefore.size * LOST_SHARE && reason.trim().length < LEAST_SAID)
    problems.push(`${file} would lose ${lost} of its ${linesBefore.size} lines without a reason`)
  const [bodyBefore, bodyAfter] = [linesOf(was?.ok ? was.entry.body : '').size, linesOf(body).size]
  if (bodyBefore > 4 && bodyAfter * 4 < bodyBefore)
    problems.push(`${file} would shrink from ${bodyBefore} lines to ${bodyAfter}`)
  else {
    const [lettersBefore, lettersAfter] = [lettersIn(was?.ok ? was.entry.body : ''), lettersIn(body)]
    if (lettersBefore > LONG_BODY && lettersAfter < lettersBefore * HOLLOW_SHARE)
      problems.push(`${file} would shrink from ${lettersBefore} letters to ${lettersAfter}`)
  }
  return problems
}

/** Only lines of it are mended here; what it lists follows from the files, also where it is over its caps. */
async function problemsOfIndex(text: string | null): Promise<string[]> {
  if (text === null) return [`${INDEX_FILE} would be removed`]
  const [secret] = await findSecrets(text)
  return secret ? [`${INDEX_FILE} would hold a secret (${secret.kind})`] : []
}

/** The owner's own files are never removed, and hold neither keys nor somebody else's instructions. */
async function problemsOfOwn({
  file,
  text,
  before,
}: Pick<ProposedChange, 'file' | 'text'> & { before: string | null }): Promise<string[]> {
  if (text === null) return [`${file} would be removed`]
  if (isSkillFile(file) && before !== null) return [`${file} is there already, and the owner's`]
  const problems: string[] = []
  const [secret] = await findSecrets(text)
  if (secret) problems.push(`${file} would hold a secret (${secret.kind})`)
  if (looksInjected(text, 'agent') && !looksInjected(before ?? '', 'agent'))
    problems.push(`${file} would hold instructions that are not the owner's`)
  const [linesBefore, linesAfter] = [linesOf(before ?? '').size, linesOf(text).size]
  if (linesBefore > 4 && linesAfter * 2 < linesBefore)
    problems.push(`${file} would shrink from ${linesBefore} lines to ${linesAfter}`)
  else {
    const [lettersBefore, lettersAfter] = [lettersIn(before ?? ''), lettersIn(text)]
    if (lettersBefore > LONG_OWN_FILE && lettersAfter * 2 < lettersBefore)
      problems.push(`${file} would shrink from ${lettersBefore} letters to ${lettersAfter}`)
  }
  return problems
}

function linesOf(text: string): Set<string> {
  return new Set(
    text
      .split('\n')
      .map(line => line.trim())
      .filter(line => line !== ''),
  )
}
