/** What a search of memory gave, and which of it is meant. */
import type { Statement } from './statement.ts'
import { coverage, mentions, prepared, type Text, tellingWords, touchesFirmly, type Word } from './words.ts'

export interface Finding {
  file: string
  name: string
  type: string
  description: string
  body: string
  snippet: string
  note: string
  ageDays: number | undefined
  origin: string
}

/** Reads whatever a tool or an attachment holds; what is no memory is passed over. */
export function findingsIn(value: unknown): Finding[] {
  if (!Array.isArray(value)) return []
  const findings: Finding[] = []
  for (const item of value) {
    if (typeof item !== 'object' || item === null) continue
    const field = (key: string): string => {
      const text: unknown = (item as Record<string, unknown>)[key]
      return typeof text === 'string' ? text : ''
    }
    const age: unknown = (item as Record<string, unknown>).ageDays
    if (field('file') === '' || findings.some(({ file }) => file === field('file'))) continue
    findings.push({
      file: field('file'),
      name: field('name'),
      type: field('type'),
      description: field('description'),
      body: field('body'),
      snippet: field('snippet'),
      note: field('note'),
      ageDays: typeof age === 'number' && Number.isFinite(age) ? age : undefined,
      origin: field('origin') || 'owner',
    })
  }
  return findings
}

/** Half of what is asked; of a long question a third will do. */
const ENOUGH = 0.5
const ENOUGH_OF_MUCH = 1 / 3
const MUCH_FROM_WORDS = 4

function textOf({ name, description, body, snippet }: Finding): Text {
  return prepared(`${name}\n${description}\n${body}\n${snippet}`)
}

export interface Rated {
  finding: Finding
  covers: number
}

/** The findings that a question is about, best first. */
export function relevant(words: readonly Word[], findings: readonly Finding[]): Rated[] {
  const enough = words.length >= MUCH_FROM_WORDS ? ENOUGH_OF_MUCH : ENOUGH
  return findings
    .map(finding => ({ finding, covers: coverage(words, textOf(finding)) }))
    .filter(({ covers }) => covers >= enough)
    .sort((a, b) => b.covers - a.covers)
}

/** What was attached is relevant already; it only has to do with these words, and not with others. */
export function touching(words: readonly Word[], findings: readonly Finding[]): Finding[] {
  return findings.filter(finding => coverage(words, textOf(finding)) > 0)
}

/** How far one must be ahead of the next to be meant beyond doubt. */
const CLEARLY_AHEAD = 0.25

/** The one that is meant, if it is clear which. */
export function clearlyMeant(rated: readonly Rated[]): Finding | undefined {
  const [first, second] = rated
  if (!first) return undefined
  return !second || first.covers - second.covers >= CLEARLY_AHEAD ? first.finding : undefined
}

/** What a correction says is over: "not tabs", "from npm", "不用制表符". */
const REPLACED =
  /\b(?:not|instead of|rather than|no longer(?: \w+)?|from|left|quit|stopped \w+|don't \w+|do not \w+)\s+(?<english>[^,.;]{1,40})|(?:不用|不是|而不是|不再用?|不喜欢|离开)\s*(?<chinese>[^,，。;；]{1,20})/giu

function replacedBy({ body }: Statement): Word[] {
  return [...body.matchAll(REPLACED)].flatMap(({ groups }) =>
    tellingWords(groups?.english ?? groups?.chinese ?? ''),
  )
}

const REPLACED_EVIDENCE = 2
const SUBJECT_EVIDENCE = 1
/** The new value alone is weak: who moves to Berlin may also know somebody there. */
const WORD_EVIDENCE = 0.5
const ENOUGH_EVIDENCE = 1

/** The memory that a correction puts right, if one clearly is about the same subject. */
export function putRightBy(statement: Statement, findings: readonly Finding[]): Finding | undefined {
  const same = findings.find(
    ({ type, name }) => type === statement.type && name.toLowerCase() === statement.name.toLowerCase(),
  )
  if (same) return same
  const words = tellingWords(`${statement.name} ${statement.description} ${statement.body}`)
  const replaced = replacedBy(statement)
  const rated = findings
    .filter(({ type }) => type === statement.type)
    .map(finding => ({ finding, covers: evidence(textOf(finding), words, replaced) }))
    .filter(({ covers }) => covers >= ENOUGH_EVIDENCE)
    .sort((a, b) => b.covers - a.covers)
  return clearlyMeant(rated)
}

function evidence(text: Text, words: readonly Word[], replaced: readonly Word[]): number {
  const over = replaced.some(word => mentions(text, word)) ? REPLACED_EVIDENCE : 0
  const subject = words.some(word => touchesFirmly(text, word)) ? SUBJECT_EVIDENCE : 0
  return over + subject + WORD_EVIDENCE * words.filter(word => mentions(text, word)).length
}
