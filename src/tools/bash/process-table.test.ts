import { expect, test } from 'vitest'
import { type ProcessRow, parseStat, startedBy } from './process-table.ts'

const row = (pid: number, parent: number, group = pid, session = group): ProcessRow => ({
  pid,
  parent,
  group,
  session,
  startTime: '1',
})

test.each<[string, ProcessRow[], number[], number[]]>([
  ['its group', [row(10, 1), row(11, 10, 10), row(20, 1)], [], [10, 11]],
  ['a job with a group of its own', [row(10, 1), row(11, 10, 11, 10)], [], [10, 11]],
  ['a child with a session of its own', [row(10, 1), row(11, 10), row(12, 11)], [], [10, 11, 12]],
  [
    'a daemon that carries the mark, and its children',
    [row(10, 1), row(30, 1), row(31, 30), row(20, 1)],
    [30],
    [10, 30, 31],
  ],
  ['what is left when the shell is gone', [row(11, 1, 10), row(20, 1)], [], [11]],
  ['nothing', [row(20, 1)], [], []],
])('%s', (_, rows, marked, found) => {
  expect(startedBy(rows, 10, pid => marked.includes(pid)).map(({ pid }) => pid)).toEqual(found)
})

test('the name of a program cannot be taken for the fields after it', () => {
  const rest = 'S 7 8 9 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 4242 1 2'
  expect(parseStat(5, `5 (odd ) R 1 1) ${rest}`)).toEqual({
    pid: 5,
    parent: 7,
    group: 8,
    session: 9,
    startTime: '4242',
  })
  expect(parseStat(5, `5 (gone) ${rest.replace('S', 'Z')}`)).toBeUndefined()
})
