import { expect, test } from 'vitest'
import { headsOf } from './head.ts'

test.each([
  ['Totals are rounded half up, as the tax office asks.', ['Totals are rounded half up']],
  ['The desk sits in Lisbon (WET).', ['The desk sits in Lisbon']],
  ['Retention is 30 days (only on staging).', []],
  ['Staging runs on 5544 rather than the default.', ['Staging runs on 5544']],
  ['Give measurements in metric units, not imperial.', ['Give measurements in metric units']],
  ['Use tabs, not in Makefiles.', []],
  ['Deploy on Fridays, but not in December.', []],
  ['Klara lives in Graz and teaches piano.', ['Klara lives in Graz']],
  ['新版本在周五发布，由小李负责。', ['新版本在周五发布']],
])('what stands first in: %s', (sentence, heads) => {
  expect(headsOf(sentence)).toEqual(heads)
})
