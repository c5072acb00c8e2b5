import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fileNameProblem, isInside, safeJoin, UnsafePath } from './paths.ts'

test.each(['user_tabs.md', 'Ünïcode 制表符.md', 'a', '.hidden', 'con_notes.md', '...x'])(
  'takes %j as a file name',
  name => {
    expect(fileNameProblem(name)).toBeUndefined()
    expect(safeJoin('/root', name)).toBe(join('/root', name))
  },
)

test.each([
  '',
  '.',
  '..',
  '../x',
  'a/b',
  'a\\b',
  '/etc/passwd',
  'a\0b',
  'a\nb',
  'x\u202emd.exe',
  'a\u2215b',
  'a\uff0fb',
  'a\uff3cb',
  'CON',
  'nul.md',
  'com1',
  'LPT9.txt',
  'com¹',
  'a.',
  'a ',
  'a:b',
  'what?',
  '\ud800',
  'x'.repeat(256),
])('refuses %j as a file name', name => {
  expect(fileNameProblem(name)).toBeTypeOf('string')
  expect(() => safeJoin('/root', name)).toThrow(UnsafePath)
})

test('no string leads out of the directory it is joined to', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('..', '/', '\\', '.', '\0', 'a', '%2e'),
  )
  fc.assert(
    fc.property(
      fc.array(piece).map(pieces => pieces.join('')),
      name => {
        try {
          return isInside('/root', safeJoin('/root', name)) && safeJoin('/root', name) !== '/root'
        } catch (error) {
          return error instanceof UnsafePath
        }
      },
    ),
    { numRuns: 2000 },
  )
})

test.each([
  ['/a', '/a', true],
  ['/a', '/a/b/c', true],
  ['/a', '/a/..b', true],
  ['/a', '/ab', false],
  ['/a', '/a/../b', false],
  ['/a/b', '/a', false],
  ['/', '/x', true],
])('isInside(%s, %s) is %s', (root, path, expected) => {
  expect(isInside(root, path)).toBe(expected)
})
