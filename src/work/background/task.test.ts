import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ownIdentity } from '../../store/index.ts'
import { advance, type BackgroundTask, isFinal, parseTask, type TaskChange, toBegin } from './task.ts'

const NEW: BackgroundTask = {
  id: 'sh_00000001',
  kind: 'command',
  title: 'waits',
  status: 'queued',
  owner: ownIdentity(),
  createdAt: '2026-11-18T08:00:00.000Z',
  outputFile: '/nowhere/sh_00000001.txt',
}
const at = new Date('2026-11-18T09:00:00Z')

const change: fc.Arbitrary<TaskChange> = fc.oneof(
  fc.constant<TaskChange>({ to: 'running', at }),
  fc
    .constantFrom('completed' as const, 'failed' as const, 'cancelled' as const)
    .map(to => ({ to, at, summary: to })),
  fc.string().map(progress => ({ progress })),
  fc.option(fc.string(), { nil: undefined }).map(waitingFor => ({ waitingFor })),
)

test('whatever happens to a task, its first final state is its last, and it never runs again', () => {
  fc.assert(
    fc.property(fc.array(change), changes => {
      let task = NEW
      for (const next of changes) {
        const after = advance(task, next)
        if (isFinal(task.status)) expect(after).toBe(task)
        if (task.status === 'running') expect(after.status).not.toBe('queued')
        if (isFinal(after.status)) expect(after).toMatchObject({ endedAt: at.toISOString() })
        expect(isFinal(after.status) && after.waitingFor !== undefined).toBe(false)
        expect(parseTask(JSON.stringify(after))).toEqual(after)
        task = after
      }
    }),
  )
})

test.each([
  '',
  'null',
  '{}',
  '[]',
  '{"id":1}',
  JSON.stringify({ ...NEW, status: 'odd' }),
  JSON.stringify({ ...NEW, owner: {} }),
])('a record that is none: %s', text => expect(parseTask(text)).toBeUndefined())

test('no more of a kind begin than may run, in order, and none that could is left waiting', () => {
  const some = fc.array(
    fc.record({
      kind: fc.constantFrom('command' as const, 'agent' as const, 'dream' as const),
      status: fc.constantFrom('queued' as const, 'running' as const, 'completed' as const),
    }),
    { maxLength: 20 },
  )
  fc.assert(
    fc.property(some, fc.integer({ min: 1, max: 4 }), (found, agents) => {
      const tasks = found.map((task, at) => ({ ...task, id: String(at) }))
      const most = { agent: agents, dream: 1 }
      const begun = toBegin(tasks, most)
      for (const kind of ['agent', 'dream'] as const) {
        const of = tasks.filter(task => task.kind === kind)
        const running = of.filter(({ status }) => status === 'running').length
        const queued = of.filter(({ status }) => status === 'queued').map(({ id }) => id)
        const room = Math.max(0, most[kind] - running)
        expect(begun.filter(id => of.some(task => task.id === id))).toEqual(queued.slice(0, room))
      }
      const commands = tasks.filter(({ kind, status }) => kind === 'command' && status === 'queued')
      for (const { id } of commands) expect(begun).toContain(id)
    }),
  )
})
