export {
  type DreamChange,
  type DreamContext,
  DreamFailed,
  type DreamOptions,
  type DreamOutcome,
  DreamStopped,
  dream,
  mayDream,
  placeOf,
} from './dream.ts'
export type * from './dreamer.ts'
export { fence } from './fence.ts'
export { dreamLog, readDiary, restoreDream, showDream } from './journal.ts'
export {
  consolidate,
  contradiction,
  embeddedDreamer,
  isCovered,
  looksInjected,
  readMemory,
  withoutSentence,
} from './mind/index.ts'
export { modelDreamer } from './model/index.ts'
export type { DreamNote } from './note.ts'
export { openIn } from './open-findings.ts'
export { findQuote, neverSaid } from './owner-words.ts'
export { progressLine } from './progress-line.ts'
export { reportForPrograms } from './report.ts'
export { dreamStatus } from './status.ts'
export { readRunning } from './status-file.ts'
export { askToStop } from './stopping.ts'
