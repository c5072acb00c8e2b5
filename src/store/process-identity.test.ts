import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { livenessOf, ownIdentity } from './process-identity.ts'

test('this process is alive and knows when it started', () => {
  const own = ownIdentity()
  expect(own.pid).toBe(process.pid)
  expect(own.host).not.toBe('')
  if (process.platform !== 'win32') expect(own.startTime).not.toBe('')
  expect(livenessOf(own)).toBe('alive')
})

test.each([
  ['a pid that nobody has', { pid: 2 ** 22 + 1 }, 'dead'],
  ['no pid at all', { pid: 0 }, 'dead'],
  ['a negative pid, which would be a group', { pid: -1 }, 'dead'],
  ['a pid that is no number', { pid: Number.NaN }, 'dead'],
  ['another start', { startTime: '1' }, 'dead'],
  ['an unknown start', { startTime: '' }, 'alive'],
  ['another boot', { bootId: 'x' }, 'dead'],
  ['another machine', { host: 'x' }, 'unknown'],
  ['another machine and boot', { host: 'x', bootId: 'x', pid: 1 }, 'unknown'],
])('%s', (_, changes, expected) => {
  expect(livenessOf({ ...ownIdentity(), ...changes })).toBe(expected)
})

test('a killed child is dead, also while it waits to be reaped', async () => {
  // The middle process never reaps its child, which stays behind as a zombie when it is killed.
  const script = `
    const sleeper = require('node:child_process').spawn('sleep', ['600'])
    process.stdout.write(String(sleeper.pid))
    setInterval(() => {}, 1000)`
  const middle = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void middle.kill('SIGKILL'))
  const [data] = (await once(middle.stdout, 'data')) as [Buffer]
  const sleeper = { ...ownIdentity(), pid: Number(data.toString()), startTime: '' }
  expect(livenessOf(sleeper)).toBe('alive')
  middle.kill('SIGSTOP')
  process.kill(sleeper.pid, 'SIGKILL')
  await expect.poll(() => livenessOf(sleeper), { timeout: 20_000 }).toBe('dead')
})

test('the process of another user is alive', () => {
  // 1 belongs to root: signalling it is refused to others, which must not read as "dead".
  expect(livenessOf({ ...ownIdentity(), pid: 1, startTime: '' })).toBe('alive')
})
