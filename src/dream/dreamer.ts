/** What a dream works with and what comes of it: the terms between the machine and the mind that decides. */
import type { MemoryType, Origin } from '../memory/index.ts'
import type { HistoryEntry, MessageOrigin, SessionIndex, Usage } from '../session/index.ts'

/** A memory as a dream sees it. */
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

/** Something worth a dream's attention that was said in a session. */
export interface GatheredTurn {
  session: string
  /** ISO 8601. */
  at: string
  role: 'user' | 'assistant'
  /** Only `person` is the owner speaking; all else is data. */
  origin: MessageOrigin
  text: string
  reason: GatherReason
}

export interface KnownSkill {
  name: string
  description: string
}

/** All that a dream reads. Nothing in it is an instruction. */
export interface DreamMaterial {
  now: Date
  memories: readonly DreamMemory[]
  /** MEMORY.md as it stands. */
  index: string
  /** Markdown files beside them that are no memories: a line of the index that points to one does not dangle. */
  others: readonly string[]
  /** USER.md and SOUL.md, as they stand. */
  own: readonly { file: string; text: string }[]
  history: readonly HistoryEntry[]
  logs: readonly { path: string; text: string }[]
  turns: readonly GatheredTurn[]
  /** Those that there are, proposed ones included. */
  skills: readonly KnownSkill[]
  /** Whether a new one counts at once, or waits for the owner. */
  acceptsSkills: boolean
  /** What every conversation sees anyway, and no memory says again. */
  instructions?: readonly string[]
  /** The owner's own: the project's `dream.md`. */
  guidance?: string
  /** The most files that may be removed: max(3, 20 %) of them unless told. */
  maxRemovals?: number
  /** Whether the owner has undone this very change before. */
  isRefused(change: ProposedChange): boolean
}

/** One change that a dream wants. */
export interface ProposedChange {
  file: string
  /** Null removes it. */
  text: string | null
  action: 'create' | 'update' | 'merge' | 'remove'
  reason: string
  /** Where the content of what is removed went: a file, or why it is needed nowhere. */
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
  /** Nothing was done about it: that is for the owner to decide. */
  isOpen?: boolean
}

/** What a mind made of the material. */
export interface Dreamed {
  changes: readonly ProposedChange[]
  /** MEMORY.md with its lines mended, where they need it; what follows from the files is not in it. */
  mendedIndex?: string
  findings: readonly Finding[]
  /** For the diary: a sentence each. */
  learnt: readonly string[]
  letGo: readonly string[]
}

/** The copy on which a dream works. Nothing of it is real before it was checked and applied. */
export interface Stage {
  /** Every file of the copy, by path within it: `x.md`, `MEMORY.md`. */
  list(): Promise<string[]>
  read(file: string): Promise<string | undefined>
  /** Throws NothingChanged when the file says that already. */
  write(
    file: string,
    text: string,
    why: { action: 'create' | 'update' | 'merge'; reason: string },
  ): Promise<void>
  /** Every removal has a reason, and a place where its content went. */
  remove(file: string, why: { reason: string; wentTo: string }): Promise<void>
}

export interface DreamBudget {
  /** How often a model may be asked. */
  rounds: number
  inputTokens: number
  /** Epoch milliseconds. */
  deadline: number
}

export type DreamPhase = 'orient' | 'gather' | 'consolidate' | 'prune'

/** What a dreamer tells while it works. */
export interface DreamProgress {
  phase?: DreamPhase
  /** How often a model was asked so far. */
  rounds?: number
  usage?: Usage
  /** How many files would be changed as far as it is now. */
  files?: number
}

export interface DreamTask {
  material: DreamMaterial
  stage: Stage
  budget: DreamBudget
  /** What was said in conversations. */
  sessions: SessionIndex
  /** Nothing may be written anywhere, no record of the run either. */
  dryRun: boolean
  signal: AbortSignal
  progress(news: DreamProgress): void
}

/** What came of a dream besides what is on the stage. */
export interface DreamReport extends Omit<Dreamed, 'changes' | 'mendedIndex'> {
  usage: Usage
  warnings?: readonly string[]
}

/** A mind that dreams: changes the stage as it sees fit, within its budget. */
export interface Dreamer {
  /** The model, or `embedded`. */
  readonly name: string
  dream(task: DreamTask): Promise<DreamReport>
}
