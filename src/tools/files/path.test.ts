import { expect, test } from 'vitest'
import { fileAgent } from './agent.fixture.ts'
import { BadPath, shownPath, toAbsolute } from './path.ts'

const here = { directory: '/work/here' }

test.each([
  ['a.txt', '/work/here/a.txt'],
  ['../a.txt', '/work/a.txt'],
  ['/etc/hosts', '/etc/hosts'],
  ['~/x', '/home/me/x'],
  ['~', '/home/me'],
  ['~other/x', '/work/here/~other/x'],
])('%s is %s', (path, absolute) => {
  expect(toAbsolute(path, here, '/home/me')).toBe(absolute)
})

test.each(['', '  ', 'a\0b', 'a\nb', 'a\x1b[0m', '\ud800'])('%j is refused', path => {
  expect(() => toAbsolute(path, here)).toThrow(BadPath)
})

test('paths are shown short where they lie below', () => {
  expect(shownPath('/work/here/a/b', here)).toBe('a/b')
  expect(shownPath('/work/elsewhere', here)).toBe('/work/elsewhere')
})

test('every tool says what it touches, with absolute paths; a call that will be refused touches nothing', () => {
  const { tool, at, root } = fileAgent()
  const touches = (name: string, input: unknown) => tool(name).touches?.(input)
  expect(touches('read_file', { path: 'a' })).toEqual([{ kind: 'read', path: at('a') }])
  expect(touches('write_file', { path: 'a', content: '' })).toEqual([{ kind: 'write', path: at('a') }])
  expect(touches('edit_file', { path: 'a', old: 'x', new: 'y' })).toEqual([{ kind: 'write', path: at('a') }])
  expect(touches('glob', { pattern: 'src/deep/**/*.ts' })).toEqual([{ kind: 'read', path: at('src/deep') }])
  expect(touches('glob', { pattern: '/etc/*' })).toEqual([{ kind: 'read', path: '/etc' }])
  expect(touches('glob', { pattern: '../*' })).toEqual([{ kind: 'read', path: at('..') }])
  expect(touches('grep', { pattern: 'x' })).toEqual([{ kind: 'read', path: root }])
  const patch =
    '*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-x\n+y\n*** Delete File: c\n*** End Patch'
  expect(touches('apply_patch', { patch })).toEqual(
    ['a', 'b', 'c'].map(path => ({ kind: 'write', path: at(path) })),
  )
  expect(touches('read_file', { path: 'a\0' })).toEqual([])
  expect(touches('apply_patch', { patch: 'nonsense' })).toEqual([])
})
