export type {
  FilterCondition,
  Hit,
  IndexLayout,
  SearchDocument,
  VectorSignal,
} from './document.ts'
export type { PreparedDocument } from './document-reader.ts'
export { FtsIndex } from './fts-index.ts'
export { INDEX_VERSION } from './fts-schema.ts'
export { stem } from './porter.ts'
export { clearlyRelevant } from './relevance.ts'
export { snippet } from './snippet.ts'
export { isStopWord } from './stop-words.ts'
export { fold, queryTerms } from './terms.ts'
export { formsOf } from './word-forms.ts'
