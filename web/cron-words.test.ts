import { expect, test } from 'vitest'
import { askedWhen, inWords, zonesInWords } from './cron-words.ts'

test.each([
  ['0 9 * * 1-5', 'each weekday at 09:00'],
  ['30 17 * * 5', 'each Friday at 17:30'],
  ['5 8 * * 0', 'each Sunday at 08:05'],
  ['5 8 * * 7', 'each Sunday at 08:05'],
  ['0 18 * * *', 'each day at 18:00'],
  ['0 * * * *', 'each hour at :00'],
  ['15 6 1 * *', 'on day 1 of each month at 06:15'],
  ['*/5 * * * *', undefined],
  ['0 9 1 * 1', undefined],
  ['0 9 * 3 *', undefined],
  ['0 9 * * 1,3', undefined],
  ['0 9,17 * * *', undefined],
  ['0 0 9 * * 1', undefined],
])('%s is said as %s', (cron, words) => {
  expect(inWords(cron)).toBe(words)
})

test('a moment that was picked goes by the clock of who picked it; all else is said to the server as it is', () => {
  expect(askedWhen('at', '2026-05-01T09:00')).toEqual({ at: new Date(2026, 4, 1, 9).toISOString() })
  expect(askedWhen('every', 'weekday at 9')).toEqual({ every: 'weekday at 9' })
  expect(zonesInWords('Asia/Tokyo', 'Asia/Tokyo')).toBe('in your time (Asia/Tokyo)')
  expect(zonesInWords('UTC', 'Asia/Tokyo')).toMatch(/clock of UTC, moments by yours \(Asia\/Tokyo\)/)
})
