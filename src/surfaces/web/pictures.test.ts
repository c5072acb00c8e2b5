import { expect, test } from 'vitest'
import { backwards } from './growth.ts'
import { apply, type Patch, type Thread } from './thread.ts'
import { reportOf } from './usage.ts'

const nothing = { user: 0, feedback: 0, project: 0, reference: 0 }

test('growth is told backwards from how it is now; what changed nothing makes no point', () => {
  const now = new Date('2026-03-05T00:00:00Z')
  const changes = [
    { id: 'd', at: '2026-03-04', counts: { ...nothing, user: -1 } },
    { id: 'c', at: '2026-03-03', counts: nothing },
    { id: 'b', at: '2026-03-02', counts: { ...nothing, project: 2 } },
    { id: 'a', at: '2026-03-01', counts: { ...nothing, user: 2 } },
  ]
  expect(backwards({ ...nothing, user: 1, project: 2 }, changes, now)).toEqual([
    { at: '2026-03-01', ...nothing, user: 2 },
    { at: '2026-03-02', ...nothing, user: 2, project: 2 },
    { at: '2026-03-04', ...nothing, user: 1, project: 2 },
    { at: now.toISOString(), ...nothing, user: 1, project: 2 },
  ])
})

test('what was spent is summed by day and by model; a price that nobody knows stays unknown', () => {
  const spent = (day: string, model: string, input: number, usd?: number, replies = 1) => ({
    day,
    model,
    replies,
    usage: { input, output: 1, cacheRead: 5, cacheWrite: 0, ...(usd !== undefined && { usd }) },
  })
  const report = reportOf([
    spent('2026-03-02', 'a', 10, 0.5),
    spent('2026-03-01', 'b', 20),
    spent('2026-03-02', 'a', 30, 0.25, 0),
  ])
  expect(report.days).toEqual([
    { day: '2026-03-01', in: 20, out: 1, cached: 5, usd: null, replies: 1 },
    { day: '2026-03-02', in: 40, out: 2, cached: 10, usd: 0.75, replies: 1 },
  ])
  expect(report.models.map(({ model, usd }) => [model, usd])).toEqual([
    ['a', 0.75],
    ['b', null],
  ])
  expect(report.total).toEqual({ in: 60, out: 3, cached: 15, usd: 0.75, replies: 2 })
})

test('patches bring a thread up to date, and what they are about and is not there is passed over', () => {
  const empty = { session: 's', isWorking: false, items: [] } as unknown as Thread
  const reply = (text: string) => ({ kind: 'reply', id: 'r', text, thinking: '', open: true }) as const
  const patches: Patch[] = [
    { put: reply('') },
    { more: 'r', field: 'text', text: 'Hel' },
    { more: 'r', field: 'text', text: 'lo' },
    { more: 'gone', field: 'text', text: '!' },
    { put: { kind: 'notice', id: 'n', text: 'so', isProblem: false } },
    { drop: 'n' },
    { drop: 'gone' },
    { set: { isWorking: true } },
  ]
  expect(patches.reduce(apply, empty)).toEqual({ ...empty, isWorking: true, items: [reply('Hello')] })
  expect(apply({ ...empty, items: [reply('a')] }, { put: reply('b') }).items).toEqual([reply('b')])
})
