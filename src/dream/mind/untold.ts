/** What only one of two memories tells, though every sentence of it is said by the other: nothing of it is to be lost. */
import { type Claim, claimOf } from './claim.ts'
import { compare } from './compare.ts'
import { headsOf } from './head.ts'
import { isReason, type Reading, sentencesIn, withoutReason } from './reading.ts'

export interface Untold {
  /** Paragraphs that stand for themselves, as reasons and code do. */
  asides: string[]
  /** What would stand twice, in part, beside what the other says. */
  sentences: string[]
}

/** A description says in a word or two what the body says at length; this many more tell something else. */
const WORDS_THAT_TELL = 2

export function untold(gone: Reading, kept: Reading): Untold {
  const known = keysOfMemory(kept)
  const sentences = sentencesIn(gone.memory.body).flatMap(({ text }) => {
    const reason = text.slice(withoutReason(text).length)
    const added = addedBy(text)
    const tells =
      (reason !== '' && tellsMore(claimOf(reason), known, 1)) ||
      (added !== '' && tellsMore(claimOf(added), known, 1)) ||
      tellsMore(claimOf(text), known, WORDS_THAT_TELL) ||
      tellsBeside(text, kept, known)
    return tells ? [text] : []
  })
  const description = tellsAnything(gone, kept, known) ? [gone.memory.description] : []
  return { asides: untoldAsides(gone, kept), sentences: [...sentences, ...description] }
}

/** What stands beside a statement that no longer holds, and does not fall with it: reasons, code, what only the description tells. */
export function untoldBeside(gone: Reading, kept: Reading): string[] {
  if (gone.said.length === 0) return []
  const known = keysOfMemory(kept)
  const description = tellsAnything(gone, kept, known) ? [gone.memory.description] : []
  const reasoned = sentencesIn(gone.memory.body).flatMap(({ text }) =>
    tellsMore(claimOf(text.slice(withoutReason(text).length)), known, 1) ? [text] : [],
  )
  return [...description, ...reasoned, ...untoldAsides(gone, kept)]
}

function untoldAsides(gone: Reading, { memory: { body } }: Reading): string[] {
  return asidesIn(gone.memory.body).filter(block => !body.includes(block) && !hasReason(body, block))
}

function keysOfMemory({ memory: { name, description, body } }: Reading): Set<string> {
  return keysOf([name, description, body])
}

const CLAUSE = /[,;:，；：、()（）–—]\s*|\s+(?:and|but|while|who|which)\s+/giu

/** A word or two that only this sentence has: of its own, in a clause of which the other memory knows nothing, or beside all that the other says. */
function tellsBeside(text: string, kept: Reading, known: ReadonlySet<string>): boolean {
  const { terms } = claimOf(text)
  if (terms.keys().every(key => known.has(key))) return false
  const isNews = (clause: string): boolean => {
    const told = claimOf(clause).terms
    return told.size > 0 && told.keys().every(key => !known.has(key))
  }
  return text.split(CLAUSE).some(isNews) || kept.said.some(({ claim }) => isPart(claim, terms))
}

/** Everything that a claim says is among the terms, and there are more. */
function isPart(claim: Claim, terms: Claim['terms']): boolean {
  return (
    claim.terms.size > 0 && claim.terms.size < terms.size && claim.terms.keys().every(key => terms.has(key))
  )
}

/** What a sentence adds to what it states first. */
function addedBy(text: string): string {
  const heads = headsOf(text)
  const [shortest = text] = heads.slice(-1)
  const [inBrackets = ''] = /[（(].*[)）]/.exec(text) ?? []
  return heads.length === 0 ? '' : `${text.slice(shortest.length)} ${inBrackets}`.trim()
}

/** Whether the description tells what neither its own body nor the other memory does. */
function tellsAnything(gone: Reading, kept: Reading, known: ReadonlySet<string>): boolean {
  const { description } = gone
  const claims = [kept.description, ...kept.said.map(({ claim }) => claim)]
  if (claims.some(claim => compare(description, claim) === 'same')) return false
  const told = known.union(keysOf([gone.memory.name, gone.memory.body]))
  return tellsMore(claimOf(gone.memory.description), told, WORDS_THAT_TELL)
}

function tellsMore({ terms }: Claim, known: ReadonlySet<string>, words: number): boolean {
  const more = [...terms.values()].filter(({ key }) => !known.has(key))
  return more.length >= words || more.some(({ kind }) => kind !== 'word')
}

/** Everything that texts speak of, also in reasons and code. */
function keysOf(texts: readonly string[]): Set<string> {
  return new Set(texts.flatMap(text => text.split('\n').flatMap(line => [...claimOf(line).terms.keys()])))
}

/** Reasons and code of a body, each with the lines that belong to it. */
function asidesIn(body: string): string[] {
  const asides: string[][] = []
  let open: string[] | undefined
  let fence: string | undefined
  for (const line of body.split('\n')) {
    const [, mark] = /^\s*(```|~~~)/.exec(line) ?? []
    const begins = fence === undefined && (mark !== undefined || (open === undefined && isReason(line)))
    if (begins) {
      open = []
      asides.push(open)
      fence = mark
    } else if (fence === undefined && line.trim() === '') open = undefined
    open?.push(line)
    if (!begins && fence !== undefined && mark === fence) {
      fence = undefined
      open = undefined
    }
  }
  return asides.map(lines => lines.join('\n').trim())
}

/** One reason is enough. */
function hasReason(body: string, block: string): boolean {
  const [label] = /^\*\*[^*]+:\*\*/.exec(block) ?? []
  return label !== undefined && body.includes(label) && body.includes(block.slice(label.length).trim())
}
