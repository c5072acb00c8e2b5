import { expect, test } from 'vitest'
import { ageNote, ageOf, confirmedAt } from './age.ts'
import { priorOf, type Standing, worthOf } from './worth.ts'

const NOW = Date.parse('2026-04-08T12:00:00Z')
const DAY = 24 * 60 * 60 * 1000
const standing = (more: Partial<Standing> = {}): Standing => ({
  type: 'project',
  pinned: false,
  confirmed: NOW,
  recalled: 0,
  ...more,
})

test('pinned, recently confirmed, often recalled, and about people rather than places: in that order of weight', () => {
  const worth = (more: Partial<Standing>) => worthOf(standing(more), NOW)
  expect(worth({ pinned: true, confirmed: 0 })).toBeGreaterThan(worth({ recalled: 1000 }))
  expect(worth({})).toBeGreaterThan(worth({ confirmed: NOW - 30 * DAY }))
  expect(worth({ recalled: 3 })).toBeGreaterThan(worth({ recalled: 0 }))
  expect(worth({ type: 'feedback' })).toBeGreaterThan(worth({ type: 'reference' }))
  expect(worth({ confirmed: NOW + 365 * DAY })).toBe(worth({}))
})

test('priors are mild: at their farthest apart they differ by less than a third', () => {
  const best = priorOf(standing({ type: 'user', pinned: true, recalled: 1e6 }), NOW)
  const worst = priorOf(standing({ type: 'reference', confirmed: 0 }), NOW)
  expect(best / worst).toBeLessThan(4 / 3)
  expect(worst).toBeGreaterThan(0)
  expect(best).toBeGreaterThan(worst)
})

test.each([
  [0, 0, false, 'saved today'],
  [0.9, 0, false, 'saved today'],
  [1, 1, false, 'saved 1 day ago'],
  [1.5, 1, true, 'saved 1 day ago; a snapshot, verify before relying on it'],
  [40, 40, true, 'saved 40 days ago; a snapshot, verify before relying on it'],
  [-5, 0, false, 'saved today'],
])('%d days after it was confirmed', (days, ageDays, stale, note) => {
  const age = ageOf(NOW - days * DAY, NOW)
  expect(age).toEqual({ ageDays, stale })
  expect(ageNote(age)).toBe(note)
})

test('it was confirmed when it says so, else when it was last written', () => {
  expect(confirmedAt('2026-04-01', 5)).toBe(Date.parse('2026-04-01'))
  expect(confirmedAt('no date', 5)).toBe(5)
  expect(confirmedAt(undefined, 5)).toBe(5)
})
