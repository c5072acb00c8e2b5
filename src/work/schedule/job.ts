/** A job as it stands in `scheduled_tasks.json`, and as it is told. */
import { livenessOf, type ProcessIdentity } from '../../store/index.ts'
import { LONGEST_MS, SHORTEST_MS } from './duration.ts'
import { isRecurring, sayWhen, startAfter, type Timed, type When } from './when.ts'
import { sayWall } from './zone.ts'

export interface Job extends Timed {
  prompt: string
  madeBy: 'person' | 'agent'
  /** Recurring jobs of an agent end; those of a person do not. */
  expiresAt: string | null
  lastRunAt: string | null
  /** That it will expire was said. */
  warned?: boolean
  /** A one-shot that runs. It is over when its run is completed, and not before. */
  begun?: boolean
  /** The process that it ends with: it was made for as long as that one runs. */
  livesWith?: ProcessIdentity
  /** A one-shot whose time has passed and that is not done; it waits for somebody to say whether it is still wanted. */
  missed?: boolean
  /** Nobody was told yet that it waits: whoever ran it was ending, or may have died before it could. */
  unoffered?: boolean
}

/** What other programs rely on (1-product.md). */
export interface ListedJob {
  id: string
  /** The cron line, `every 10m`, or the moment of a one-shot. */
  cron: string
  prompt: string
  recurring: boolean
  durable: boolean
  /** When it starts next; null if it was missed, runs for its only time, or ends before. */
  nextAt: string | null
  expiresAt: string | null
  lastRunAt: string | null
  madeBy: Job['madeBy']
  missed: boolean
}

/** Characters; longer instructions belong in a file that the prompt names. Fifty of them still are a small file. */
export const LONGEST_PROMPT = 4_000

const NAME_LENGTH = 60

export function listed(job: Job, { durable, timeZone }: { durable: boolean; timeZone: string }): ListedJob {
  const { id, prompt, expiresAt, lastRunAt, madeBy, begun = false, missed = false } = job
  const next = nextStart(job, timeZone)
  const isLast = expiresAt !== null && next !== undefined && next.toISOString() > expiresAt
  return {
    id,
    cron: sayWhen(job.when),
    prompt,
    recurring: isRecurring(job.when),
    durable: durable && job.livesWith === undefined,
    nextAt: missed || begun || isLast ? null : (next?.toISOString() ?? null),
    expiresAt,
    lastRunAt,
    madeBy,
    missed,
  }
}

/** How it is called where somebody reads of it. */
export function nameOf({ id, when, prompt }: Job, timeZone: string): string {
  const words = prompt.replaceAll(/\s+/g, ' ').trim()
  const said = words.length > NAME_LENGTH ? `${words.slice(0, NAME_LENGTH - 1)}…` : words
  const time = 'at' in when ? sayWall(new Date(when.at), timeZone) : sayWhen(when)
  return `Job ${id} (${time}: ${said})`
}

/** The start that is still owed: the first after the last run. It may have passed. */
export function nextStart(job: Job, timeZone: string): Date | undefined {
  return startAfter(job, new Date(job.lastRunAt ?? job.createdAt), timeZone)
}

/** Undefined when it is no job. Fields that this version does not know are kept. */
export function readJob(value: unknown): Job | undefined {
  if (!isRecord(value)) return undefined
  const { id, when, createdAt, prompt, madeBy, expiresAt = null, lastRunAt = null } = value
  const flags = [value.warned, value.begun, value.missed, value.unoffered]
  const isFine =
    typeof id === 'string' &&
    /^[\w-]{1,40}$/.test(id) &&
    isWhen(when) &&
    isTime(createdAt) &&
    typeof prompt === 'string' &&
    prompt.length <= LONGEST_PROMPT &&
    (madeBy === 'person' || madeBy === 'agent') &&
    [expiresAt, lastRunAt].every(time => time === null || isTime(time)) &&
    (value.livesWith === undefined || isProcess(value.livesWith)) &&
    flags.every(flag => flag === undefined || typeof flag === 'boolean')
  return isFine ? ({ ...value, expiresAt, lastRunAt } as unknown as Job) : undefined
}

function isWhen(value: unknown): value is When {
  if (!isRecord(value)) return false
  if ('cron' in value) return typeof value.cron === 'string' && isUsableCron(value.cron)
  if ('everyMs' in value) return isPeriod(value.everyMs)
  return isTime(value.at)
}

function isPeriod(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= SHORTEST_MS && (value as number) <= LONGEST_MS
}

function isUsableCron(cron: string): boolean {
  try {
    startAfter({ id: '', when: { cron }, createdAt: '' }, new Date(0), 'UTC')
    return true
  } catch {
    return false
  }
}

/** Whether the process that it was to end with has ended. */
export function isLeftBehind({ livesWith }: Job): boolean {
  return livesWith !== undefined && livenessOf(livesWith) === 'dead'
}

function isProcess(value: unknown): boolean {
  if (!isRecord(value) || typeof value.pid !== 'number') return false
  return [value.startTime, value.bootId, value.host].every(each => typeof each === 'string')
}

/** Far enough from the end of time that a period can be added. */
const LAST_MOMENT = Date.parse('9999-01-01T00:00:00Z')

function isTime(value: unknown): value is string {
  return typeof value === 'string' && Date.parse(value) <= LAST_MOMENT
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
