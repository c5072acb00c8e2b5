/** Which documents and groups mention which terms of a question, as far as that was read. */
import type { StoredDocument } from './fts-tables.ts'
import { groupNumber, isGrouped } from './places.ts'
import type { QuestionTerm } from './question.ts'
import { type Candidate, inverseFrequency } from './rank.ts'

/** Which terms each place is known to have, as bits: `1 << term`. */
export type MentionBits = Map<number, number>

type GroupMentions = { times: number[]; documents: number[] }

/** How much each place mentions: a rare term counts more. */
export function massByPlace(
  mentions: MentionBits,
  terms: readonly QuestionTerm[],
  documents: number,
): Map<number, number> {
  const rarity = terms.map(term => term.weight * inverseFrequency(documents, term.documents))
  const sums = new Map<number, number>()
  const masses = new Map<number, number>()
  for (const [place, bits] of mentions) {
    let mass = sums.get(bits)
    if (mass === undefined) {
      mass = rarity.reduce((sum, value, term) => (bits & (1 << term) ? sum + value : sum), 0)
      sums.set(bits, mass)
    }
    masses.set(place, mass)
  }
  return masses
}

/**
 * How often each term stands in each group, as far as is known: counted in the documents that were read,
 * once in each of the others that have it.
 */
export function mentionsByGroup(
  mentions: MentionBits,
  documents: readonly StoredDocument[],
  candidates: readonly Candidate[],
  termCount: number,
): Map<number, GroupMentions> {
  const byGroup = new Map<number, GroupMentions>()
  const add = (place: number, term: number, times: number): void => {
    const number = groupNumber(place)
    const counts = byGroup.get(number) ?? {
      times: new Array<number>(termCount).fill(0),
      documents: new Array<number>(termCount).fill(0),
    }
    byGroup.set(number, counts)
    counts.times[term] = (counts.times[term] ?? 0) + times
    counts.documents[term] = (counts.documents[term] ?? 0) + 1
  }
  const read = new Set<number>()
  documents.forEach(({ place }, at) => {
    read.add(place)
    if (!isGrouped(place)) return
    candidates[at]?.mentions.forEach((byField, term) => {
      const times = byField.reduce((sum, count) => sum + count, 0)
      if (times > 0) add(place, term, times)
    })
  })
  for (const [place, bits] of mentions) {
    if (read.has(place) || !isGrouped(place)) continue
    for (let term = 0; term < termCount; term++) if (bits & (1 << term)) add(place, term, 1)
  }
  return byGroup
}

/** Counted where every document with the term was seen, otherwise what chance would give. */
export function groupsMentioning(
  { documents }: QuestionTerm,
  term: number,
  inGroups: ReadonlyMap<number, GroupMentions>,
  groupCount: number,
): number {
  let groups = 0
  let seen = 0
  for (const mentioned of inGroups.values()) {
    const count = mentioned.documents[term] ?? 0
    seen += count
    if (count > 0) groups++
  }
  if (seen >= documents || groupCount === 0) return groups
  return Math.max(groups, groupCount * (1 - Math.exp(-documents / groupCount)))
}
