import { expect, test } from 'vitest'
import { parseTime } from './time.ts'

const DAY = 86_400_000

test.each([
  ['3 days', 3 * DAY],
  ['1 day ago', DAY],
  ['2 weeks', 14 * DAY],
  ['2w', 14 * DAY],
  ['12h', DAY / 2],
  ['5 minutes', 300_000],
])('%s is that long ago', (text, ms) => {
  expect(Math.abs(Date.now() - ms - parseTime(text).getTime())).toBeLessThan(5_000)
})

test('dates are where the person is', () => {
  expect(parseTime('2026-04-01')).toEqual(new Date(2026, 3, 1))
  expect(parseTime('2026-04-01T10:00:00Z').toISOString()).toBe('2026-04-01T10:00:00.000Z')
  expect(parseTime('yesterday').getTime()).toBeLessThan(parseTime('today').getTime())
})

test.each(['', 'soon', '3 parsecs', '2026-99-99', '1', 'NaN'])('%j is refused', text => {
  expect(() => parseTime(text)).toThrow(/should be a date/)
})
