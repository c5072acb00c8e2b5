/** When something is to happen: how it is said, and which moments that means. Nothing here looks at the clock. */
import { createHash } from 'node:crypto'
import { cronOf, readCron } from './cron-line.ts'
import { DAY, HOUR, MINUTE, readDuration } from './duration.ts'
import { BadSchedule } from './errors.ts'
import { isMoment, readMoment } from './moment.ts'
import { readRecurrence } from './recurrence.ts'

export type When = { cron: string } | { everyMs: number } | { at: string }

/** As it is said by flags or by fields; exactly one of them. */
export interface SaidWhen {
  cron?: string | undefined
  every?: string | undefined
  in?: string | undefined
  at?: string | undefined
}

/** Of its period, a recurring job starts up to this share late, and never later than that (5-work.md). */
const LATE_SHARE = 0.1
const LATEST_MS = 15 * MINUTE
/** A one-shot at a full or half hour starts up to this much early (5-work.md). */
const EARLIEST_MS = 1.5 * MINUTE

/** Throws BadSchedule with what would be right. */
export function readWhen(said: SaidWhen, now: Date, timeZone: string): When {
  const given = Object.entries(said).filter(([, text]) => text !== undefined)
  if (given.length !== 1)
    throw new BadSchedule(
      `A job needs exactly one of a cron line, "every", "in" and "at"; ${given.length === 0 ? 'none was given' : `${given.map(([name]) => name).join(' and ')} were given`}.`,
    )
  if (said.cron !== undefined) return { cron: readCron(said.cron, now, timeZone) }
  if (said.every !== undefined) return readRecurrence(said.every)
  if (said.in !== undefined) {
    const ms = readDuration(said.in.replace(/^\s*in\s+/i, ''))
    return { at: new Date(now.getTime() + ms).toISOString() }
  }
  return { at: readMoment(said.at ?? '', now, timeZone) }
}

/** The same of one text, as it is typed in a conversation. */
export function sayingOf(text: string): SaidWhen {
  const line = text.trim()
  if (/^(every\s|(hourly|daily|weekly)\b)/i.test(line)) return { every: line }
  if (/^in\s/i.test(line)) return { in: line }
  return isMoment(line) ? { at: line } : { cron: line }
}

/** What is known of a job that decides when it starts. */
export interface Timed {
  id: string
  when: When
  createdAt: string
}

export function isRecurring(when: When): boolean {
  return !('at' in when)
}

/** The first moment after `after` at which a job starts; undefined when there is none any more. */
export function startAfter({ id, when, createdAt }: Timed, after: Date, timeZone: string): Date | undefined {
  const share = hashShare(id)
  if ('at' in when) {
    const at = new Date(when.at)
    return at <= after ? undefined : earlyStart(at, { share, timeZone, createdAt })
  }
  const cron = 'cron' in when ? cronOf(when.cron, timeZone) : undefined
  const next = (from: Date) =>
    cron ? cron(from) : 'everyMs' in when ? nextOf(createdAt, when.everyMs, from) : null
  const slot = next(after)
  if (!slot) return undefined
  const following = next(slot)
  const period = following ? following.getTime() - slot.getTime() : 0
  return new Date(slot.getTime() + Math.floor(share * Math.min(LATE_SHARE * period, LATEST_MS)))
}

/** Counted from when it was made, so that it does not drift. */
function nextOf(createdAt: string, everyMs: number, after: Date): Date {
  const made = Date.parse(createdAt)
  const periods = Math.max(1, Math.floor((after.getTime() - made) / everyMs) + 1)
  return new Date(made + periods * everyMs)
}

function earlyStart(
  at: Date,
  { share, timeZone, createdAt }: { share: number; timeZone: string; createdAt: string },
): Date {
  const minute = new Intl.DateTimeFormat('en', { timeZone, minute: 'numeric' }).format(at)
  const isRound = at.getTime() % MINUTE === 0 && Number(minute) % 30 === 0
  if (!isRound) return at
  return new Date(Math.max(Date.parse(createdAt), at.getTime() - Math.floor(share * EARLIEST_MS)))
}

/** From 0 up to 1, always the same for an id. */
function hashShare(id: string): number {
  return createHash('sha256').update(id).digest().readUInt32BE(0) / 2 ** 32
}

/** How a person would have said it. */
export function sayWhen(when: When): string {
  if ('cron' in when) return when.cron
  if ('at' in when) return when.at
  const [letter, unit] =
    (
      [
        ['d', DAY],
        ['h', HOUR],
        ['m', MINUTE],
      ] as const
    ).find(([, unit]) => when.everyMs % unit === 0) ?? (['s', 1_000] as const)
  return `every ${when.everyMs / unit}${letter}`
}
