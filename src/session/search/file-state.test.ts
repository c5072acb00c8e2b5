import { expect, test } from 'vitest'
import { changeOf, type FileState, settled, UNREAD, UNSURE } from './file-state.ts'
import { planRefresh } from './plan-refresh.ts'

const stamp = { inode: '7', size: 100, mtimeNs: '5000' }
const known: FileState = { ...UNREAD, ...stamp, consumed: 90 }

test.each([
  ['nothing changed', known, stamp, 'none'],
  ['it grew', known, { ...stamp, size: 101, mtimeNs: '6000' }, 'perhaps grown'],
  ['it grew within a tick of the clock', known, { ...stamp, size: 101 }, 'perhaps grown'],
  ['its unfinished end was cut off', known, { ...stamp, size: 95, mtimeNs: '6000' }, 'perhaps grown'],
  ['it was cut off', known, { ...stamp, size: 89, mtimeNs: '6000' }, 'anew'],
  ['it was written again with the same size', known, { ...stamp, mtimeNs: '6000' }, 'anew'],
  ['it was replaced', known, { ...stamp, inode: '8' }, 'anew'],
  ['the time is not to be relied on', { ...known, mtimeNs: UNSURE }, stamp, 'perhaps grown'],
] as const)('%s', (_, before, now, change) => {
  expect(changeOf(before, now)).toBe(change)
})

test('a time too close to now is not relied on, before or after it', () => {
  const at = 1_000_000_000_000_000_000n
  const look = (mtime: bigint): string => settled({ ...stamp, mtimeNs: String(mtime) }, at).mtimeNs
  expect([look(at), look(at - 40_000_000n), look(at + 40_000_000n)]).toEqual([UNSURE, UNSURE, UNSURE])
  expect(look(at - 60_000_000n)).toBe(String(at - 60_000_000n))
})

test('a refresh looks into what is new, changed or gone, and knows how much that is', () => {
  const before = new Map([
    ['same', known],
    ['grown', known],
    ['rewritten', known],
    ['gone', known],
    ['half dropped', { ...known, consumed: -1 }],
  ])
  const now = new Map([
    ['same', stamp],
    ['grown', { ...stamp, size: 130, mtimeNs: '6000' }],
    ['rewritten', { ...stamp, mtimeNs: '6000' }],
    ['half dropped', stamp],
    ['new', { ...stamp, size: 1_000 }],
  ])
  expect(planRefresh(before, now)).toEqual({
    names: ['gone', 'grown', 'rewritten', 'half dropped', 'new'],
    bytes: 100 + 40 + 200 + 200 + 1_000,
  })
})
