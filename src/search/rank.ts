/**
 * The ranking: values in, values out, the same for every storage. A document's score is BM25F over its
 * fields; in a group, a document's neighbours count as weaker fields of it, and the group's own score
 * is added.
 */

/** The usual BM25 constants (Robertson and Zaragoza, 2009; Lucene's defaults). */
const SATURATION = 1.2
const LENGTH_NORMALISATION = 0.75

/** What a mention in the first, second and third neighbour is worth: halved at each step away. */
const NEIGHBOUR_WEIGHTS = [0.5, 0.25, 0.125] as const

/** How far around a document its neighbours are looked at. */
export const NEIGHBOUR_REACH = NEIGHBOUR_WEIGHTS.length

/** The group's score beside the document's own, both scaled to 1. */
const GROUP_SHARE = 0.5

export type TermStatistics = {
  term: string
  /** 1 for a word of the question, less for a part of an identifier. */
  weight: number
  /** How many documents mention it. */
  documents: number
  /** How many groups mention it. */
  groups: number
}

export type Corpus = {
  documents: number
  groups: number
  /** By field, in the order of the layout. */
  averageLengths: readonly number[]
  averageGroupLength: number
}

export type Candidate = {
  id: string
  group?: string
  order?: number
  prior: number
  /** By field. */
  lengths: readonly number[]
  /** How often each term stands in each field: `mentions[term][field]`. */
  mentions: readonly (readonly number[])[]
}

export type CandidateGroup = {
  group: string
  length: number
  /** How often each term stands in it. */
  mentions: readonly number[]
}

export type Ranked = { candidate: Candidate; score: number }
export type RankedGroup = { group: string; score: number; best: string }

export type Ranking = { documents: Ranked[]; groups: RankedGroup[] }

/** Robertson's idf, kept above zero for words that most documents have. */
export function inverseFrequency(documents: number, mentioning: number): number {
  const bounded = Math.min(mentioning, documents)
  return Math.log(1 + (documents - bounded + 0.5) / (bounded + 0.5))
}

export function rank(
  terms: readonly TermStatistics[],
  corpus: Corpus,
  fieldWeights: readonly number[],
  candidates: readonly Candidate[],
  candidateGroups: readonly CandidateGroup[],
): Ranking {
  const distinct = withoutRepeats(candidates)
  const strengths = distinct.map(candidate => termStrengths(candidate, corpus, fieldWeights))
  const rarity = terms.map(term => term.weight * inverseFrequency(corpus.documents, term.documents))
  const around = neighbourhoods(distinct)
  const text = distinct.map((_, at) => textScore(at, strengths, rarity, around))
  const best = Math.max(...text, Number.MIN_VALUE)
  const groups = rankGroups(terms, corpus, candidateGroups, distinct, text, best)
  const groupScores = new Map(groups.map(({ group, score }) => [group, score]))
  const bestGroup = groups[0]?.score ?? 1
  const documents = distinct.map((candidate, at) => {
    const own = (text[at] ?? 0) * candidate.prior
    if (candidate.group === undefined) return { candidate, score: own }
    const lent = (groupScores.get(candidate.group) ?? 0) / bestGroup
    return { candidate, score: own / best + GROUP_SHARE * lent }
  })
  return { documents: documents.filter(({ score }) => score > 0).sort(byScoreThenId), groups }
}

function withoutRepeats(candidates: readonly Candidate[]): Candidate[] {
  return [...new Map(candidates.map(candidate => [candidate.id, candidate])).values()]
}

/** Of each term, its weighted and length-normalised frequency, not yet saturated (BM25F). */
function termStrengths(candidate: Candidate, corpus: Corpus, fieldWeights: readonly number[]): number[] {
  return candidate.mentions.map(byField => {
    let strength = 0
    byField.forEach((count, field) => {
      if (count === 0) return
      const relative = (candidate.lengths[field] ?? 0) / (corpus.averageLengths[field] || 1)
      strength += ((fieldWeights[field] ?? 1) * count) / lengthPenalty(relative)
    })
    return strength
  })
}

function lengthPenalty(relativeLength: number): number {
  return 1 - LENGTH_NORMALISATION + LENGTH_NORMALISATION * relativeLength
}

function saturated(strength: number): number {
  return (strength * (SATURATION + 1)) / (strength + SATURATION)
}

type Neighbour = { at: number; weight: number }

function neighbourhoods(candidates: readonly Candidate[]): Neighbour[][] {
  const places = new Map<string, Map<number, number>>()
  candidates.forEach(({ group, order }, at) => {
    if (group === undefined || order === undefined) return
    const orders = places.get(group) ?? new Map<number, number>()
    places.set(group, orders.set(order, at))
  })
  return candidates.map(({ group, order }) => {
    const orders = group === undefined ? undefined : places.get(group)
    if (!orders || order === undefined) return []
    const found: Neighbour[] = []
    NEIGHBOUR_WEIGHTS.forEach((weight, index) => {
      for (const step of [-index - 1, index + 1]) {
        const at = orders.get(order + step)
        if (at !== undefined) found.push({ at, weight })
      }
    })
    return found
  })
}

/** Saturating after the neighbours are added: a word said in three turns is not three words. */
function textScore(
  at: number,
  strengths: readonly number[][],
  rarity: readonly number[],
  around: readonly Neighbour[][],
): number {
  let score = 0
  for (let term = 0; term < rarity.length; term++) {
    let strength = strengths[at]?.[term] ?? 0
    for (const neighbour of around[at] ?? []) {
      strength += neighbour.weight * (strengths[neighbour.at]?.[term] ?? 0)
    }
    if (strength > 0) score += (rarity[term] ?? 0) * saturated(strength)
  }
  return score
}

/** A group is as good as all it says about the question, and as the best place in it. */
function rankGroups(
  terms: readonly TermStatistics[],
  corpus: Corpus,
  candidateGroups: readonly CandidateGroup[],
  candidates: readonly Candidate[],
  text: readonly number[],
  bestText: number,
): RankedGroup[] {
  const rarity = terms.map(term => term.weight * inverseFrequency(corpus.groups, term.groups))
  const peaks = new Map<string, { id: string; score: number }>()
  candidates.forEach(({ id, group }, at) => {
    if (group === undefined) return
    const score = text[at] ?? 0
    const peak = peaks.get(group)
    if (!peak || score > peak.score || (score === peak.score && id < peak.id)) peaks.set(group, { id, score })
  })
  const whole = candidateGroups.map(({ length, mentions }) => {
    const penalty = lengthPenalty(length / (corpus.averageGroupLength || 1))
    return mentions.reduce((sum, count, term) => sum + (rarity[term] ?? 0) * saturated(count / penalty), 0)
  })
  const bestWhole = Math.max(...whole, Number.MIN_VALUE)
  return candidateGroups
    .flatMap(({ group }, at) => {
      const peak = peaks.get(group)
      if (!peak) return []
      return [{ group, score: (whole[at] ?? 0) / bestWhole + peak.score / bestText, best: peak.id }]
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || compare(a.group, b.group))
}

function byScoreThenId(a: Ranked, b: Ranked): number {
  return b.score - a.score || compare(a.candidate.id, b.candidate.id)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
