/** Lengths of time, as people write them. */
import { BadSchedule } from './errors.ts'

const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
/** Jobs are looked at once a second. */
export const SHORTEST_MS = SECOND
export const LONGEST_MS = 366 * DAY

const UNITS: readonly (readonly [form: string, ms: number])[] = [
  ['s|secs?|seconds?', SECOND],
  ['m|mins?|minutes?', MINUTE],
  ['h|hrs?|hours?', HOUR],
  ['d|days?', DAY],
  ['w|weeks?', 7 * DAY],
]
const ONE_OF_THEM = 'second|minute|hour|day|week'
const NUMBER = String.raw`\d+(?:\.\d+)?`
const UNIT = `(?:${UNITS.map(([form]) => form).join('|')})(?![a-z])`
const PART = String.raw`${NUMBER}\s*${UNIT}`
/** What stands for a length: `10m`, `2 hours and 5 minutes`, `an hour`, `half a day`. */
export const LENGTH = String.raw`(?:${PART}(?:,?\s*(?:and\s+)?${PART})*|(?:half\s+)?(?:an?\s+)?(?:${ONE_OF_THEM})(?![a-z]))`

const WHOLE = new RegExp(`^${LENGTH}$`)
const PARTS = new RegExp(String.raw`(${NUMBER})\s*(${UNIT})`, 'g')
const IN_WORDS = new RegExp(String.raw`^(half\s+)?(?:an?\s+)?(${ONE_OF_THEM})$`)

export function readDuration(text: string): number {
  const said = text.trim().toLowerCase()
  if (!WHOLE.test(said))
    throw new BadSchedule(`${JSON.stringify(text)} is not a length of time such as 10m, 2 hours or 1h 30m.`)
  const ms = Math.round(lengthOf(said))
  if (ms < SHORTEST_MS) throw new BadSchedule(`${JSON.stringify(text)} is too short: a second is the least.`)
  if (ms > LONGEST_MS) throw new BadSchedule(`${JSON.stringify(text)} is too long: a year is the most.`)
  return ms
}

function lengthOf(said: string): number {
  const [, half, word] = IN_WORDS.exec(said) ?? []
  if (word !== undefined) return (half === undefined ? 1 : 0.5) * msOf(word)
  return [...said.matchAll(PARTS)].reduce((sum, [, amount, unit]) => sum + Number(amount) * msOf(unit), 0)
}

function msOf(unit: string | undefined): number {
  const [, ms] = UNITS.find(([form]) => new RegExp(`^(?:${form})$`).test(unit ?? '')) ?? []
  return ms ?? Number.NaN
}
