/** What runs in the background, as a value: one lifecycle for commands, helpers and dreams (5-work.md). */
import type { ProcessIdentity } from '../../store/index.ts'

export type BackgroundKind = 'command' | 'agent' | 'dream'

/** How something ended. A final state never changes. */
export type FinalStatus = 'completed' | 'failed' | 'cancelled'
export type BackgroundStatus = 'queued' | 'running' | FinalStatus

/** As it is told to whoever asks, and as it stands in its file: times are ISO 8601. */
export interface BackgroundTask {
  readonly id: string
  readonly kind: BackgroundKind
  /** In a few words, for lists. */
  readonly title: string
  readonly status: BackgroundStatus
  /** The conversation that it belongs to and that is told of its end. */
  readonly session?: string
  /** The helper that started it, which is told in the conversation's place for as long as it works. */
  readonly by?: string
  /** The process that runs it. */
  readonly owner: ProcessIdentity
  readonly createdAt: string
  readonly startedAt?: string
  readonly endedAt?: string
  /** Follows what it prints. */
  readonly outputFile: string
  /** What it does just now. */
  readonly progress?: string
  /** The question that it waits for an answer to. */
  readonly waitingFor?: string
  /** One or two sentences about how it ended. */
  readonly summary?: string
  /** Of a command; null when a signal ended it. */
  readonly exitCode?: number | null
  /** Its conversation has not heard of its end: the process that ran it could not tell any more. */
  readonly untold?: boolean
  /** Why its record on the disk is behind, if it is. */
  readonly problem?: string
}

/** How a task ended, as it is told: once for each. */
export interface TaskEnd {
  id: string
  kind: BackgroundKind
  by?: string
  title: string
  status: FinalStatus
  /** One or two sentences. */
  summary: string
  outputFile: string
  exitCode?: number | null
  /** What a helper or a dream has to say, in full. */
  report?: string
}

/** That a task waits for an answer that nobody can give it. */
export interface TaskQuestion {
  id: string
  kind: BackgroundKind
  by?: string
  question: string
  /** What to do about it. */
  advice: string
  outputFile: string
}

export type TaskChange =
  | { to: 'running'; at: Date }
  | { to: FinalStatus; at: Date; summary: string; exitCode?: number | null }
  | { progress: string }
  | { waitingFor: string | undefined }

export function isFinal(status: BackgroundStatus): status is FinalStatus {
  return status !== 'queued' && status !== 'running'
}

/** The task after a change. What is final stays as it is, and so does what a change cannot follow on. */
export function advance(task: BackgroundTask, change: TaskChange): BackgroundTask {
  if (isFinal(task.status)) return task
  if ('progress' in change) return { ...task, progress: change.progress }
  if ('waitingFor' in change) return withQuestion(task, change.waitingFor)
  const at = change.at.toISOString()
  if (change.to === 'running')
    return task.status === 'queued' ? { ...task, status: 'running', startedAt: at } : task
  const { to: status, summary, exitCode } = change
  const ended = withQuestion(task, undefined)
  return { ...ended, status, endedAt: at, summary, ...(exitCode !== undefined && { exitCode }) }
}

/** What was running in a process that is gone; its conversation hears of it when it is taken up. */
export function lostTask(task: BackgroundTask, at: Date): BackgroundTask {
  const summary = `"${task.title}" was lost: process ${task.owner.pid}, which ran it, ended before it did.`
  return isFinal(task.status) ? task : { ...advance(task, { to: 'failed', at, summary }), untold: true }
}

function withQuestion(
  { waitingFor: _, ...task }: BackgroundTask,
  waitingFor: string | undefined,
): BackgroundTask {
  return waitingFor === undefined ? task : { ...task, waitingFor }
}

/** A record that somebody else's process wrote; undefined when it is none. */
export function parseTask(text: string): BackgroundTask | undefined {
  try {
    const value = JSON.parse(text) as Partial<Record<keyof BackgroundTask, unknown>> | null
    const strings = [value?.id, value?.title, value?.createdAt, value?.outputFile, value?.kind]
    if (strings.some(part => typeof part !== 'string')) return undefined
    const owner = value?.owner as ProcessIdentity | undefined
    if (typeof owner?.pid !== 'number' || typeof owner.host !== 'string') return undefined
    return STATUSES.has(value?.status as BackgroundStatus) ? (value as unknown as BackgroundTask) : undefined
  } catch {
    return undefined
  }
}

const STATUSES: ReadonlySet<BackgroundStatus> = new Set([
  'queued',
  'running',
  'completed',
  'failed',
  'cancelled',
])

/** Which of those that are queued begin now, in their order: as many of a kind as may run at the same time. */
export function toBegin(
  tasks: readonly Pick<BackgroundTask, 'id' | 'kind' | 'status'>[],
  most: Partial<Record<BackgroundKind, number>>,
): string[] {
  const running = new Map<BackgroundKind, number>()
  const count = (kind: BackgroundKind) => running.get(kind) ?? 0
  for (const { kind, status } of tasks) if (status === 'running') running.set(kind, count(kind) + 1)
  return tasks.flatMap(({ id, kind, status }) => {
    if (status !== 'queued' || count(kind) >= (most[kind] ?? Number.POSITIVE_INFINITY)) return []
    running.set(kind, count(kind) + 1)
    return [id]
  })
}
