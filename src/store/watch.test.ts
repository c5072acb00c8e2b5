import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from './temporary-directory.fixture.ts'
import { compareListings, type DirectoryChange, DirectoryWatcher, type WatchOptions } from './watch.ts'

/** Polling never comes to help, so that what is told was noticed. */
const NO_POLL = { settleMs: 5, pollMs: 1_000_000 }
/** Only polling, fast. */
const FAST_POLL = { settleMs: 1, pollMs: 10 }
const patiently = { timeout: 20_000 }

async function watching(directory: string, options: WatchOptions) {
  const told: DirectoryChange[] = []
  const watcher = await DirectoryWatcher.start(directory, changes => told.push(...changes), options)
  const has = (kind: DirectoryChange['kind'], file: string) =>
    expect.poll(() => told.some(change => change.kind === kind && change.file === file), patiently).toBe(true)
  return { told, has, watcher }
}

test('tells each change once, and nothing that was there before', async () => {
  const directory = temporaryDirectory()
  await fs.writeFile(join(directory, 'old.md'), 'old')
  const { told, has, watcher } = await watching(directory, NO_POLL)
  await fs.writeFile(join(directory, 'new.md'), 'new')
  await has('added', 'new.md')
  await fs.appendFile(join(directory, 'old.md'), ' and changed')
  await has('changed', 'old.md')
  await fs.unlink(join(directory, 'new.md'))
  await has('removed', 'new.md')
  await watcher.close()
  expect(told.filter(({ kind }) => kind === 'added')).toEqual([{ file: 'new.md', kind: 'added' }])
  expect(told.filter(({ kind }) => kind === 'removed')).toEqual([{ file: 'new.md', kind: 'removed' }])
})

test('a change while the first listing is being made tells only that change', async () => {
  const directory = temporaryDirectory()
  const names = Array.from({ length: 2_000 }, (_, n) => `${n}.md`)
  await Promise.all(names.map(name => fs.writeFile(join(directory, name), '')))
  const told: DirectoryChange[] = []
  // Settles at once: the look after the first notification runs into the first listing.
  const starting = DirectoryWatcher.start(directory, changes => told.push(...changes), {
    settleMs: 0,
    pollMs: 1_000_000,
  })
  await fs.writeFile(join(directory, 'early.md'), '')
  const watcher = await starting
  await fs.writeFile(join(directory, 'late.md'), '')
  await expect.poll(() => told.some(({ file }) => file === 'late.md'), patiently).toBe(true)
  await watcher.close()
  expect(told.filter(({ file }) => names.includes(file))).toEqual([])
})

test('passes over what the filter refuses, and directories', async () => {
  const directory = temporaryDirectory()
  const { told, has, watcher } = await watching(directory, {
    ...NO_POLL,
    filter: name => name.endsWith('.md'),
  })
  await fs.writeFile(join(directory, 'a.txt'), '')
  await fs.mkdir(join(directory, 'sub.md'))
  await fs.writeFile(join(directory, 'b.md'), '')
  await has('added', 'b.md')
  await watcher.close()
  expect(told.map(({ file }) => file)).toEqual(['b.md'])
})

test('a directory that comes later, goes and comes back is followed', async () => {
  const directory = join(temporaryDirectory(), 'memory')
  const { has, told, watcher } = await watching(directory, FAST_POLL)
  await fs.mkdir(directory)
  await fs.writeFile(join(directory, 'a.md'), '')
  await has('added', 'a.md')
  await fs.rm(directory, { recursive: true })
  await has('removed', 'a.md')
  await fs.mkdir(directory)
  told.length = 0
  await fs.writeFile(join(directory, 'a.md'), '')
  await has('added', 'a.md')
  await watcher.close()
})

test('a directory replaced by another of its name is listened to again, without polling', async () => {
  const top = temporaryDirectory()
  const directory = join(top, 'memory')
  await fs.mkdir(directory)
  const { has, watcher } = await watching(directory, NO_POLL)
  await fs.rm(directory, { recursive: true })
  await fs.mkdir(join(top, 'fresh'))
  await fs.writeFile(join(top, 'fresh', 'a.md'), '')
  await fs.rename(join(top, 'fresh'), directory)
  await has('added', 'a.md')
  await fs.writeFile(join(directory, 'b.md'), '')
  await has('added', 'b.md')
  await watcher.close()
})

test('a directory that is gone when looked for is noticed when it comes back, without polling', async () => {
  const top = temporaryDirectory()
  const directory = join(top, 'above', 'memory')
  await fs.mkdir(directory, { recursive: true })
  await fs.writeFile(join(directory, 'old.md'), '')
  const { has, watcher } = await watching(directory, NO_POLL)
  await fs.rm(join(top, 'above'), { recursive: true })
  await has('removed', 'old.md') // so a look has found nothing there
  await fs.mkdir(join(top, 'above'))
  await fs.mkdir(directory)
  await fs.writeFile(join(directory, 'a.md'), '')
  await has('added', 'a.md')
  await fs.writeFile(join(directory, 'b.md'), '')
  await has('added', 'b.md')
  await watcher.close()
})

test('after closing nothing is told', async () => {
  const directory = temporaryDirectory()
  const { told, watcher } = await watching(directory, FAST_POLL)
  await watcher.close()
  await fs.writeFile(join(directory, 'a.md'), '')
  const { has, watcher: second } = await watching(directory, FAST_POLL)
  await fs.writeFile(join(directory, 'b.md'), '')
  await has('added', 'b.md')
  await second.close()
  expect(told).toEqual([])
})

test('listings are compared by stamp', () => {
  const before = new Map([
    ['same', '1'],
    ['changed', '1'],
    ['gone', '1'],
  ])
  const after = new Map([
    ['same', '1'],
    ['changed', '2'],
    ['new', '1'],
  ])
  expect(compareListings(before, after)).toEqual([
    { file: 'changed', kind: 'changed' },
    { file: 'new', kind: 'added' },
    { file: 'gone', kind: 'removed' },
  ])
})
