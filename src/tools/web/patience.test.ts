import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Patience, TooSlow, unlessAborted } from './patience.ts'

const never = new AbortController().signal

test('it runs out in all, however much is heard', async () => {
  using patience = new Patience({ totalMs: 150, idleMs: 100 }, never)
  for (let at = 0; at < 30 && !patience.signal.aborted; at++) {
    await sleep(10)
    patience.heard()
  }
  expect(patience.ranOut).toEqual(new TooSlow('took longer than 0.15 s'))
})

test('it runs out when nothing is heard', async () => {
  using patience = new Patience({ totalMs: 10_000, idleMs: 50 }, never)
  await expect(unlessAborted(sleep(5_000), patience.signal)).rejects.toThrow('sent nothing for 0.05 s')
})

test('what a person takes is not counted', async () => {
  using patience = new Patience({ totalMs: 100, idleMs: 80 }, never)
  expect(await patience.during(sleep(200, 'yes'))).toBe('yes')
  expect(patience.ranOut).toBeUndefined()
  await sleep(150)
  expect(patience.ranOut).toBeInstanceOf(TooSlow)
})

test('an interrupt is not slowness', async () => {
  const interrupt = new AbortController()
  using patience = new Patience({ totalMs: 1_000, idleMs: 1_000 }, interrupt.signal)
  const waiting = patience.during(sleep(500))
  interrupt.abort(new Error('stop'))
  await expect(waiting).rejects.toThrow('stop')
  expect(patience.ranOut).toBeUndefined()
})
