/** How often something is to be done, as people say it: an interval, or a time of some days. */
import { ownValue } from '../../store/index.ts'
import { CLOCK_TIME, HOUR_OR_TIME, readClockTime, WEEKDAYS } from './clock.ts'
import { LENGTH, readDuration } from './duration.ts'
import { BadSchedule } from './errors.ts'

/** Which days, as the last field of a cron line. */
const DAYS: Readonly<Record<string, string>> = {
  day: '*',
  daily: '*',
  weekday: '1-5',
  ...Object.fromEntries(WEEKDAYS.map((name, at) => [name, String(at)])),
}
const INTERVALS: Readonly<Record<string, string>> = { hourly: '1h', daily: '1d', weekly: '1w' }

const AT = String.raw`(?:,?\s+at\s+(${HOUR_OR_TIME})|\s+(${CLOCK_TIME}))(?!\w|:\d)`
const ON_DAYS = String.raw`(?:every\s+(day|weekday|${WEEKDAYS.join('|')})s?|(daily))`
/** `every 10 minutes`, `daily`, `every weekday at 9:00`: as it stands in a text. */
export const RECURRENCE = String.raw`(?:${ON_DAYS}${AT}|every\s+(?:other\s+)?${LENGTH}|(?:hourly|daily|weekly)(?![a-z]))`

const ON_DAYS_AT = new RegExp(`^${ON_DAYS}${AT}$`)
const EVERY_OTHER = /^other (second|minute|hour|day|week)$/

/** Of what is said after "every", or with it. */
export function readRecurrence(text: string): { cron: string } | { everyMs: number } {
  const said = text.trim().toLowerCase().replaceAll(/\s+/g, ' ')
  const named = ownValue(INTERVALS, said)
  if (named !== undefined) return { everyMs: readDuration(named) }
  const [, day, daily, hour, time] = ON_DAYS_AT.exec(said) ?? ON_DAYS_AT.exec(`every ${said}`) ?? []
  const days = ownValue(DAYS, day ?? daily ?? '')
  if (days !== undefined) return atTime(text, days, hour ?? time ?? '')
  const length = said.replace(/^every /, '')
  try {
    return { everyMs: readDuration(length.replace(EVERY_OTHER, '2 $1s')) }
  } catch (error) {
    if (!(error instanceof BadSchedule) || ownValue(DAYS, length.replace(/s$/, '')) === undefined) throw error
    throw new BadSchedule(
      `${JSON.stringify(text)} does not say when: add a time, as in "every ${length} at 9:00".`,
      {
        cause: error,
      },
    )
  }
}

function atTime(text: string, days: string, time: string): { cron: string } {
  const clock = readClockTime(time)
  if (!clock) throw new BadSchedule(`${JSON.stringify(text)} names no time of day: ${JSON.stringify(time)}.`)
  if (clock.second > 0) throw new BadSchedule(`${JSON.stringify(text)}: a time of day is said to the minute.`)
  return { cron: `${clock.minute} ${clock.hour} * * ${days}` }
}
