export type {
  CommitRequest,
  FileChange,
  JournalChange,
  JournalEntry,
  JournalHealth,
  JournalOptions,
} from './journal.ts'
export { Journal, UnknownEntry } from './journal.ts'
export type { Mount } from './layout.ts'
export { NotJournalled } from './layout.ts'
export { CorruptJournal, ForeignJournal } from './repository.ts'
