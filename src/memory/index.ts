export { ageNote, STALE_AFTER_DAYS, stamp } from './age.ts'
export type { MemoryHead } from './catalogue.ts'
export { DAILY_LOG } from './daily-log.ts'
export { withAbsoluteDates } from './dates.ts'
export type { Diagnosis, Problem, ProblemKind } from './doctor.ts'
export type { Changed, ChangeOptions } from './edit.ts'
export {
  type Entry,
  type EntryEdit,
  editEntry,
  isMemoryType,
  MEMORY_TYPES,
  type MemoryType,
  ORIGINS,
  type Origin,
  oneLine,
  parseEntry,
  printEntry,
} from './entry.ts'
export { exclusionOf } from './exclusions.ts'
export { AmbiguousMemory, NoSuchMemory } from './find.ts'
export { deriveIndex, INDEX_BYTES, INDEX_LINES } from './index-file.ts'
export { fileOfLine, LINE_LIMIT, printLine } from './index-line.ts'
export { ImportLedger, type ImportState } from './ledger.ts'
export type { Embedder } from './likeness.ts'
export {
  type ChangedText,
  type FullMemory,
  type ListedMemory,
  Memory,
  type MemoryChange,
  type MemoryOptions,
} from './memory.ts'
export { MemoryIsOff } from './memory-is-off.ts'
export { BadFileName, fileNames, INDEX_FILE, isMemoryFileName } from './name.ts'
export { LENT_FENCE, MEMORY_FENCES, recalledText } from './prompt.ts'
export {
  type Candidate,
  RECALLED_AT_MOST,
  type Recalled,
  type RecallOptions,
  type Select,
} from './recall.ts'
export { isRefused, type Refusals, readRefusals } from './refusals.ts'
export type { PlannedSteps, Revision, RevisionOutcome, WantedChange } from './revise.ts'
export type { Fence } from './revision.ts'
export { type Companion, ENTRY_ID, UnreadableRecord } from './revision-record.ts'
export {
  InvalidMemory,
  type MemoryDraft,
  NotWorthKeeping,
  Pinned,
  type Saved,
  SecretRefused,
  ShrinkRefused,
} from './save.ts'
export { findSecrets, secretMessage, withoutSecrets } from './secrets.ts'
export { SCOPES, type Scope } from './shelf.ts'
export type { Snapshot } from './snapshot.ts'
export { NothingToUndo, type Undone } from './undo.ts'
export { worthOf } from './worth.ts'
