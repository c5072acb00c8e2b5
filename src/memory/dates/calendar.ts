/** A calendar day as milliseconds since 1970 at UTC midnight, so that summer time never shifts the arithmetic. */
export type Day = number

const DAY_MS = 86_400_000
const DAYS_PER_WEEK = 7
const MONTHS_PER_YEAR = 12
const MONTHS_PER_QUARTER = 3
/** 1970-01-01 was a Thursday, which is number 3 when Monday is 0. */
const WEEKDAY_OF_DAY_ZERO = 3

/** The day that a clock on the wall shows at this moment, in the local time zone. */
export function localDay(now: Date): Day {
  return dayOf(now.getFullYear(), now.getMonth() + 1, now.getDate())
}

export function daysAfter(day: Day, days: number): Day {
  return day + days * DAY_MS
}

/** 0 is Monday, 6 is Sunday. */
function weekdayOf(day: Day): number {
  const days = Math.round(day / DAY_MS) + WEEKDAY_OF_DAY_ZERO
  return ((days % DAYS_PER_WEEK) + DAYS_PER_WEEK) % DAYS_PER_WEEK
}

/** One day of the Monday–Sunday week that lies so many weeks after this one. */
export function dayInWeek(day: Day, weeks: number, weekday: number): Day {
  return daysAfter(day, weeks * DAYS_PER_WEEK + weekday - weekdayOf(day))
}

/** The first such weekday after the day itself. */
export function nextWeekday(day: Day, weekday: number): Day {
  return daysAfter(day, ((weekday - weekdayOf(day) + DAYS_PER_WEEK - 1) % DAYS_PER_WEEK) + 1)
}

/** The latest such weekday before the day itself. */
export function lastWeekday(day: Day, weekday: number): Day {
  return daysAfter(
    nextWeekday(day, weekday),
    weekday === weekdayOf(day) ? -2 * DAYS_PER_WEEK : -DAYS_PER_WEEK,
  )
}

export function isoDay(day: Day): string {
  const date = new Date(day)
  return `${isoMonthOf(date.getUTCFullYear(), date.getUTCMonth() + 1)}-${padded(date.getUTCDate(), 2)}`
}

export function isoMonth(day: Day, months: number): string {
  const { year, month } = monthAfter(day, months)
  return isoMonthOf(year, month)
}

/** The last or next month of that number, seen from the day's own month; `direction` 0 stays in its year. */
export function namedMonth(day: Day, month: number, direction: -1 | 0 | 1): string {
  const here = monthAfter(day, 0)
  const isPast = month < here.month
  const isFuture = month > here.month
  if (direction < 0) return isoMonthOf(here.year - (isPast ? 0 : 1), month)
  if (direction > 0) return isoMonthOf(here.year + (isFuture ? 0 : 1), month)
  return isoMonthOf(here.year, month)
}

export function isoQuarter(day: Day, quarters: number): string {
  const { year, month } = monthAfter(day, quarters * MONTHS_PER_QUARTER)
  return `${padded(year, 4)}-Q${Math.ceil(month / MONTHS_PER_QUARTER)}`
}

export function isoYear(day: Day, years: number): string {
  return padded(new Date(day).getUTCFullYear() + years, 4)
}

/** A day of a given month, or nothing when the month has no such day. */
export function isoDayOfMonth(yearAndMonth: string, dayOfMonth: number): string | undefined {
  const [year = 0, month = 0] = yearAndMonth.split('-').map(Number)
  const day = isoDay(dayOf(year, month, dayOfMonth))
  return day.startsWith(yearAndMonth) && dayOfMonth > 0 ? day : undefined
}

function monthAfter(day: Day, months: number): { year: number; month: number } {
  const date = new Date(day)
  const count = date.getUTCFullYear() * MONTHS_PER_YEAR + date.getUTCMonth() + months
  return { year: Math.floor(count / MONTHS_PER_YEAR), month: (count % MONTHS_PER_YEAR) + 1 }
}

function isoMonthOf(year: number, month: number): string {
  return `${padded(year, 4)}-${padded(month, 2)}`
}

function dayOf(year: number, month: number, dayOfMonth: number): Day {
  return Date.UTC(year, month - 1, dayOfMonth)
}

function padded(value: number, digits: number): string {
  return String(value).padStart(digits, '0')
}
