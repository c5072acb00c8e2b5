import { expect, test } from 'vitest'
import { nextDirectory } from './working-directory.ts'

test.each([
  [undefined, '/p/a', 0],
  ['/p/a', '/p/a', 0],
  ['/p/b', '/p/b', 1],
  ['/p', '/p', 1],
  ['/', '/p', 1],
  ['/pq', '/p', 1],
])('told %j, the next is %s', (told, directory, notes) => {
  const next = nextDirectory({ root: '/p', directory: '/p/a' }, told)
  expect([next.directory, next.notes.length]).toEqual([directory, notes])
})
