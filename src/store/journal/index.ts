export type * from './journal.ts'
export { Journal, UnknownEntry } from './journal.ts'
export { type Mount, NotJournalled } from './layout.ts'
export { CorruptJournal, ForeignJournal } from './repository.ts'
