export type {
  FilterCondition,
  FilterValue,
  GroupHit,
  Hit,
  IndexLayout,
  SearchDocument,
  SearchOptions,
  SearchResult,
  VectorSignal,
} from './document.ts'
export { FtsIndex } from './fts-index.ts'
export { fuseByRank } from './fuse.ts'
export {
  type Candidate,
  type CandidateGroup,
  type Corpus,
  type Ranking,
  rank,
  type TermStatistics,
} from './rank.ts'
export { clearlyRelevant, isClearlyRelevant } from './relevance.ts'
export { type Snippet, snippet } from './snippet.ts'
export { prepare, type QueryTerm, queryTerms } from './terms.ts'
