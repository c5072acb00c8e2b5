import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { History } from './history.ts'

const cursors = (entries: ReadonlyArray<{ cursor: number }>) => entries.map(({ cursor }) => cursor)

async function historyOf(count: number): Promise<{ history: History; directory: string }> {
  const directory = join(temporaryDirectory(), 'memory')
  const history = new History(directory, { now: () => new Date(2026, 3, 3, 0, 2) })
  for (let entry = 1; entry <= count; entry++) await history.append(`- entry ${entry}`)
  return { history, directory }
}

test('the lines and cursors are those that other programs read', async () => {
  const { history, directory } = await historyOf(2)
  expect(readFileSync(history.path, 'utf8')).toBe(
    '{"cursor":1,"timestamp":"2026-04-03 00:02","content":"- entry 1"}\n' +
      '{"cursor":2,"timestamp":"2026-04-03 00:02","content":"- entry 2"}\n',
  )
  expect(readFileSync(join(directory, '.cursor'), 'utf8').trim()).toBe('3')
  expect(cursors(await history.undreamt())).toEqual([1, 2])
  await history.markDreamt(1)
  expect(readFileSync(join(directory, '.dream_cursor'), 'utf8').trim()).toBe('1')
  expect(cursors(await history.undreamt())).toEqual([2])
})

test('a dream takes the oldest, the prompt shows the newest', async () => {
  const { history } = await historyOf(5)
  expect(cursors(await history.waiting(2))).toEqual([1, 2])
  expect(cursors(await history.undreamt(2))).toEqual([4, 5])
})

test.each<[what: string, cursor: string | null, dream: string | null, next: number, waiting: number[]]>([
  ['both lost', null, null, 4, [1, 2, 3]],
  ['nonsense', 'x', '-1', 4, [1, 2, 3]],
  ['both ahead', '99', '98', 4, []],
  ['behind', '1', '1', 4, [2, 3]],
])('cursors that are wrong are put right from the file: %s', async (_, cursor, dream, next, waiting) => {
  const { history, directory } = await historyOf(3)
  for (const [name, text] of [
    ['.cursor', cursor],
    ['.dream_cursor', dream],
  ] as const) {
    rmSync(join(directory, name), { force: true })
    if (text !== null) writeFileSync(join(directory, name), text)
  }
  expect(cursors(await history.waiting())).toEqual(waiting)
  expect((await history.append('new')).cursor).toBe(next)
  expect(cursors(await history.waiting())).toContain(next)
})

test('numbers do not come back when the file is gone', async () => {
  const { history } = await historyOf(3)
  rmSync(history.path)
  expect((await history.append('new')).cursor).toBe(4)
})

test('the dream cursor neither goes back by itself nor beyond the last entry', async () => {
  const { history } = await historyOf(3)
  await history.markDreamt(99)
  expect(await history.dreamtUpTo()).toBe(3)
  await history.markDreamt(1)
  expect(await history.dreamtUpTo()).toBe(3)
  await history.rewind(1)
  expect(cursors(await history.waiting())).toEqual([2, 3])
})

test('compacting drops the oldest that were dreamt, and nothing else', async () => {
  const { history } = await historyOf(6)
  appendFileSync(history.path, 'not json\n{"cursor":"x"}\n')
  await history.markDreamt(4)
  expect(await history.compact(2)).toBe(2)
  expect(cursors(await history.entries())).toEqual([3, 4, 5, 6])
  expect(readFileSync(history.path, 'utf8')).toMatch(/not json\n\{"cursor":"x"\}\n$/)
  await history.markDreamt(6)
  expect(await history.compact(0)).toBe(3)
  expect(cursors(await history.entries())).toEqual([6])
  expect((await history.append('next')).cursor).toBe(7)
  expect(await history.compact(10)).toBe(0)
})

test('what no dream can digest is set aside, once, and dreams go on after it', async () => {
  const { history } = await historyOf(3)
  const batch = await history.waiting(2)
  await history.setAside(batch, 'failed three times')
  await history.setAside(batch, 'failed three times')
  expect((await history.dead()).map(({ cursor, reason }) => `${cursor} ${reason}`)).toEqual([
    '1 failed three times',
    '2 failed three times',
  ])
  expect(cursors(await history.waiting())).toEqual([3])
})

test('an empty directory, and entries written at once by many, have numbers of their own', async () => {
  const directory = temporaryDirectory()
  mkdirSync(join(directory, 'memory'))
  const history = new History(join(directory, 'memory'))
  expect(await history.undreamt()).toEqual([])
  expect(await history.dreamtUpTo()).toBe(0)
  await Promise.all(
    Array.from({ length: 8 }, (_, at) => new History(join(directory, 'memory')).append(`${at}`)),
  )
  expect(cursors(await history.entries())).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
})

test('whatever stands in the files, every entry is dreamt or waits, and numbers only grow', async () => {
  const line = fc.oneof(
    fc.record({ cursor: fc.integer({ min: -2, max: 50 }), timestamp: fc.string(), content: fc.string() }),
    fc.jsonValue(),
  )
  const cursor = fc.oneof(fc.constant(''), fc.integer({ min: -5, max: 80 }).map(String), fc.string())
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 8 }), cursor, cursor, async (lines, next, dream) => {
      const directory = temporaryDirectory()
      const history = new History(directory)
      writeFileSync(history.path, lines.map(value => `${JSON.stringify(value)}\n`).join(''))
      writeFileSync(join(directory, '.cursor'), next)
      writeFileSync(join(directory, '.dream_cursor'), dream)
      const highest = Math.max(0, ...cursors(await history.entries()))
      const entry = await history.append('new')
      expect(entry.cursor).toBeGreaterThan(highest)
      expect(cursors(await history.waiting())).toContain(entry.cursor)
    }),
    { numRuns: 60 },
  )
})
