import { expect, test } from 'vitest'
import { inWords } from './cron-words.ts'

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
