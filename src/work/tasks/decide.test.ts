import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  asFound,
  circleAmong,
  cycleThrough,
  decideClaim,
  decideCompletion,
  isReady,
  type Lookup,
} from './decide.ts'
import { link } from './link.ts'
import type { Task } from './task.ts'

function task(id: number, more: Partial<Task> = {}): Task {
  return {
    id,
    subject: `Task ${id}`,
    description: '',
    activeForm: '',
    owner: null,
    status: 'pending',
    blocks: [],
    blockedBy: [],
    metadata: {},
    ...more,
  }
}

const among =
  (...tasks: Task[]): Lookup =>
  id =>
    tasks.find(each => each.id === id) ?? (id === 99 ? 'malformed' : 'missing')

const done = { status: 'completed' } as const
const anns = { status: 'in_progress', owner: 'ann' } as const

test.each<[what: string, task: Task | 'missing', others: Task[], answer: string]>([
  ['is free', task(1), [], 'claimed'],
  ['is not there', 'missing', [], 'not_found'],
  ['is done', task(1, done), [], 'already_resolved'],
  ['is somebody else’s', task(1, anns), [], 'already_claimed'],
  ['waits for one that is open', task(1, { blockedBy: [2, 3] }), [], 'blocked'],
  ['waited for one that is done', task(1, { blockedBy: [3] }), [], 'claimed'],
  ['waited for one that was deleted', task(1, { blockedBy: [4] }), [], 'claimed'],
  ['waits for one that cannot be read', task(1, { blockedBy: [99] }), [], 'blocked'],
  ['is wanted by somebody who has another', task(1), [task(7, anns)], 'busy'],
  ['is both done and blocked', task(1, { ...done, blockedBy: [2] }), [], 'already_resolved'],
])('a task that %s', (_, wanted, others, answer) => {
  const look = among(task(2), task(3, done))
  const decided = decideClaim(1, { task: wanted, owner: { name: 'bob' }, look, others })
  expect(decided.claimed ? 'claimed' : decided.reason).toBe(answer)
  if (decided.claimed) expect(decided.task).toMatchObject({ status: 'in_progress', owner: 'bob' })
})

test('completing tells only what can begin now', () => {
  const tasks = [
    task(1, anns),
    task(2),
    task(3, { blockedBy: [1] }),
    task(4, { blockedBy: [1, 2] }),
    task(5, { blockedBy: [1], ...done }),
  ]
  const answer = decideCompletion(task(1, anns), { name: 'ann' }, among(...tasks), tasks.slice(2))
  expect(answer).toMatchObject({
    completed: true,
    unblocked: [3],
    task: { owner: 'ann', status: 'completed' },
  })
})

test.each<[what: string, task: Task, owner: string | undefined, reason: string | undefined]>([
  ['nobody’s', task(1), 'bob', undefined],
  ['another’s', task(1, anns), 'bob', 'already_claimed'],
  ['another’s, by a person who does not say who', task(1, anns), undefined, undefined],
  ['done', task(1, done), 'ann', 'already_resolved'],
  ['blocked', task(1, { blockedBy: [2] }), 'ann', 'blocked'],
])('completing what is %s', (_, wanted, owner, reason) => {
  const answer = decideCompletion(
    wanted,
    owner === undefined ? undefined : { name: owner },
    among(task(2)),
    [],
  )
  expect(answer.completed ? undefined : answer.reason).toBe(reason)
})

test('only what a process holds comes back when it ends', () => {
  const process = { pid: 1, startTime: '', bootId: '', host: '' }
  const held = task(1, { ...anns, process })
  expect(asFound(held, () => true)).toEqual(task(1))
  expect(asFound(held, () => false)).toBe(held)
  const named = task(1, anns)
  expect(asFound(named, () => true)).toBe(named)
})

test('a circle is named from where it would close', () => {
  const look = among(task(1), task(2, { blockedBy: [1] }), task(3, { blockedBy: [2] }))
  expect(cycleThrough(1, 3, look)).toEqual([1, 3, 2, 1])
  expect(cycleThrough(1, 1, look)).toEqual([1, 1])
  expect(cycleThrough(3, 1, look)).toBeUndefined()
})

test.each<[string, Task[], number[] | undefined]>([
  ['none', [task(1), task(2, { blockedBy: [1] }), task(3, { blockedBy: [1, 2, 9] })], undefined],
  ['nothing', [], undefined],
  ['itself', [task(1), task(2, { blockedBy: [2] })], [2, 2]],
  [
    'two, and one behind them',
    [task(1, { blockedBy: [3] }), task(2, { blockedBy: [3] }), task(3, { blockedBy: [2, 2] })],
    [3, 2, 3],
  ],
  [
    'one that is done already',
    [task(1, { blockedBy: [2], status: 'completed' }), task(2, { blockedBy: [1] })],
    undefined,
  ],
])('a circle in files that were edited: %s', (_, tasks, circle) => {
  expect(circleAmong(tasks)).toEqual(circle)
})

test('whatever is linked, both directions agree, and something can always be begun', () => {
  const pair = fc.tuple(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 8 }), fc.boolean())
  fc.assert(
    fc.property(fc.array(pair, { maxLength: 40 }), pairs => {
      let all = new Map(Array.from({ length: 8 }, (_, at) => [at + 1, task(at + 1)]))
      for (const [from, to, add] of pairs) {
        const changed = new Map(all)
        try {
          link(from, add ? { addBlockedBy: [to] } : { removeBlockedBy: [to] }, changed, id => task(id))
          all = changed
        } catch (error) {
          // Refused because of a way that is really there.
          const path = (error as { path: number[] }).path
          expect([path[0], path.at(-1)]).toEqual([from, from])
          for (const [at, id] of path.slice(1, -1).entries())
            expect(all.get(id)?.blockedBy).toContain(path[at + 2])
        }
      }
      for (const { id, blocks, blockedBy } of all.values()) {
        for (const other of blocks) expect(all.get(other)?.blockedBy).toContain(id)
        for (const other of blockedBy) expect(all.get(other)?.blocks).toContain(id)
      }
      for (let left = [...all.values()]; left.length > 0; ) {
        const ready = left.filter(each => isReady(each, id => all.get(id) ?? 'missing'))
        expect(ready).not.toEqual([])
        for (const each of ready) all.set(each.id, { ...each, status: 'completed' })
        left = [...all.values()].filter(({ status }) => status !== 'completed')
      }
    }),
  )
})
