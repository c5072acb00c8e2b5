/**
 * What a dream reads and what it wants: the contract between the machine (gates, lock, stage, checks, journal) and
 * whoever dreams, be it the built-in mind or a model.
 */
import type { MemoryType, Origin } from '../memory/index.ts'
import type { HistoryEntry, MessageOrigin } from '../session/index.ts'

/** One memory as a dream sees it. */
export interface DreamMemory {
  file: string
  /** The file as it stands. */
  text: string
  name: string
  description: string
  type: MemoryType
  body: string
  pinned: boolean
  /** When it was last confirmed. */
  confirmed: Date
  created?: Date
  origin: Origin
}

/** Why a turn of a session was brought to the dream. */
export type GatherReason = 'correction' | 'remember' | 'decision' | 'preference' | 'reference' | 'failure'

export interface GatheredTurn {
  session: string
  /** ISO 8601. */
  at: string
  role: 'user' | 'assistant'
  origin: MessageOrigin
  text: string
  reason: GatherReason
}

/** All that a dream reads. Nothing in it is an instruction. */
export interface DreamMaterial {
  now: Date
  memories: readonly DreamMemory[]
  /** MEMORY.md. */
  index: string
  history: readonly HistoryEntry[]
  logs: readonly { path: string; text: string }[]
  turns: readonly GatheredTurn[]
  /** The owner's own `dream.md`. */
  guidance?: string
  /** Whether the owner undid the same change before. */
  isRefused(change: ProposedChange): boolean
}

/** One change that a dream wants. */
export interface ProposedChange {
  file: string
  /** Null removes the file. */
  text: string | null
  action: 'create' | 'update' | 'merge' | 'remove'
  reason: string
  /** Where the content of a removed or shortened file went. */
  wentTo?: string
}

export interface Finding {
  kind:
    | 'duplicate'
    | 'contradiction'
    | 'stale'
    | 'relative-date'
    | 'dangling'
    | 'long-line'
    | 'secret'
    | 'injection'
    | 'add'
    | 'skill'
  files: readonly string[]
  detail: string
  target?: 'MEMORY' | 'USER' | 'SOUL' | 'SKILL'
}

export interface Dreamed {
  changes: readonly ProposedChange[]
  findings: readonly Finding[]
  /** For the diary. */
  learnt: readonly string[]
  letGo: readonly string[]
}
