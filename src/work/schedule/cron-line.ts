/** Lines of five fields that say when: which they are, and which moments they mean. */

import { Cron } from 'croner'
import { machineTimeZone } from '../../config/index.ts'
import { ownValue } from '../../store/index.ts'
import { BadSchedule } from './errors.ts'
import { zoneOf } from './zone.ts'

interface Field {
  name: string
  range: string
}

const FIELDS: readonly Field[] = [
  { name: 'minute', range: 'from 0 to 59' },
  { name: 'hour', range: 'from 0 to 23' },
  { name: 'day', range: 'from 1 to 31' },
  { name: 'month', range: 'from 1 to 12, or JAN to DEC' },
  { name: 'weekday', range: 'from 0 (Sunday) to 6, or SUN to SAT' },
]
const EXPECTED = 'Five fields are expected: minute hour day month weekday, such as "*/10 9-17 * * 1-5".'
const NICKNAMES: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}

/** Throws BadSchedule with the field that is wrong. */
export function readCron(text: string, now: Date, timeZone: string): string {
  const said = text.trim().replaceAll(/\s+/g, ' ')
  const pattern = ownValue(NICKNAMES, said.toLowerCase()) ?? said
  const fields = pattern === '' ? [] : pattern.split(' ')
  const bad = (why: string) => new BadSchedule(`${JSON.stringify(text)} is not a schedule: ${why}`)
  if (fields.length !== FIELDS.length)
    throw bad(`it has ${fields.length} ${fields.length === 1 ? 'field' : 'fields'}. ${EXPECTED}`)
  const wrong = FIELDS.findIndex(
    (_, at) => !isPattern(FIELDS.map((_, each) => (each === at ? (fields[at] ?? '') : '*')).join(' ')),
  )
  const { name, range } = FIELDS[wrong] ?? {}
  if (name !== undefined)
    throw bad(
      `its ${name} is ${JSON.stringify(fields[wrong])}, and ${name === 'hour' ? 'an' : 'a'} ${name} is ${range}: one, several (1,3), a range that goes up (1-4) or steps (*/2).`,
    )
  if (!isPattern(pattern)) throw bad(EXPECTED)
  if (!cronOf(pattern, timeZone)(now))
    throw new BadSchedule(`${JSON.stringify(text)} never happens: there is no such day.`)
  return pattern
}

function isPattern(pattern: string): boolean {
  try {
    new Cron(pattern, { mode: '5-part', paused: true })
    return true
  } catch {
    return false
  }
}

/** Hours that mean "all through the day", whatever the clocks do. */
const EVERY_HOUR = new Set(['*', '*/1', '0-23'])

/**
 * The first time of a cron line after a moment. Where it names hours, each time that it names comes once a day: one
 * that the clocks jump over when they jump, one that they show twice the first time.
 */
export function cronOf(pattern: string, timeZone: string): (after: Date) => Date | null {
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
  const zone = timeZone ?? machineTimeZone()
  return cronOf(readCron(pattern, after, zone), zone)(after) ?? undefined
}
