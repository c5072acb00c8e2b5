/** A question as the corpus sees it: how common its terms are and how much each says. */
import { isEverydayTerm } from './everyday-words.ts'
import { termWeight } from './relevance.ts'
import { queryTerms, type TermForm } from './terms.ts'

/** A pasted page is not a question: its first words are looked up, its rarest known ones searched for. */
const MOST_TERMS_LOOKED_UP = 256
const MOST_TERMS_SEARCHED = 30

/** A message longer than this many words is not about all of them; covering as much as this is covering it. */
const FULL_COVERAGE_TERMS = 12

/** The parts of an identifier beside the identifier itself. */
const PART_WEIGHT = 0.5

export type QuestionTerm = {
  term: string
  /** The forms of it that the index holds. */
  forms: readonly TermForm[]
  /** 1, or less for a part of an identifier that the index holds as a whole. */
  weight: number
  /** How many documents have it. */
  documents: number
  /** How much it says about what is asked. */
  mass: number
  /** Neither a stop word nor an everyday word. */
  distinctive: boolean
}

export type Question = {
  /** Those of its terms that the index holds. */
  terms: QuestionTerm[]
  /** What a document that mentioned everything would have covered. */
  fullMass: number
}

/** `frequency` tells how many documents have a term, of `documents` in all. */
export function readQuestion(
  query: string,
  documents: number,
  frequency: (term: string) => number,
): Question {
  const asked = queryTerms(query)
  const content = asked.filter(({ stop }) => !stop)
  const weighed = (content.length > 0 ? content : asked).slice(0, MOST_TERMS_LOOKED_UP).map(asked => {
    const forms = asked.forms.map(form => ({ ...form, documents: frequency(form.term) }))
    const held = forms.filter(form => form.documents > 0)
    const mentioning = Math.min(
      documents,
      held.reduce((sum, form) => sum + form.documents, 0),
    )
    return { ...asked, held, mentioning }
  })
  const wholes = new Set(weighed.flatMap(({ partOf }) => (partOf === undefined ? [] : [partOf])))
  const unknownWholes = new Set(
    weighed.filter(({ term, mentioning }) => mentioning === 0 && wholes.has(term)).map(({ term }) => term),
  )
  const terms = weighed
    // An identifier never seen stands for its parts.
    .filter(({ term }) => !unknownWholes.has(term))
    .map(({ term, held, mentioning, partOf, stop }): QuestionTerm => {
      const weight = partOf === undefined || unknownWholes.has(partOf) ? 1 : PART_WEIGHT
      return {
        term,
        forms: held,
        weight,
        documents: mentioning,
        mass: weight * termWeight(term, documents, mentioning),
        distinctive: !stop && !isEverydayTerm(term),
      }
    })
  return { terms: searched(terms), fullMass: massOf(terms) }
}

function searched(terms: QuestionTerm[]): QuestionTerm[] {
  const held = terms.filter(({ documents }) => documents > 0)
  if (held.length <= MOST_TERMS_SEARCHED) return held
  return held.sort((a, b) => a.documents - b.documents).slice(0, MOST_TERMS_SEARCHED)
}

function massOf(terms: QuestionTerm[]): number {
  const telling = terms.filter(({ mass }) => mass > 0)
  const sum = telling.reduce((total, { mass }) => total + mass, 0)
  return telling.length <= FULL_COVERAGE_TERMS ? sum : (sum * FULL_COVERAGE_TERMS) / telling.length
}
