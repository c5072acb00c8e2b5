import type { FilterValue, Hit, IndexLayout } from './document.ts'
import type { StoredDocument } from './fts-tables.ts'
import { SoughtTerms } from './packed-terms.ts'
import type { Question } from './question.ts'
import type { Ranked } from './rank.ts'

/** Fields of more words than this are not named by a question, they are searched by it. */
const MOST_WORDS_NAMED = 24

/** What a ranked document has in common with the question, for the reader and for `isClearlyRelevant`. */
export function describeHit(
  { candidate, score }: Ranked,
  question: Question,
  { fields, carried = [] }: IndexLayout,
  stored: StoredDocument | undefined,
): Hit {
  const matched = question.terms.filter((_, at) => candidate.mentions[at]?.some(count => count > 0))
  const covered = matched.reduce((sum, { mass }) => sum + mass, 0)
  const sought = new SoughtTerms(matched.map(({ forms }) => forms.map(({ term }) => term)))
  const bestField = stored && closestToNamed(sought, Object.keys(fields), stored)
  return {
    id: candidate.id,
    ...(candidate.group !== undefined && { group: candidate.group }),
    ...(candidate.order !== undefined && { order: candidate.order }),
    score,
    coverage: question.fullMass > 0 ? Math.min(1, covered / question.fullMass) : 0,
    matched: matched.map(({ term }) => term),
    distinctive: matched.filter(({ distinctive }) => distinctive).length,
    ...(bestField && { bestField }),
    ...(stored && carried.length > 0 && { carried: named(carried, stored.carried) }),
  }
}

function named(names: readonly string[], values: readonly FilterValue[]): Record<string, FilterValue> {
  return Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']))
}

function closestToNamed(
  matched: SoughtTerms,
  fields: readonly string[],
  { terms }: StoredDocument,
): Hit['bestField'] {
  let best: Hit['bestField']
  fields.forEach((name, at) => {
    if ((terms.lengths[at] ?? 0) > MOST_WORDS_NAMED) return
    const share = terms.shareOf(matched, at)
    if (share > (best?.share ?? 0)) best = { name, share }
  })
  return best
}
