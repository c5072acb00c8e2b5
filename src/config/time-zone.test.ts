import { expect, test } from 'vitest'
import { isTimeZone, usableZone } from './time-zone.ts'

test.each([
  ['Europe/Berlin', -60, 'Europe/Berlin'],
  ['Etc/Unknown', 0, 'UTC'], // with TZ empty
  [undefined, 0, 'UTC'],
  [undefined, 180, '-03:00'],
  [undefined, -330, '+05:30'],
])('of a machine that says %j, %i minutes behind: %s', (name, behind, zone) => {
  expect(usableZone(name, behind)).toBe(zone)
  expect(isTimeZone(zone)).toBe(true)
})
