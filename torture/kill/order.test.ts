import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ensureDirectory } from '../../src/store/atomic-file.ts'
import { Journal } from '../../src/store/journal/index.ts'
import { JsonlFile } from '../../src/store/jsonl.ts'
import { temporaryDirectory } from '../../src/store/temporary-directory.fixture.ts'
import { brokenOrder, type FileEvent, readTrace } from './order.ts'
import { recordFileEvents } from './recorder.fixture.ts'

const write = (path: string): FileEvent => ({ call: 'write', path })
const sync = (path: string): FileEvent => ({ call: 'sync', path })
const rename = (from: string, to: string): FileEvent => ({ call: 'rename', from, to })
const acknowledge: FileEvent = { call: 'acknowledge' }
const object = [
  write('/g/objects/tmp_1'),
  sync('/g/objects/tmp_1'),
  rename('/g/objects/tmp_1', '/g/objects/ab/c'),
]
const branch = [
  write('/g/refs/heads/t'),
  sync('/g/refs/heads/t'),
  rename('/g/refs/heads/t', '/g/refs/heads/main'),
]

test.each<[what: string, events: FileEvent[], broken: number]>([
  ['the right order', [...object, sync('/g/objects/ab'), ...branch, sync('/g/refs/heads'), acknowledge], 0],
  ['an object without a sync', object.filter(({ call }) => call !== 'sync'), 1],
  ['a sync before the last write', [write('/a'), sync('/a'), write('/a'), rename('/a', '/b')], 1],
  ['a branch before the directory of an object', [...object, ...branch], 1],
  ['an acknowledgement before the directory', [...branch, acknowledge], 1],
  ['an acknowledgement before an append is synced', [write('/log'), acknowledge], 1],
  ['a temporary file that was given up', [write('/t'), { call: 'unlink', path: '/t' }, acknowledge], 0],
])('%s', (_, events, broken) => {
  expect(brokenOrder(events, () => false).length).toBe(broken)
})

test('reads a trace, also of calls that overlap or fail', () => {
  const trace = [
    '10 write(1<pipe:[7]>, ""..., 4) = 4',
    '11 fsync(20</h/.t> <unfinished ...>',
    '12 pwrite64(21</h/log>, ""..., 9, 0) = 9',
    '11 <... fsync resumed>) = 0',
    '11 rename("/h/.t", "/h/a b") = 0',
    '11 rename("/h/x", "/h/y") = -1 ENOENT (No such file or directory)',
    '11 unlink("/h/z") = 0',
  ].join('\n')
  expect(readTrace(trace)).toEqual([
    acknowledge,
    write('/h/log'),
    sync('/h/.t'),
    rename('/h/.t', '/h/a b'),
    { call: 'unlink', path: '/h/z' },
  ])
})

test('the journal syncs objects before the branch, and everything before it returns', async () => {
  const events = recordFileEvents()
  const journal = new Journal({ home: temporaryDirectory() })
  const save = async (count: number, content: string) => {
    const changes = Array.from({ length: count }, (_, n) => ({
      path: `memory/${n}.md`,
      after: Buffer.from(content),
    }))
    await journal.commit({ message: 'x', kind: 'save', changes })
    events.push(acknowledge)
  }
  await save(1, 'loose')
  await save(150, 'packed')
  await journal.purge('memory/7.md')
  events.push(acknowledge)
  expect(brokenOrder(events, path => path.includes('/reverie-lock/'))).toEqual([])
  const names = events.flatMap(event => (event.call === 'rename' ? [event.to] : []))
  for (const end of ['/config', '/main', '.pack', '.idx'])
    expect(
      names.some(name => name.endsWith(end)),
      end,
    ).toBe(true)
})

test('directories made together are each synced into the one above', async () => {
  const top = temporaryDirectory()
  const events = recordFileEvents()
  await ensureDirectory(join(top, 'a/b/c'))
  const synced = events.flatMap(event => (event.call === 'sync' ? [event.path] : []))
  expect(synced.sort()).toEqual([top, join(top, 'a'), join(top, 'a/b')])
})

test('an empty file that a killed process made is synced into its directory before it is used', async () => {
  const top = temporaryDirectory()
  writeFileSync(join(top, 'log.jsonl'), '')
  const events = recordFileEvents()
  await using _file = await JsonlFile.open(join(top, 'log.jsonl'))
  expect(events).toContainEqual(sync(top))
})
