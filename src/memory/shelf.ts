import type { DirectoryChange } from '../store/index.ts'

/** `user`: true in every project · `project`: of this one · `team`: shared through a server. */
export const SCOPES = ['project', 'user', 'team'] as const
export type Scope = (typeof SCOPES)[number]

/** A file and what tells, without reading it, whether it has changed. */
export interface Stamp {
  file: string
  stamp: string
  mtimeMs: number
  bytes: number
}

/** What is on a shelf, to be compared with what was there before. */
export interface Listing {
  /** The same as long as nothing has changed, the index included. */
  digest: string
  stamps(): Stamp[]
}

export interface StoredText {
  text: string
  /** Given back to `write`, so that nobody's change in between is lost. */
  version: string
  mtimeMs: number
}

/** A file that is there but holds no text that could be read. */
export interface Unreadable {
  kind: 'unreadable' | 'symlink-out'
  unreadable: string
}

export interface Trashed {
  /** Names this copy; a file may be in the trash several times. */
  id: string
  file: string
  at: Date
}

/** Somebody changes a shelf, and nobody else does. */
export interface Held {
  /** Throws LockLost if the shelf went to somebody else while we were, say, asleep. */
  check(): Promise<void>
}

/**
 * Where the texts of one scope are kept. It knows names, texts and versions, and nothing of what they say:
 * everything else about memories is built on these few operations, whatever keeps them.
 */
export interface Shelf {
  readonly scope: Scope
  /** For a person: a directory, or the name of a server. */
  readonly place: string
  /** A directory of ours beside the shelf, for what is about it and not on it. */
  readonly state: string
  /** Every Markdown file on the shelf but the index. */
  list(): Promise<Listing>
  /** The whole text of one file; undefined when it is not there. */
  read(file: string): Promise<StoredText | Unreadable | undefined>
  /**
   * Writes a file whose version is still the expected one; null expects none. Else throws ChangedMeanwhile.
   * With `mtimeMs` it is as old afterwards as that.
   */
  write(file: string, text: string, expected: string | null, mtimeMs?: number): Promise<void>
  /** Moves a file to the trash. */
  discard(file: string): Promise<void>
  /** What is in the trash, newest first. */
  trashed(): Promise<Trashed[]>
  /** Puts a copy back under its name, as old as it was; throws ChangedMeanwhile if there is a file of that name. */
  recover(trashed: Trashed): Promise<void>
  /** Removes copies from the trash for good. */
  erase(trashed: readonly Trashed[]): Promise<void>
  /** Keeps a text that could not be written where the owner finds it; returns where. */
  setAside(file: string, text: string): Promise<string>
  /** Runs `work` while no other process changes the shelf. */
  exclusively<T>(work: (held: Held) => Promise<T>): Promise<T>
  /** Whether somebody is changing it just now. */
  busy(): Promise<boolean>
  /** When a process died in the middle of changing the shelf, if the last one that did has; then index and journal may lag. */
  interrupted(): Promise<Date | undefined>
  /** Removes what killed processes left behind. Only while the shelf is held exclusively. */
  tidy(): Promise<void>
  /** The path under which the journal keeps a file. */
  journalPath(file: string): string
  watch(onChange: (changes: DirectoryChange[]) => void): Promise<AsyncDisposable>
}
