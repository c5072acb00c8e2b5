import type { Hit } from './document.ts'
import { stem } from './porter.ts'
import type { Question } from './question.ts'
import type { Ranked } from './rank.ts'
import { isStopWord } from './stop-words.ts'
import { wordsIn } from './terms.ts'

/** Fields longer than this are not named by a question, they are searched by it. */
const LONGEST_NAMED_FIELD = 120

/** What a ranked document has in common with the question, for the reader and for `isClearlyRelevant`. */
export function describeHit(
  { candidate, score }: Ranked,
  question: Question,
  fields: readonly string[],
  texts: readonly string[],
): Hit {
  const matched = question.terms.filter((_, at) => candidate.mentions[at]?.some(count => count > 0))
  const covered = matched.reduce((sum, { mass }) => sum + mass, 0)
  const bestField = closestToNamed(
    new Set(matched.flatMap(({ forms }) => forms.map(({ term }) => term))),
    fields,
    texts,
  )
  return {
    id: candidate.id,
    ...(candidate.group !== undefined && { group: candidate.group }),
    ...(candidate.order !== undefined && { order: candidate.order }),
    score,
    coverage: question.fullMass > 0 ? Math.min(1, covered / question.fullMass) : 0,
    matched: matched.map(({ term }) => term),
    distinctive: matched.filter(({ distinctive }) => distinctive).length,
    ...(bestField && { bestField }),
  }
}

function closestToNamed(
  matched: ReadonlySet<string>,
  fields: readonly string[],
  texts: readonly string[],
): Hit['bestField'] {
  let best: Hit['bestField']
  fields.forEach((name, at) => {
    const text = texts[at] ?? ''
    if (text.length > LONGEST_NAMED_FIELD) return
    const said = new Set<string>()
    for (const { word } of wordsIn(text)) if (!isStopWord(word)) said.add(stem(word))
    const share = [...said].filter(term => matched.has(term)).length / Math.max(said.size, 1)
    if (share > (best?.share ?? 0)) best = { name, share }
  })
  return best
}
