export {
  type DreamChange,
  type DreamContext,
  DreamFailed,
  type DreamOptions,
  type DreamOutcome,
  dream,
  mayDream,
  placeOf,
} from './dream.ts'
export type * from './dreamer.ts'
export { fence } from './fence.ts'
export { dreamLog, readDiary, restoreDream, showDream } from './journal.ts'
export { consolidate, embeddedDreamer, isCovered, looksInjected, readMemory } from './mind/index.ts'
export { modelDreamer } from './model/index.ts'
export { findQuote, neverSaid } from './owner-words.ts'
export { reportForPrograms } from './report.ts'
export { dreamStatus, readRunning } from './status.ts'
