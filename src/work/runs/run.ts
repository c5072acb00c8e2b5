/** A run: one time that something was begun by itself, because its time had come. */
import type { ProcessIdentity } from '../../store/index.ts'

export type RunStatus = 'queued' | 'running' | 'completed' | 'failed' | 'cancelled'
export type Trigger = 'schedule' | 'heartbeat' | 'manual'

export interface RunOwner extends ProcessIdentity {
  /** The session that answers, once it is known. */
  session?: string
}

export interface Run {
  id: string
  trigger: Trigger
  /** What it is a run of: the id of a job, or of a line of HEARTBEAT.md. */
  source: string
  owner: RunOwner
  status: RunStatus
  createdAt: string
  startedAt: string | null
  endedAt: string | null
  error: string | null
}

const STATUSES: readonly RunStatus[] = ['queued', 'running', 'completed', 'failed', 'cancelled']

export function isLive({ status }: Pick<Run, 'status'>): boolean {
  return status === 'queued' || status === 'running'
}

/** The runs in a file, newest last, and whether all that stands there is one. */
export function readRuns(text: string): { runs: Run[]; whole: boolean } {
  try {
    const found = JSON.parse(text) as { version?: unknown; runs?: unknown } | null
    if (found?.version !== 1 || !Array.isArray(found.runs)) return { runs: [], whole: false }
    const runs = found.runs.filter(isRun)
    return { runs, whole: runs.length === found.runs.length }
  } catch {
    return { runs: [], whole: false }
  }
}

export function writeRuns(runs: readonly Run[]): string {
  return `${JSON.stringify({ version: 1, runs }, null, 1)}\n`
}

function isRun(value: unknown): value is Run {
  const { id, source, trigger, owner, status, createdAt, startedAt, endedAt, error } = (value ??
    {}) as Partial<Run>
  return (
    [id, source, trigger].every(isText) &&
    STATUSES.some(known => known === status) &&
    typeof owner?.pid === 'number' &&
    [owner.startTime, owner.bootId, owner.host].every(isText) &&
    isTime(createdAt) &&
    [startedAt, endedAt].every(time => time === null || isTime(time)) &&
    (error === null || isText(error))
  )
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isTime(value: unknown): boolean {
  return isText(value) && !Number.isNaN(Date.parse(value))
}
