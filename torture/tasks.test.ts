import { expect, test } from 'vitest'
import { crowd } from './tasks/crowd.ts'
import { judgeTasks } from './tasks/judge.ts'

test('ten processes do tasks that wait for each other, some are killed: each is done, by one at a time', async () => {
  const result = await crowd({ processes: 10, tasks: 40, kills: 8, seed: 3 })
  expect(result.violations).toEqual([])
  expect(result.kills).toBeGreaterThan(0)
  expect(result.counts.get('enter')).toBeGreaterThanOrEqual(40)
})

test.each([
  ['one after the other', ['enter 1 7', 'leave 1 7', 'completed 1 7', 'enter 2 8', 'leave 2 8'], 0],
  ['after one that was killed', ['enter 1 7', 'enter 1 8', 'leave 1 8'], 0],
  ['again, since nobody heard that it was done', ['enter 1 7', 'leave 1 7', 'enter 1 8', 'leave 1 8'], 0],
  ['two at once', ['enter 1 7', 'enter 1 8', 'leave 1 8', 'leave 1 7'], 2],
  ['one that had to wait', ['enter 2 7'], 1],
  ['one that was completed', ['enter 1 7', 'leave 1 7', 'completed 1 7', 'enter 1 8'], 1],
  ['completed twice', ['completed 1 7', 'completed 1 8'], 1],
])('the referee judges %s', (_, record, violations) => {
  expect(judgeTasks(record, new Map([[2, [1]]])).violations.length).toBe(violations)
})
