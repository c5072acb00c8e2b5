/** Times of a day and days of a week, as people write them. */

export const WEEKDAYS = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const

/** `9:00`, `21:15:30`, `9am`, `9:30 pm`, `noon`. */
export const CLOCK_TIME = String.raw`noon|midnight|\d{1,2}:\d\d(?::\d\d)?(?:\.\d+)?(?:\s?[ap]m)?|\d{1,2}\s?[ap]m`
/** The same, or an hour alone: where it is plain that an hour is meant. */
export const HOUR_OR_TIME = String.raw`${CLOCK_TIME}|\d{1,2}`

export interface ClockTime {
  hour: number
  minute: number
  second: number
}

const PARTS = /^(\d{1,2})(?::(\d\d))?(?::(\d\d))?(?:\.\d+)?\s?([ap]m)?$/

/** Undefined for what no clock shows. */
export function readClockTime(text: string): ClockTime | undefined {
  const named = { noon: '12:00', midnight: '0:00' }[text]
  const [, said, minutes, seconds, half] = PARTS.exec(named ?? text) ?? []
  if (said === undefined) return undefined
  const [number, minute, second] = [said, minutes ?? 0, seconds ?? 0].map(Number) as [number, number, number]
  if (half !== undefined && (number < 1 || number > 12)) return undefined
  const hour = half === undefined ? number : (number % 12) + (half === 'pm' ? 12 : 0)
  return hour < 24 && minute < 60 && second < 60 ? { hour, minute, second } : undefined
}
