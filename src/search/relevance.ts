/**
 * Whether a memory answers a question or merely shares a word with it. Not sure means no.
 */
import type { Hit } from './document.ts'
import { isEverydayTerm } from './everyday-words.ts'

/**
 * A handful of memories says nothing about which words are rare, so the counts are taken together with
 * an imagined background of this many documents, where every word stands in one. With thousands of
 * memories the background no longer matters.
 */
const BACKGROUND_DOCUMENTS = 100
const BACKGROUND_MENTIONS = 1

/** About half of what is asked: the half that is known weighs a little less than the half that is not. */
const ENOUGH_COVERAGE = 0.45
/** With two distinctive words in common, a third of a longer question is enough. */
const ENOUGH_COVERAGE_WITH_TWO = 1 / 3
/** The question names the memory itself, or nearly, and not by one word in passing. */
const NAMED_SHARE = 2 / 3
const ENOUGH_COVERAGE_WHEN_NAMED = 1 / 4
/** A hit this far behind the best one is an also-ran. */
const LEAST_SHARE_OF_BEST_SCORE = 0.3

/**
 * How much a term says about what is asked. An everyday word says nothing, said or not said. A word in
 * no document counts like one in a single document: more cannot be known about it.
 */
export function termWeight(term: string, corpusDocuments: number, mentioning: number): number {
  if (isEverydayTerm(term)) return 0
  const mentions = Math.max(mentioning, 1) + BACKGROUND_MENTIONS
  return Math.log(1 + (corpusDocuments + BACKGROUND_DOCUMENTS) / mentions)
}

export function isClearlyRelevant(hit: Pick<Hit, 'coverage' | 'distinctive' | 'bestField'>): boolean {
  if (hit.distinctive === 0) return false
  if (hit.coverage >= ENOUGH_COVERAGE) return true
  if (hit.distinctive >= 2 && hit.coverage >= ENOUGH_COVERAGE_WITH_TWO) return true
  return (hit.bestField?.share ?? 0) >= NAMED_SHARE && hit.coverage >= ENOUGH_COVERAGE_WHEN_NAMED
}

/** The hits that answer the question, in their order; none when none clearly does. */
export function clearlyRelevant<T extends Pick<Hit, 'coverage' | 'distinctive' | 'bestField' | 'score'>>(
  hits: readonly T[],
): T[] {
  const relevant = hits.filter(isClearlyRelevant)
  const best = Math.max(...relevant.map(({ score }) => score))
  return relevant.filter(({ score }) => score >= best * LEAST_SHARE_OF_BEST_SCORE)
}
