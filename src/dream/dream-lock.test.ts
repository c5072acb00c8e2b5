import { existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { DreamBusy, DreamLock, type DreamPlace, holderOf, lastDream, MIRROR } from './dream-lock.ts'

const NOW = new Date('2026-04-08T12:00:00Z')
const YESTERDAY = new Date('2026-04-07T12:00:00Z')
/** No process has it: it is above what Linux gives out. */
const NOBODY = 4_194_305
/** Runs for as long as this test does. */
const SOMEBODY = process.ppid

function place(): DreamPlace & { mirror: string } {
  const root = temporaryDirectory()
  const [directory, state] = [join(root, 'memory'), join(root, 'state')]
  for (const each of [directory, state]) mkdirSync(each)
  return { directory, state, mirror: join(directory, MIRROR) }
}

function mirrored(path: string, body: string, mtime: Date): void {
  writeFileSync(path, body)
  utimesSync(path, mtime, mtime)
}

test.each([
  ['no dream before', undefined],
  ['a dream yesterday', YESTERDAY],
])(
  '%s: while one dreams the last time is what it was, and what comes to nothing leaves it',
  async (_, before) => {
    const at = place()
    if (before) mirrored(at.mirror, '', before)
    {
      await using _lock = await DreamLock.acquire(at, NOW)
      expect(readFileSync(at.mirror, 'utf8')).toBe(String(process.pid))
      expect(statSync(at.mirror).mode & 0o777).toBe(0o600)
      expect(lastDream(at)).toEqual(before)
      await expect(DreamLock.acquire(at, NOW)).rejects.toThrow(DreamBusy)
      expect((await holderOf(at, NOW))?.pid).toBe(process.pid)
    }
    expect(existsSync(at.mirror)).toBe(before !== undefined)
    expect(lastDream(at)).toEqual(before)
    expect(await holderOf(at, NOW)).toBeUndefined()
  },
)

test.each<[at: string, body: string | undefined, mtime: Date]>([
  ['before anything was mirrored', '', YESTERDAY],
  ['with its pid in the file', String(NOBODY), NOW],
])('one that was killed %s keeps nobody waiting: the time is what it was', async (_, body, mtime) => {
  const at = place()
  mirrored(at.mirror, body ?? '', mtime)
  writeFileSync(join(at.state, 'dream-before.json'), JSON.stringify({ mtimeMs: YESTERDAY.getTime() }))
  expect(lastDream(at)).toEqual(YESTERDAY)
  expect(await holderOf(at, NOW)).toBeUndefined()
  await using lock = await DreamLock.acquire(at, NOW)
  expect(lastDream(at)).toEqual(YESTERDAY)
  await lock[Symbol.asyncDispose]()
  expect(lastDream(at)).toEqual(YESTERDAY)
  expect(readFileSync(at.mirror, 'utf8')).toBe('')
})

test.each<[what: string, body: string, ageMinutes: number, busy: boolean]>([
  ['another program that runs', String(SOMEBODY), 10, true],
  ['another program that runs, an hour ago', String(SOMEBODY), 61, false],
  ['another program that is gone', String(NOBODY), 10, false],
  ['an empty body', '', 10, false],
  ['a body that is no pid', 'hello', 10, false],
])('%s in the file', async (_, body, ageMinutes, busy) => {
  const at = place()
  const mtime = new Date(NOW.getTime() - ageMinutes * 60_000)
  mirrored(at.mirror, body, mtime)
  expect((await holderOf(at, NOW))?.pid).toBe(busy ? SOMEBODY : undefined)
  const tried = await DreamLock.acquire(at, NOW).catch((error: unknown) => error)
  if (busy) {
    expect(tried).toBeInstanceOf(DreamBusy)
    expect(readFileSync(at.mirror, 'utf8')).toBe(body)
    expect(statSync(at.mirror).mtime).toEqual(mtime)
  } else {
    await (tried as DreamLock)[Symbol.asyncDispose]()
    expect(lastDream(at)).toEqual(mtime)
  }
})
