/** A moment to come, as people write it; without an offset it is meant in the owner's time zone. */
import { CLOCK_TIME, type ClockTime, HOUR_OR_TIME, readClockTime, WEEKDAYS } from './clock.ts'
import { DAY, LONGEST_MS } from './duration.ts'
import { BadSchedule } from './errors.ts'
import { sayMoment, type Zone, zoneOf } from './zone.ts'

const DATE = String.raw`\d{4}-\d\d-\d\d`
const WEEKDAY = WEEKDAYS.join('|')
const ABSOLUTE = new RegExp(
  String.raw`^(${DATE})[t ](\d{1,2}:\d\d(?::\d\d)?(?:\.\d+)?) ?(?:(z)|([+-]\d\d)(?::?(\d\d))?)$`,
)
/** With a day, which may follow the time; or without, and then it is the next one. */
const LOCAL = [
  new RegExp(`^(${DATE})$`),
  new RegExp(`^(${DATE}|today|tomorrow|(?:on )?(?:${WEEKDAY}))(?:t|,? (?:at )?)(${HOUR_OR_TIME})$`),
  new RegExp(`^()(${CLOCK_TIME})$`),
]
const DAY_LAST = new RegExp(`^(${CLOCK_TIME}) (today|tomorrow|on (?:${WEEKDAY})|${WEEKDAY})$`)

/** Whether a text begins as one, rather than as a cron line. */
export function isMoment(text: string): boolean {
  return new RegExp(
    `^(?:${DATE}|at |on |today |tomorrow |(?:${WEEKDAY}) |(?:${CLOCK_TIME})(?: |$))`,
    'i',
  ).test(text)
}

/** Throws BadSchedule for what is none, is over, or is too far away. */
export function readMoment(text: string, now: Date, timeZone: string): string {
  const said = text.toLowerCase().trim().replaceAll(/\s+/g, ' ').replace(/^at /, '')
  const moment = absolute(said) ?? local(said, now, zoneOf(timeZone))
  if (!moment || Number.isNaN(moment.getTime()))
    throw new BadSchedule(
      `${JSON.stringify(text)} is not a moment such as 2026-05-01T09:00 or "tomorrow 9:00" (your time), or 2026-05-01T07:00:00Z.`,
    )
  if (moment <= now)
    throw new BadSchedule(
      `${JSON.stringify(text)} is in the past: it is ${sayMoment(now, timeZone)} now. Give a time that is still to come.`,
    )
  if (moment.getTime() - now.getTime() > 10 * LONGEST_MS)
    throw new BadSchedule(`${JSON.stringify(text)} is more than ten years away.`)
  return moment.toISOString()
}

function absolute(said: string): Date | undefined {
  const [, day = '', time = '', utc, hours, minutes = '00'] = ABSOLUTE.exec(said) ?? []
  const clock = readClockTime(time)
  if (!clock || !isCalendarDay(day)) return undefined
  return new Date(`${day}T${shown(clock)}${utc === undefined ? `${hours}:${minutes}` : 'Z'}`)
}

function local(said: string, now: Date, zone: Zone): Date | undefined {
  const [, last, before] = DAY_LAST.exec(said) ?? []
  const text = last === undefined ? said : `${before} ${last}`
  const [, day, time = '0:00'] = LOCAL.map(form => form.exec(text)).find(found => found) ?? []
  const clock = readClockTime(time)
  if (day === undefined || !clock) return undefined
  const today = zone.wallOf(now) - (zone.wallOf(now) % DAY)
  const at = (midnight: number) => zone.momentOf(midnight + millisecondsOf(clock))
  if (/^\d/.test(day)) return isCalendarDay(day) ? at(Date.parse(`${day}T00:00:00Z`)) : undefined
  if (day === 'today') return at(today)
  if (day === 'tomorrow') return at(today + DAY)
  const weekday = WEEKDAYS.findIndex(name => day.endsWith(name))
  const days = weekday < 0 ? 0 : (weekday - new Date(today).getUTCDay() + 7) % 7
  const next = at(today + days * DAY)
  return next > now ? next : at(today + (days + (weekday < 0 ? 1 : 7)) * DAY)
}

/** Days that do not exist would be taken for the ones after them. */
function isCalendarDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
}

function shown({ hour, minute, second }: ClockTime): string {
  return [hour, minute, second].map(part => String(part).padStart(2, '0')).join(':')
}

function millisecondsOf({ hour, minute, second }: ClockTime): number {
  return ((hour * 60 + minute) * 60 + second) * 1_000
}
