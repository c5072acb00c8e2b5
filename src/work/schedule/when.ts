/** When something is to happen: how it is said, and which moments that means. Nothing here looks at the clock. */
import { createHash } from 'node:crypto'
import { Cron } from 'croner'
import { BadSchedule } from './errors.ts'
import { zoneOf } from './zone.ts'

export type When = { cron: string } | { everyMs: number } | { at: string }

/** As it is said by flags or by fields; exactly one of them. */
export interface SaidWhen {
  cron?: string | undefined
  every?: string | undefined
  in?: string | undefined
  at?: string | undefined
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Jobs are looked at once a second. */
export const SHORTEST_MS = SECOND
export const LONGEST_MS = 366 * DAY
/** Of its period, a recurring job starts up to this share late, and never later than that (5-work.md). */
const LATE_SHARE = 0.1
const LATEST_MS = 15 * MINUTE
/** A one-shot at a full or half hour starts up to this much early (5-work.md). */
const EARLIEST_MS = 90 * SECOND

const FIELDS = 'Five fields are expected: minute hour day month weekday, such as "*/10 9-17 * * 1-5".'
const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(s|secs?|seconds?)$/, SECOND],
  [/^(m|mins?|minutes?)$/, MINUTE],
  [/^(h|hrs?|hours?)$/, HOUR],
  [/^(d|days?)$/, DAY],
  [/^(w|weeks?)$/, 7 * DAY],
]
const LOCAL = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?)?$/
const ABSOLUTE = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?\s*(Z|[+-]\d\d:?\d\d)$/i

/** Throws BadSchedule with what would be right. */
export function readWhen(said: SaidWhen, now: Date, timeZone: string): When {
  const given = Object.entries(said).filter(([, text]) => text !== undefined)
  if (given.length !== 1)
    throw new BadSchedule(
      `A job needs exactly one of a cron line, "every", "in" and "at"; ${given.length === 0 ? 'none was given' : `${given.map(([name]) => name).join(' and ')} were given`}.`,
    )
  if (said.cron !== undefined) return { cron: checkedCron(said.cron, now, timeZone) }
  if (said.every !== undefined) return { everyMs: readDuration(said.every.replace(/^\s*every\s+/i, '')) }
  if (said.in !== undefined) {
    const ms = readDuration(said.in.replace(/^\s*in\s+/i, ''))
    return { at: new Date(now.getTime() + ms).toISOString() }
  }
  return { at: readMoment(said.at ?? '', now, timeZone) }
}

/** The same of one text, as it is typed in a conversation. */
export function sayingOf(text: string): SaidWhen {
  const line = text.trim()
  if (/^every\s/i.test(line)) return { every: line }
  if (/^in\s/i.test(line)) return { in: line }
  return /^\d{4}-/.test(line) ? { at: line } : { cron: line }
}

function checkedCron(text: string, now: Date, timeZone: string): string {
  const pattern = text.trim().replaceAll(/\s+/g, ' ')
  const fields = pattern === '' ? 0 : pattern.split(' ').length
  if (fields !== 5)
    throw new BadSchedule(
      `${JSON.stringify(text)} is not a schedule: it has ${fields} ${fields === 1 ? 'field' : 'fields'}. ${FIELDS}`,
    )
  let next: Date | null
  try {
    next = cronOf(pattern, timeZone)(now)
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : ''
    throw new BadSchedule(
      `${JSON.stringify(text)} is not a schedule: ${why.replace(/\.?$/, '.')} ${FIELDS}`,
      {
        cause: error,
      },
    )
  }
  if (!next) throw new BadSchedule(`${JSON.stringify(text)} never happens: there is no such day.`)
  return pattern
}

/** `10m`, `20 minutes`, `1h 30m`. */
export function readDuration(text: string): number {
  const parts = [
    ...text
      .trim()
      .toLowerCase()
      .matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)(?:\s+and\b|,)?\s*/g),
  ]
  const amounts = parts.map(([, amount, word = '']) => {
    const [, unit] = UNITS.find(([form]) => form.test(word)) ?? []
    return unit === undefined ? Number.NaN : Number(amount) * unit
  })
  const ms = Math.round(amounts.reduce((sum, each) => sum + each, 0))
  const isWhole = parts.map(([whole]) => whole).join('') === text.trim().toLowerCase()
  if (parts.length === 0 || !isWhole || Number.isNaN(ms))
    throw new BadSchedule(`${JSON.stringify(text)} is not a length of time such as 10m, 2 hours or 1h 30m.`)
  if (ms < SHORTEST_MS) throw new BadSchedule(`${JSON.stringify(text)} is too short: a second is the least.`)
  if (ms > LONGEST_MS) throw new BadSchedule(`${JSON.stringify(text)} is too long: a year is the most.`)
  return ms
}

/** A moment in the future; without an offset it is meant in the owner's time zone. */
function readMoment(text: string, now: Date, timeZone: string): string {
  const said = text.trim()
  const [, day, time = '00:00'] = LOCAL.exec(said) ?? []
  const bad = () =>
    new BadSchedule(
      `${JSON.stringify(text)} is not a moment such as 2026-05-01T09:00 (your time) or 2026-05-01T07:00:00Z.`,
    )
  let moment: Date
  if (day !== undefined) {
    // Days that do not exist would be taken for the ones after them.
    if (!isCalendarDay(day) || !isClockTime(time)) throw bad()
    moment = zoneOf(timeZone).momentOf(Date.parse(`${day}T${time}Z`))
  } else {
    if (!ABSOLUTE.test(said) || !isCalendarDay(said.slice(0, 10)) || !isClockTime(said.slice(11, 16)))
      throw bad()
    moment = new Date(said.replace(' ', 'T').replace(/\s+/, ''))
  }
  if (Number.isNaN(moment.getTime())) throw bad()
  if (moment <= now)
    throw new BadSchedule(
      `${JSON.stringify(text)} is in the past: it is ${now.toISOString()} now. Give a time that is still to come.`,
    )
  if (moment.getTime() - now.getTime() > 10 * LONGEST_MS)
    throw new BadSchedule(`${JSON.stringify(text)} is more than ten years away.`)
  return moment.toISOString()
}

function isCalendarDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
}

function isClockTime(time: string): boolean {
  const [hour = 99, minute = 99, second = 0] = time.split(':').map(Number)
  return hour < 24 && minute < 60 && second < 60
}

/** Hours that mean "all through the day", whatever the clocks do. */
const EVERY_HOUR = new Set(['*', '*/1', '0-23'])

/**
 * The first time of a cron line after a moment. Where it names hours, each time that it names comes once a day: one
 * that the clocks jump over when they jump, one that they show twice the first time.
 */
function cronOf(pattern: string, timeZone: string): (after: Date) => Date | null {
  const [, hours = ''] = pattern.split(' ')
  if (EVERY_HOUR.has(hours)) {
    const cron = new Cron(pattern, { mode: '5-part', timezone: timeZone, paused: true })
    return after => cron.nextRun(after)
  }
  const onTheWall = new Cron(pattern, { mode: '5-part', timezone: 'UTC', paused: true })
  const { wallOf, momentOf } = zoneOf(timeZone)
  return after => {
    let wall = onTheWall.nextRun(new Date(wallOf(after)))
    while (wall && momentOf(wall.getTime()) <= after) wall = onTheWall.nextRun(wall)
    return wall && momentOf(wall.getTime())
  }
}

/** The first time of a cron line after a moment; undefined when there is none any more. */
export function cronTimeAfter(pattern: string, after: Date, timeZone?: string): Date | undefined {
  const zone = timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  return cronOf(checkedCron(pattern, after, zone), zone)(after) ?? undefined
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
    ).find(([, unit]) => when.everyMs % unit === 0) ?? (['s', SECOND] as const)
  return `every ${when.everyMs / unit}${letter}`
}
