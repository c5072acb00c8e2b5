import { expect, test } from 'vitest'
import type { Task } from '../types.ts'
import { cutTo, drawTasks } from './task-graph.ts'

const task = (id: number, ...blockedBy: number[]): Task => ({
  ...{ id, blockedBy, subject: `Task ${id}`, description: '', owner: null, blocks: [] },
  ...{ status: 'pending', ready: blockedBy.length === 0 },
})

test('a task stands to the right of all that it waits for, and beside it', () => {
  const { placed, edges, columns, rows } = drawTasks([
    task(1),
    task(2),
    task(3, 2),
    task(4, 1),
    task(5, 3, 4),
  ])
  expect(placed.map(({ task, x, y }) => [task.id, x, y])).toEqual([
    [1, 0, 0],
    [2, 0, 1],
    [4, 1, 0],
    [3, 1, 1],
    [5, 2, 0],
  ])
  expect(edges.map(({ from, to }) => [from.task.id, to.task.id])).toEqual([
    [1, 4],
    [2, 3],
    [3, 5],
    [4, 5],
  ])
  expect([columns, rows]).toEqual([3, 2])
})

test('tasks that wait for each other, or for one that is gone, are drawn all the same', () => {
  expect(drawTasks([task(1, 2), task(2, 1), task(3, 9)]).placed).toHaveLength(3)
  expect(drawTasks([]).rows).toBe(0)
})

test.each([
  ['Write the parser', 23, 'Write the parser'],
  ['Write the parser, then test it', 23, 'Write the parser, then…'],
  ['在周四之前写完更新日志并发布', 23, '在周四之前写完更新日志…'],
  ['👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 5, '👩‍👩‍👧‍👦👩‍👩‍👧‍👦…'],
])('%s has room where it is cut to %i places', (text, places, cut) => {
  expect(cutTo(text, places)).toBe(cut)
})
