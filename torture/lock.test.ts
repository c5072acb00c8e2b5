import { expect, test } from 'vitest'
import { race } from './lock/race.ts'
import { judge } from './lock/witness.ts'

test('four processes race for a lock, with stale claims, stops and kills: one holder at a time', async () => {
  const result = await race({ processes: 4, races: 60, seed: 1 })
  expect(result.violations).toEqual([])
  expect(result.sections).toBeGreaterThanOrEqual(240)
  for (const ending of ['released', 'dead pid', 'reused pid', 'other boot', 'old heartbeat', 'killed'])
    expect(result.endings.get(ending), ending).toBeGreaterThan(0)
})

test.each([
  ['one after the other', ['enter 1 1', 'leave 1 1', 'enter 2 3', 'leave 2 3'], 0],
  ['after one that was killed', ['enter 1 1', 'enter 2 2', 'leave 2 2'], 0],
  ['two at once', ['enter 1 1', 'enter 2 2', 'leave 1 1', 'leave 2 2'], 3],
  ['a fence that stands still', ['enter 1 1', 'leave 1 1', 'enter 2 1', 'leave 2 1'], 1],
  ['a marker that was met', ['violation: 2 with fence 2 met 1 inside'], 1],
  ['a leave of nobody', ['leave 1 1'], 1],
])('the witness judges %s', (_, record, violations) => {
  expect(judge(record).violations.length).toBe(violations)
})
