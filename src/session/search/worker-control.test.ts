import { expect, test } from 'vitest'
import { WorkerControl } from './worker-control.ts'

test('threads share what is next, and whether to go on', () => {
  const one = new WorkerControl()
  const other = new WorkerControl(one.shared)
  expect([one.takeNext(), other.takeNext(), one.takeNext()]).toEqual([0, 1, 2])
  expect(other.isStopped).toBe(false)
  one.stop()
  expect(other.isStopped).toBe(true)
})

test('a turn ends also when its work fails', () => {
  const control = new WorkerControl()
  expect(() =>
    control.inTurn(() => {
      throw new Error('full')
    }),
  ).toThrow('full')
  expect(control.inTurn(() => 'next')).toBe('next')
})
