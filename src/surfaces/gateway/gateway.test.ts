import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { DEFAULTS, homeAt } from '../../config/index.ts'
import { ownIdentity } from '../../store/index.ts'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { runGateway } from './gateway.ts'
import type { GatewayPart } from './part.ts'
import { gatewayStatus } from './state.ts'

const FAR_OFF = { timeout: 30_000 }

function gatewayWith(parts: GatewayPart[], { path = temporaryDirectory(), stopWithinMs = 4_500 } = {}) {
  const home = homeAt(join(path, 'home'))
  const ending = new AbortController()
  const lines: string[] = []
  const ended = runGateway({
    home,
    project: { root: path, slug: 'p-1' },
    env: {},
    configOf: async () => DEFAULTS,
    parts,
    signal: ending.signal,
    write: line => lines.push(line),
    stopWithinMs,
    lookAfterLockMs: 20,
  })
  return { home, path, ended, lines, end: () => ending.abort() }
}

function part(name: string, steps: string[], end: () => Promise<void> = async () => {}): GatewayPart {
  return {
    name,
    async start({ note }) {
      steps.push(`${name} starts`)
      note('at work')
      return {
        async [Symbol.asyncDispose]() {
          await end()
          steps.push(`${name} ends`)
        },
      }
    },
  }
}

test('parts start in order and end in the opposite one; one that fails is told and stops no other', async () => {
  const steps: string[] = []
  const broken: GatewayPart = { name: 'broken', start: () => Promise.reject(new Error('the port is taken')) }
  const { home, ended, end, lines } = gatewayWith([part('one', steps), broken, part('two', steps)])
  await expect.poll(async () => (await gatewayStatus(home)).parts?.at(-1)?.status, FAR_OFF).toBe('running')
  expect(await gatewayStatus(home)).toMatchObject({
    running: true,
    pid: process.pid,
    parts: [
      { name: 'one', status: 'running', note: 'at work' },
      { name: 'broken', status: 'failed', error: 'the port is taken' },
      { name: 'two', status: 'running' },
    ],
  })
  expect(readFileSync(join(home.path, 'gateway.pid'), 'utf8')).toBe(`${process.pid}\n`)
  end()
  expect(await ended).toBe(true)
  expect(steps).toEqual(['one starts', 'two starts', 'two ends', 'one ends'])
  expect(lines.join('')).toMatch(/broken: could not be started: the port is taken/)
  expect(await gatewayStatus(home)).toMatchObject({ running: false })
  expect(existsSync(join(home.path, 'gateway.pid'))).toBe(false)
  expect(statSync(join(home.path, 'logs', 'gateway.log')).mode & 0o777).toBe(0o600)
})

test('a second one is refused with a sentence, and the first goes on', async () => {
  const first = gatewayWith([part('one', [])])
  await expect.poll(async () => (await gatewayStatus(first.home)).running, FAR_OFF).toBe(true)
  const second = gatewayWith([part('one', [])], { path: first.path })
  await expect(second.ended).rejects.toThrow(/runs here already \(process \d+\).*gateway stop/)
  expect((await gatewayStatus(first.home)).running).toBe(true)
  first.end()
  expect(await first.ended).toBe(true)
})

test('a part that does not end is named and left behind', async () => {
  const steps: string[] = []
  const stuck = part('stuck', steps, () => new Promise(() => {}))
  const { ended, end, lines } = gatewayWith([part('one', steps), stuck], { stopWithinMs: 50 })
  await expect.poll(() => steps, FAR_OFF).toEqual(['one starts', 'stuck starts'])
  end()
  expect(await ended).toBe(false)
  expect(lines.join('')).toMatch(/stuck: did not end in time/)
})

test('asked to end while a part still starts, it ends: with that part if it comes, without it if it does not', async () => {
  for (const comes of [true, false]) {
    const steps: string[] = []
    const ready = Promise.withResolvers<void>()
    const slow: GatewayPart = {
      name: 'slow',
      async start(context) {
        steps.push('slow is asked to start')
        await ready.promise
        return part('slow', steps).start(context)
      },
    }
    const never = part('never', steps)
    const stopWithinMs = comes ? 4_500 : 50
    const { ended, end, lines } = gatewayWith([part('one', steps), slow, never], { stopWithinMs })
    await expect.poll(() => steps, FAR_OFF).toEqual(['one starts', 'slow is asked to start'])
    end()
    if (comes) ready.resolve()
    expect(await ended).toBe(comes)
    if (comes) expect(steps.slice(2)).toEqual(['slow starts', 'slow ends', 'one ends'])
    else expect(lines.join('')).toMatch(/slow: did not end in time and is cut off/)
  }
})

test('one that cannot look whether it has its place does not take that for the loss of it', async () => {
  const steps: string[] = []
  const { home, ended, end, lines } = gatewayWith([part('one', steps)])
  await expect.poll(() => steps, FAR_OFF).toEqual(['one starts'])
  const lock = join(home.path, 'locks', 'gateway')
  renameSync(lock, `${lock}-aside`)
  writeFileSync(lock, '') // as good as a directory that cannot be read
  await new Promise(resolve => setTimeout(resolve, 100)) // several looks
  rmSync(lock)
  renameSync(`${lock}-aside`, lock)
  expect(lines.join('')).not.toMatch(/taken over/)
  end()
  expect(await ended).toBe(true)
})

test('one that wakes up with its place taken ends, and leaves the other alone', async () => {
  const steps: string[] = []
  const { home, ended, lines } = gatewayWith([part('one', steps)])
  await expect.poll(() => steps, FAR_OFF).toEqual(['one starts'])
  writeFileSync(
    join(home.path, 'locks', 'gateway', '2'),
    JSON.stringify({ ...ownIdentity(), token: 'other' }),
  )
  expect(await ended).toBe(true)
  expect(steps).toEqual(['one starts', 'one ends'])
  expect(lines.join('')).toMatch(/another gateway has taken over/)
  expect(existsSync(join(home.path, 'gateway.json'))).toBe(true)
  expect((await gatewayStatus(home)).running).toBe(true)
})

test('where no part can be started there is no gateway', async () => {
  const { ended, home } = gatewayWith([{ name: 'x', start: () => Promise.reject(new Error('no')) }])
  await expect(ended).rejects.toThrow(/No part of the gateway could be started/)
  expect((await gatewayStatus(home)).running).toBe(false)
})

test.each([
  ['one that was killed', { pid: 999_999_999 }, 0],
  ['one in a container that crashed some minutes ago', { host: 'gone', bootId: 'another' }, 6 * 60],
])('what %s has left is nobody who runs, and the next one begins', async (_, identity, silentSeconds) => {
  const path = temporaryDirectory()
  const home = homeAt(join(path, 'home'))
  const claim = join(home.path, 'locks', 'gateway', '1')
  mkdirSync(dirname(claim), { recursive: true })
  const dead = { ...ownIdentity(), ...identity, token: 't' }
  writeFileSync(claim, JSON.stringify(dead))
  const seen = Date.now() / 1_000 - silentSeconds
  utimesSync(claim, seen, seen)
  writeFileSync(join(home.path, 'gateway.json'), JSON.stringify({ owner: dead, parts: [] }))
  expect(await gatewayStatus(home)).toMatchObject({ running: false })
  const steps: string[] = []
  const { end, ended } = gatewayWith([part('one', steps)], { path })
  await expect.poll(() => steps, FAR_OFF).toEqual(['one starts'])
  end()
  expect(await ended).toBe(true)
})
