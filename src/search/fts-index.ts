/** The ranking engine over SQLite: FTS5 finds, `rank` decides. */
import type { DatabaseSync } from 'node:sqlite'
import type {
  GroupHit,
  IndexLayout,
  SearchDocument,
  SearchOptions,
  SearchResult,
  VectorSignal,
} from './document.ts'
import { DocumentReader, type PreparedDocument } from './document-reader.ts'
import { type FilterClause, filterClause } from './filter-clause.ts'
import { FtsTables, quoted, type StoredDocument, type Totals } from './fts-tables.ts'
import { fuseByRank } from './fuse.ts'
import { describeHit } from './hit.ts'
import { groupsMentioning, type MentionBits, massByPlace, mentionsByGroup } from './mentions.ts'
import { type PackedTerms, SoughtTerms } from './packed-terms.ts'
import { groupNumber, isGrouped, orderInGroup, withNeighbours } from './places.ts'
import { type Question, type QuestionTerm, readQuestion } from './question.ts'
import { type Candidate, type CandidateGroup, NEIGHBOUR_REACH, type Ranked, rank } from './rank.ts'
import { planReadings, type Reading, shortlist } from './shortlist.ts'

/** How many documents are scored in full for one question, not counting their neighbours. */
const SHORTLIST_SIZE = 200

const DEFAULT_LIMIT = 10

/** How deep the lists are that are joined with a second signal. */
const FUSED_DEPTH = 100

export class FtsIndex {
  #tables: FtsTables
  #reader: DocumentReader
  #weights: number[]

  constructor(database: DatabaseSync, layout: IndexLayout) {
    this.#tables = new FtsTables(database, layout)
    this.#reader = new DocumentReader(layout)
    this.#weights = Object.values(layout.fields)
  }

  /** Does what can be done about a document before it is put in, without the database. */
  prepare(document: SearchDocument): PreparedDocument {
    return this.#reader.prepare(document)
  }

  /** Adds documents; one with the same id, or at the same place of its group, is replaced. */
  put(documents: Iterable<SearchDocument | PreparedDocument>): void {
    const tables = this.#tables
    const latest = new Map<string, PreparedDocument>()
    for (const document of documents)
      latest.set(document.id, 'packed' in document ? document : this.prepare(document))
    tables.change(tally => {
      const placed = Array.from(latest.values(), document => ({
        document,
        place: tables.placeOf(document, tally),
      }))
      // FTS5 writes out what it has gathered whenever a number is lower than the one before.
      placed.sort((a, b) => a.place - b.place)
      for (const { document, place } of placed) tables.insert(document, place, tally)
    })
  }

  remove(ids: Iterable<string>): void {
    this.#tables.change(tally => {
      for (const id of ids) {
        const stored = this.#tables.byId(id)
        if (stored) this.#tables.delete(stored, tally)
      }
    })
  }

  /** Removes documents of a group, `atMost` so many; returns how many that were. */
  removeGroup(group: string, atMost: number): number {
    let removed = 0
    this.#tables.change(tally => {
      for (const stored of this.#tables.ofGroup(group, atMost)) {
        this.#tables.delete(stored, tally)
        removed++
      }
    })
    return removed
  }

  clear(): void {
    this.#tables.inTransaction(() => this.#tables.recreate())
  }

  count(): number {
    return this.#tables.totals().documents
  }

  /** The best documents and the best groups for a question, never the same one twice. */
  search(query: string, options: SearchOptions = {}): SearchResult {
    const totals = this.#tables.totals()
    const question = readQuestion(query, totals.documents, term =>
      this.#tables.frequency(term, totals.documents),
    )
    const filter = filterClause(options.filter ?? {}, this.#tables.layout)
    const nothingLeft = filter.words.some(anyOf => anyOf.length === 0)
    if (question.terms.length === 0 || nothingLeft) return { hits: [], groups: [] }
    const mentions = this.#readMentions(question.terms, filter)
    const masses = massByPlace(mentions, question.terms, totals.documents)
    const chosen = shortlist(masses, isGrouped, SHORTLIST_SIZE)
    const documents = this.#tables.fetch(withNeighbours(chosen, NEIGHBOUR_REACH), filter)
    return this.#score(question, totals, documents, mentions, options)
  }

  /**
   * The same, joined by rank with a second signal. What only the second signal found has no score of
   * ours: it comes with a coverage of 0.
   */
  async searchWith(signal: VectorSignal, query: string, options: SearchOptions = {}): Promise<SearchResult> {
    const limit = options.limit ?? DEFAULT_LIMIT
    const depth = Math.max(FUSED_DEPTH, limit)
    const { hits, groups } = this.search(query, { ...options, limit: depth })
    const likened = await signal(query, depth)
    const found = new Map(hits.map(hit => [hit.id, hit]))
    const fused = fuseByRank([hits.map(({ id }) => id), likened])
    const filter = filterClause(options.filter ?? {}, this.#tables.layout)
    const results = fused.flatMap(id => found.get(id) ?? this.#unscored(id, filter))
    return { hits: results.slice(0, limit), groups }
  }

  #unscored(id: string, filter: FilterClause): SearchResult['hits'] {
    const stored = this.#tables.byId(id)
    if (!stored || this.#tables.fetch([stored.place], filter).length === 0) return []
    const group = isGrouped(stored.place) ? this.#tables.groups([groupNumber(stored.place)])[0] : undefined
    const where = group && { group: group.id, order: orderInGroup(stored.place) }
    return [{ id, ...where, score: 0, coverage: 0, matched: [], distinctive: 0 }]
  }

  #readMentions(terms: readonly QuestionTerm[], filter: FilterClause): MentionBits {
    const mentions: MentionBits = new Map()
    let left = terms.map(({ documents }, term) => ({ term, documents }))
    // A filter can leave nothing of the rare words; then the others choose.
    while (left.length > 0 && mentions.size === 0) {
      const plan = planReadings(left, SHORTLIST_SIZE)
      for (const reading of plan) {
        const { match, limit, bits } = asMatch(reading, terms)
        for (const place of this.#tables.places(match, limit, filter)) {
          mentions.set(place, (mentions.get(place) ?? 0) | bits)
        }
      }
      const read = new Set(plan.flatMap(reading => (reading.kind === 'all' ? [reading.term] : [])))
      if (read.size === 0) break
      left = left.filter(({ term }) => !read.has(term))
    }
    return mentions
  }

  #score(
    question: Question,
    totals: Totals,
    documents: readonly StoredDocument[],
    mentions: MentionBits,
    options: SearchOptions,
  ): SearchResult {
    const numbers = new Set(
      documents
        .map(({ place }) => place)
        .filter(isGrouped)
        .map(groupNumber),
    )
    const groups = numbers.size === 0 ? [] : this.#tables.groups(numbers)
    const groupIds = new Map(groups.map(({ number, id }) => [number, id]))
    const sought = new SoughtTerms(question.terms.map(({ forms }) => forms.map(({ term }) => term)))
    const none = question.terms.map(() => this.#weights.map(() => 0))
    const candidates = documents.map(document => asCandidate(document, groupIds, sought, none))
    const groupCount = groups.length === 0 ? 0 : this.#tables.groupCount()
    const inGroups = mentionsByGroup(mentions, documents, candidates, question.terms.length)
    const ranking = rank(
      question.terms.map((term, at) => ({
        ...term,
        groups: groupsMentioning(term, at, inGroups, groupCount),
      })),
      {
        documents: totals.documents,
        groups: groupCount,
        averageLengths: totals.lengths.map(length => length / Math.max(totals.documents, 1)),
        averageGroupLength: totals.lengths.reduce((sum, length) => sum + length, 0) / Math.max(groupCount, 1),
      },
      this.#weights,
      candidates,
      groups.map(
        ({ number, id, length }): CandidateGroup => ({
          group: id,
          length,
          mentions: inGroups.get(number)?.times ?? [],
        }),
      ),
    )
    const stored = new Map(documents.map((document, at) => [candidates[at]?.id, document]))
    const bestGroups = ranking.groups.slice(0, options.groupLimit ?? DEFAULT_LIMIT)
    const best =
      options.hitsPerGroup === undefined
        ? ranking.documents
        : bestOfEach(bestGroups, ranking.documents, options.hitsPerGroup)
    return {
      hits: best
        .slice(0, options.limit ?? DEFAULT_LIMIT)
        .map(ranked => describeHit(ranked, question, this.#tables.layout, stored.get(ranked.candidate.id))),
      groups: bestGroups,
    }
  }
}

function asMatch(
  reading: Reading,
  terms: readonly QuestionTerm[],
): { match: string; limit?: number; bits: number } {
  const anyOf = (which: readonly number[]): string => {
    const forms = which.flatMap(at => terms[at]?.forms ?? [])
    return `(${forms.map(({ term }) => quoted(term)).join(' OR ')})`
  }
  switch (reading.kind) {
    case 'all':
      return { match: anyOf([reading.term]), bits: 1 << reading.term }
    case 'among':
      return {
        match: `${anyOf([reading.term])} AND ${anyOf(reading.others)}`,
        limit: reading.limit,
        bits: 1 << reading.term,
      }
    case 'together':
      return {
        match: reading.terms.map(term => anyOf([term])).join(' AND '),
        limit: reading.limit,
        bits: reading.terms.reduce((bits, term) => bits | (1 << term), 0),
      }
  }
}

function asCandidate(
  { place, id, prior, terms }: StoredDocument,
  groupIds: ReadonlyMap<number, string>,
  sought: SoughtTerms,
  none: Candidate['mentions'],
): Candidate {
  const group = isGrouped(place) ? groupIds.get(groupNumber(place)) : undefined
  return {
    id: id ?? `${group}:${orderInGroup(place)}`,
    prior,
    lengths: terms.lengths,
    mentions: mentionsIn(terms, sought, none),
    ...(group !== undefined && { group, order: orderInGroup(place) }),
  }
}

/** Most documents are there for their neighbours and mention nothing: these share what they have not. */
function mentionsIn(
  terms: PackedTerms,
  sought: SoughtTerms,
  none: Candidate['mentions'],
): Candidate['mentions'] {
  let mentions: number[][] | undefined
  for (let field = 0; field < terms.lengths.length; field++) {
    terms.eachOf(sought, field, (term, count) => {
      mentions ??= none.map(byField => [...byField])
      const byField = mentions[term]
      if (byField) byField[field] = (byField[field] ?? 0) + count
    })
  }
  return mentions ?? none
}

/** Groups in their order, and of each its best documents. */
function bestOfEach(groups: readonly GroupHit[], ranked: readonly Ranked[], ofEach: number): Ranked[] {
  const byGroup = new Map<string, Ranked[]>(groups.map(({ group }) => [group, []]))
  for (const one of ranked) {
    const chosen = byGroup.get(one.candidate.group ?? '')
    if (chosen && chosen.length < ofEach) chosen.push(one)
  }
  return [...byGroup.values()].flat()
}
