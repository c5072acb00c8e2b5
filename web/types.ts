/** What the API answers with, as far as the page uses it (docs/page.md). */
export const MEMORY_TYPES = ['user', 'feedback', 'project', 'reference'] as const
export type MemoryType = (typeof MEMORY_TYPES)[number]

export interface MemoryHead {
  file: string
  scope: string
  name: string
  description: string
  type: MemoryType
  pinned: boolean
  ageDays: number
  stale: boolean
  bytes?: number
  snippet?: string
}

export interface FullMemory extends MemoryHead {
  body: string
  note: string
  version: string
  origin: string
  created?: string
  updated?: string
}

export interface MemoryEntry {
  id: string
  at: string
  by: string
  kind: string
  message: string
  patch: string
}

export type GrowthPoint = { at: string } & Record<MemoryType, number>

export interface Undone {
  files: string[]
  conflicts: string[]
}

export interface DreamSummary {
  id: string
  at: string
  message: string
  /** What it says of itself, a sentence each. */
  said: string[]
  files: number
  created: number
  changed: number
  removed: number
  undone: boolean
}

export interface DreamChange {
  file: string
  what: 'created' | 'changed' | 'removed'
  patch: string
  action?: string
  reason?: string
}

export interface DreamOutcome {
  status: 'done' | 'nothing' | 'skipped' | 'dry-run' | 'failed'
  reason?: string
  id?: string
  changes: DreamChange[]
  warnings: string[]
}

export interface DreamNews {
  phase?: string
  /** How far it is, and what it took, in words. */
  progress?: string
  outcome?: DreamOutcome
}

export interface Dreams {
  status: {
    lastConsolidatedAt: string | null
    sessionsSince: number
    wouldRun: boolean
    reason: string | null
    phase: string | null
    progress: string | null
  }
  dreams: DreamSummary[]
  diary: string[]
}

export interface DreamDetail {
  id: string
  at: string
  message: string
  note: {
    dreamer?: string
    learnt?: string[]
    letGo?: string[]
    findings?: { kind: string; files: string[]; detail: string }[]
  }
  changes: DreamChange[]
}

export interface SessionHead {
  id: string
  title: string
  startedAt: string
  lastAt: string
  model?: string
  usd?: number
  tokens: { in: number; out: number }
  source?: string
  open: boolean
  working: boolean
  problem?: string
}

export interface SessionHit {
  session: string
  title: string
  at: string
  role: string
  snippet: string
  isHere: boolean
}

export interface Task {
  id: number
  subject: string
  description: string
  owner: string | null
  status: 'pending' | 'in_progress' | 'completed'
  blocks: number[]
  blockedBy: number[]
  ready: boolean
}

export interface Job {
  id: string
  cron: string
  prompt: string
  recurring: boolean
  nextAt: string | null
  lastRunAt: string | null
  expiresAt: string | null
  madeBy: string
  missed: boolean
  starts: string[]
}

export interface Run {
  id: string
  source: string
  trigger: string
  status: string
  createdAt: string
  endedAt: string | null
  error: string | null
  session: string | null
}

export interface Cron {
  jobs: Job[]
  runs: Run[]
  problems: string[]
  timeZone: string
}

export interface BackgroundTask {
  id: string
  kind: string
  title: string
  status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled'
  createdAt: string
  startedAt?: string
  endedAt?: string
  progress?: string
  waitingFor?: string
  summary?: string
  session?: string
}

export interface DayUsage {
  day: string
  in: number
  out: number
  cached: number
  usd: number | null
  replies: number
}

export interface Usage {
  days: DayUsage[]
  models: { model: string; in: number; out: number; usd: number | null; replies: number }[]
  total: Omit<DayUsage, 'day'>
}

export interface Setting {
  key: string
  description: string
  secret: boolean
  /** Where it is one of a few words. */
  choices?: string[]
  value: unknown
  isSet: boolean
  source: string
  canChange: boolean
}

export interface Settings {
  version: string
  home: string
  project: string
  /** The command that this was started with. */
  start: string
  model: { id: string; reason: string; isEmbedded: boolean; problem: string | null }
  keys: { provider: string; place: string; found: boolean }[]
  settings: Setting[]
}
