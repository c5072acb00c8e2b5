export type {
  FilterCondition,
  Hit,
  IndexLayout,
  SearchDocument,
  VectorSignal,
} from './document.ts'
export { FtsIndex } from './fts-index.ts'
export { INDEX_VERSION, type PreparedDocument } from './fts-tables.ts'
export { clearlyRelevant } from './relevance.ts'
export { snippet } from './snippet.ts'
export { queryTerms } from './terms.ts'
