import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import fsPromises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ReverieError } from './error.ts'
import { acquireLock, type Claim, inspectLock, LockBusy, LockLost, STALE_AFTER_MS, withLock } from './lock.ts'
import { ownIdentity } from './process-identity.ts'
import { temporaryDirectory } from './temporary-directory.fixture.ts'

const newLock = () => join(temporaryDirectory(), 'lock')
const tryOnce = { waitMs: 0 }

/** A claim as a process of another time or place would have left it. */
function plant(path: string, fence: number, content: unknown, ageMs = 0): void {
  fs.mkdirSync(path, { recursive: true })
  const file = join(path, String(fence))
  fs.writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  const then = new Date(Date.now() - ageMs)
  fs.utimesSync(file, then, then)
}

function claimOf(changes: Partial<Claim> = {}): object {
  return { ...ownIdentity(), token: 'ab'.repeat(12), ...changes }
}

/** Runs `before` once, just before the lock's next hard link: where a slow process would be overtaken. */
function beforeNextLink(before: () => Promise<void>): void {
  const { link } = fsPromises
  const restore = () => {
    fsPromises.link = link
    syncBuiltinESMExports()
  }
  fsPromises.link = async (from, to) => {
    restore()
    await before()
    return link(from, to)
  }
  syncBuiltinESMExports()
  onTestFinished(restore)
}

test('one holder at a time, with a fence that grows', async () => {
  const path = newLock()
  const first = await acquireLock(path, { note: 'dreaming' })
  await expect(acquireLock(path, tryOnce)).rejects.toThrow(LockBusy)
  await expect(acquireLock(path, tryOnce)).rejects.toThrow(`process ${process.pid} (dreaming)`)
  await first.check()
  await first.release()
  await first.release()
  const second = await acquireLock(path, tryOnce)
  expect(second.fence).toBeGreaterThan(first.fence)
  await expect(first.check()).rejects.toThrow(LockLost)
  await second.release()
})

test('a waiting process gets the lock when it is let go', async () => {
  const path = newLock()
  const holder = await acquireLock(path)
  let got = false
  const waiting = withLock(path, async () => {
    got = true
  })
  await expect(acquireLock(path, { waitMs: 30 })).rejects.toThrow(LockBusy)
  expect(got).toBe(false)
  await holder.release()
  await waiting
  expect(got).toBe(true)
})

test('waiting can be given up', async () => {
  const path = newLock()
  await using _holder = await acquireLock(path)
  const abort = new AbortController()
  const waiting = acquireLock(path, { signal: abort.signal })
  abort.abort()
  await expect(waiting).rejects.toThrow('abort')
})

test('many at once in one process take turns', async () => {
  const path = newLock()
  let inside = 0
  const fences = await Promise.all(
    Array.from({ length: 12 }, () =>
      withLock(path, async lock => {
        expect(++inside).toBe(1)
        await new Promise(resolve => setImmediate(resolve))
        inside--
        return lock.fence
      }),
    ),
  )
  expect(new Set(fences).size).toBe(12)
  // Old claims and drafts do not pile up.
  expect(fs.readdirSync(path).length).toBeLessThanOrEqual(5)
})

test('work that fails lets the lock go', async () => {
  const path = newLock()
  const work = withLock(path, async () => {
    throw new Error('as planned')
  })
  await expect(work).rejects.toThrow('as planned')
  await (await acquireLock(path, tryOnce)).release()
})

const HOUR_MS = 60 * 60 * 1000
const NOBODY: Array<[what: string, content: unknown, ageMs: number]> = [
  ['a dead process', claimOf({ pid: 2 ** 22 + 1 }), 0],
  ['a pid that is used again', claimOf({ startTime: '1' }), 0],
  ['another boot', claimOf({ bootId: 'another' }), 0],
  ['a heartbeat that is too old', claimOf(), STALE_AFTER_MS + 1_000],
  ['another machine, long silent', claimOf({ host: 'elsewhere' }), 2 * HOUR_MS],
  ['an owner who let go', `${JSON.stringify(claimOf())}\nreleased\n`, 0],
  ['an owner who was just letting go', `${JSON.stringify(claimOf())}\nrel`, 0],
  ['nothing, long ago', '', HOUR_MS],
  ['half a line, long ago', '{"pid":', HOUR_MS],
  ['null, long ago', 'null', HOUR_MS],
  ['an empty object, long ago', {}, HOUR_MS],
  ['a claim with a wrong pid, long ago', claimOf({ pid: '7' as unknown as number }), HOUR_MS],
]
test.each(NOBODY)('the claim of %s does not hold the lock', async (_, content, ageMs) => {
  const path = newLock()
  plant(path, 41, content, ageMs)
  expect((await inspectLock(path)).held).toBe(false)
  const lock = await acquireLock(path, tryOnce)
  expect(lock.fence).toBe(42)
  await lock.release()
})

test('who cannot be asked is believed for less long where that is wanted, and who can be is not', async () => {
  const SILENT = { silentAfterMs: 5 * 60_000 }
  const [here, elsewhere] = [newLock(), newLock()]
  plant(here, 41, claimOf(), 6 * 60_000)
  plant(elsewhere, 41, claimOf({ host: 'elsewhere', bootId: 'another' }), 6 * 60_000)
  expect((await inspectLock(elsewhere)).held).toBe(true)
  expect((await inspectLock(elsewhere, SILENT)).held).toBe(false)
  expect((await inspectLock(here, SILENT)).held).toBe(true)
  await (await acquireLock(elsewhere, { ...tryOnce, ...SILENT })).release()
  await expect(acquireLock(here, { ...tryOnce, ...SILENT })).rejects.toThrow(LockBusy)
})

const SOMEBODY: Array<[what: string, content: unknown]> = [
  ['this process', claimOf()],
  ['a process that does not know when it started', claimOf({ startTime: '' })],
  ['another machine', claimOf({ host: 'elsewhere', pid: 2 ** 22 + 1, bootId: 'another' })],
  ['somebody who is just writing it', ''],
  ['somebody whose claim was damaged just now', '{"pid"'],
  ['somebody whose claim became null just now', 'null'],
]
test.each(SOMEBODY)('the fresh claim of %s holds the lock', async (_, content) => {
  const path = newLock()
  plant(path, 41, content)
  expect((await inspectLock(path)).held).toBe(true)
  await expect(acquireLock(path, tryOnce)).rejects.toThrow(LockBusy)
})

test('a beating heart keeps a claim, and one that stopped is noticed by its owner', async () => {
  const path = newLock()
  const holder = await acquireLock(path)
  const longAgo = new Date(Date.now() - 2 * STALE_AFTER_MS)
  await holder.beat(longAgo)
  await holder.beat()
  await expect(acquireLock(path, tryOnce)).rejects.toThrow(LockBusy)
  await holder.beat(longAgo)
  const other = await acquireLock(path, tryOnce)
  await expect(holder.check()).rejects.toThrow(LockLost)
  await holder.release()
  await other.check()
  await expect(acquireLock(path, tryOnce)).rejects.toThrow(LockBusy)
  await other.release()
})

test('a process overtaken by one claim does not get the lock', async () => {
  const path = newLock()
  let other: Awaited<ReturnType<typeof acquireLock>> | undefined
  beforeNextLink(async () => {
    other = await acquireLock(path, tryOnce)
  })
  await expect(acquireLock(path, tryOnce)).rejects.toThrow(LockBusy)
  await other?.check()
  await other?.release()
})

test('a process overtaken by so many claims that its number is free again does not get the lock', async () => {
  const path = newLock()
  let other: Awaited<ReturnType<typeof acquireLock>> | undefined
  beforeNextLink(async () => {
    for (let turn = 0; turn < 8; turn++) await (await acquireLock(path, tryOnce)).release()
    other = await acquireLock(path, tryOnce)
    expect(fs.existsSync(join(path, '1'))).toBe(false)
  })
  await expect(acquireLock(path, tryOnce)).rejects.toThrow(LockBusy)
  await other?.check()
  await other?.release()
})

test('a draft that was cleaned up meanwhile is written again', async () => {
  const path = newLock()
  beforeNextLink(async () => {
    for (const name of fs.readdirSync(path)) fs.unlinkSync(join(path, name))
  })
  const lock = await acquireLock(path, tryOnce)
  await lock.check()
  await lock.release()
})

test('a machine that slept between writing a claim and making it count does not look stale', async () => {
  const path = newLock()
  beforeNextLink(async () => {
    const longAgo = new Date(Date.now() - 2 * STALE_AFTER_MS)
    for (const name of fs.readdirSync(path)) fs.utimesSync(join(path, name), longAgo, longAgo)
  })
  const lock = await acquireLock(path, tryOnce)
  expect(Date.now() - fs.statSync(join(path, String(lock.fence))).mtimeMs).toBeLessThan(STALE_AFTER_MS / 2)
  await lock.release()
})

test('a holder whose directory was removed loses the lock and cannot release that of a later holder', async () => {
  const path = newLock()
  for (let turn = 0; turn < 3; turn++) await (await acquireLock(path)).release()
  const robbed = await acquireLock(path)
  fs.rmSync(path, { recursive: true })
  await expect(robbed.check()).rejects.toThrow(LockLost)
  const holder = await acquireLock(path, tryOnce)
  await robbed.release()
  await holder.check()
  await expect(acquireLock(path, tryOnce)).rejects.toThrow(LockBusy)
  await holder.release()
})

test('without hard links the lock still has one holder', async () => {
  const path = newLock()
  const { link } = fsPromises
  fsPromises.link = async () => {
    throw Object.assign(new Error('no links here'), { code: 'ENOTSUP' })
  }
  syncBuiltinESMExports()
  onTestFinished(() => {
    fsPromises.link = link
    syncBuiltinESMExports()
  })
  const first = await acquireLock(path, tryOnce)
  await expect(acquireLock(path, tryOnce)).rejects.toThrow(LockBusy)
  await first.release()
  await (await acquireLock(path, tryOnce)).release()
})

test('names that are no claims are passed over, and old drafts removed', async () => {
  const path = newLock()
  const draft = `.${'0f'.repeat(12)}`
  fs.mkdirSync(path)
  for (const name of ['99999999999999999999', '007', 'notes.txt', draft])
    fs.writeFileSync(join(path, name), '')
  const longAgo = new Date(Date.now() - 2 * STALE_AFTER_MS)
  fs.utimesSync(join(path, draft), longAgo, longAgo)
  const lock = await acquireLock(path, tryOnce)
  expect(lock.fence).toBe(1)
  await lock.release()
  expect(fs.readdirSync(path).sort()).toEqual(['007', '1', '99999999999999999999', 'notes.txt'])
})

test('a lock that was never taken is free, and looking makes no directory', async () => {
  const path = newLock()
  expect(await inspectLock(path)).toEqual({ held: false })
  expect(fs.existsSync(path)).toBe(false)
})

test('a place where no lock can be is reported in a sentence', async () => {
  const file = join(temporaryDirectory(), 'file')
  fs.writeFileSync(file, '')
  await expect(acquireLock(join(file, 'lock'))).rejects.toThrow(ReverieError)
  await expect(acquireLock(file)).rejects.toThrow('Could not take the lock')
})

const HOLD = `
  const { acquireLock } = await import(process.argv[1])
  await acquireLock(process.argv[2])
  process.stdout.write('held')
  setInterval(() => {}, 1000)
`
test('the lock of a killed process is free at once; that of a stopped one is not', async () => {
  const path = newLock()
  const args = ['--input-type=module', '-e', HOLD, new URL('lock.ts', import.meta.url).href, path]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  await expect(acquireLock(path, tryOnce)).rejects.toThrow(`process ${child.pid}`)
  child.kill('SIGSTOP')
  await expect(acquireLock(path, tryOnce)).rejects.toThrow(LockBusy)
  child.kill('SIGKILL')
  await once(child, 'exit')
  await (await acquireLock(path, tryOnce)).release()
})

test('a process that ends without letting go leaves a free lock, and is not kept alive by it', async () => {
  const path = newLock()
  const script = HOLD.replace('setInterval(() => {}, 1000)', '')
  const args = ['--input-type=module', '-e', script, new URL('lock.ts', import.meta.url).href, path]
  expect(spawnSync(process.execPath, args, { timeout: 30_000 }).status).toBe(0)
  await (await acquireLock(path, tryOnce)).release()
})
