/** What the files of another program are to an import, whichever program it is. */
import type { MemoryDraft } from '../../memory/index.ts'
import type { Message } from '../../session/index.ts'

export interface Unreadable {
  file: string
  reason: string
}

/** What tells, without reading it, whether something has changed. */
export interface Stamp {
  bytes: number
  mtimeMs: number
}

/** What a piece of a session turned out to be. */
export type Told =
  | { message: Message }
  /** Why a piece could not be read. The others are read all the same. */
  | { problem: string }
  /** What the program calls the session. */
  | { title: string }
  /** What is not taken over, in the plural: the report counts. */
  | { leftOut: string }
  /** The last line has no end yet: somebody may be writing it. Everything before `bytes` has been read. */
  | { unfinished: string; bytes: number }

export interface SourceSession {
  /** What names it in its program. */
  id: string
  /** What names this part of it there, where one session may be in several files. */
  part?: string
  file: string
  stamp: Stamp
  /** The directory that the conversation was held in. */
  directory(): Promise<string | undefined>
  read(): AsyncIterable<Told>
}

export interface SourceMemory {
  /** What names it in its program, wherever the import was pointed at. */
  id: string
  file: string
  /** All of it: what tells whether it has changed. */
  text: string
  /** When it was last confirmed there. */
  at: Date
  draft: Pick<MemoryDraft, 'type' | 'name' | 'description' | 'body' | 'pinned' | 'scope'>
  directory(): Promise<string | undefined>
}

/** An entry of a history of summaries. */
export interface SourceSummary {
  id: string
  file: string
  content: string
  at: Date | undefined
}

export const OWN_FILES = ['SOUL.md', 'USER.md'] as const

/** A file that the program keeps about itself or its owner. */
export interface SourceOwnFile {
  name: (typeof OWN_FILES)[number]
  id: string
  file: string
  text: string
  at: Date
}

/** All that was found at a path. */
export interface Source {
  path: string
  /** A list where they are known before they are read. */
  sessions: readonly SourceSession[] | AsyncIterable<SourceSession>
  memories: readonly SourceMemory[]
  history: readonly SourceSummary[]
  ownFiles: readonly SourceOwnFile[]
  unreadable: readonly Unreadable[]
  leftOut: ReadonlyArray<{ what: string; count: number }>
  /** To be called when it has been read. */
  close?: () => Promise<void>
}

export const NOTHING = {
  memories: [],
  history: [],
  ownFiles: [],
  unreadable: [],
  leftOut: [],
} as const satisfies Partial<Source>
