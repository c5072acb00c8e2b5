/** What goes into an index and what comes out of it, whichever storage is behind it. */

export type FilterValue = string | number

export type SearchDocument = {
  id: string
  /** What this is a part of (a turn's session). Neighbours in a group lend each other weight. */
  group?: string
  /** Its place in the group, counted from 0; no two documents of a group share one. */
  order?: number
  /** Text by field name; names that the layout does not know are refused. */
  fields: Record<string, string>
  /** How much more (or less) likely than others this is an answer, before the question is known; 1 is neutral. */
  prior?: number
  /** Values that a search can be limited by, as named in the layout. */
  filters?: Record<string, FilterValue>
  /** Values that come back with a hit, as named in the layout. */
  carried?: Record<string, FilterValue>
}

export type IndexLayout = {
  /** Begins the name of every table of the index. */
  name: string
  /** The weight of each field. */
  fields: Record<string, number>
  /** What a search can be limited by: to one value or some, however many documents there are. */
  filters?: readonly string[]
  /** What a search can be limited to a range of. Costs a look at every document that has the words. */
  ranges?: readonly string[]
  carried?: readonly string[]
  /** Documents are called by their group and order, `group:order`, and no other ids are kept. */
  idsByPlace?: boolean
}

/** One value, any of several, or a range from (inclusive) to before (exclusive). */
export type FilterCondition = FilterValue | readonly FilterValue[] | { from?: number; before?: number }

export type SearchOptions = {
  /** The most hits wanted; 10 unless told. */
  limit?: number
  /** The most groups wanted; 10 unless told. */
  groupLimit?: number
  /** Hits only of the groups that are given back, the best group first, and so many of each at most. */
  hitsPerGroup?: number
  filter?: Record<string, FilterCondition>
}

export type Hit = {
  id: string
  group?: string
  order?: number
  /** Comparable within one search only. */
  score: number
  /** The share of what the question is about that this document itself mentions, from 0 to 1. */
  coverage: number
  /** The terms of the question that it mentions, as the index holds them. */
  matched: string[]
  /** How many of these are not everyday words. */
  distinctive: number
  /** The field that the question comes closest to naming in full, and the share of it that is named. */
  bestField?: { name: string; share: number }
  carried?: Record<string, FilterValue>
}

export type GroupHit = { group: string; score: number; best: string }

export type SearchResult = { hits: Hit[]; groups: GroupHit[] }

/** Ids in order of likeness to the question, from an embedding model; nothing else is asked of it. */
export type VectorSignal = (query: string, limit: number) => Promise<readonly string[]>
