import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fileNameProblem } from '../store/index.ts'
import { assertMemoryFile, BadFileName, fileNames, isMemoryFileName, nameKey, slugOf } from './name.ts'

test.each([
  ['Prefers tabs', 'prefers-tabs'],
  ['CI/CD', 'ci-cd'],
  ['  Straße & Café!  ', 'stra-e-cafe'],
  ['../../etc/passwd', 'etc-passwd'],
  ['x'.repeat(200), 'x'.repeat(60)],
])('%j becomes %j', (name, slug) => {
  expect(slugOf(name)).toBe(slug)
})

test('a name without ASCII letters becomes a short hash, the same each time', () => {
  expect(slugOf('缩进')).toMatch(/^[0-9a-f]{8}$/)
  expect(slugOf('缩进')).toBe(slugOf('缩进'))
  expect(slugOf('缩进')).not.toBe(slugOf('缩小'))
  expect(slugOf('2026')).toMatch(/^2026-[0-9a-f]{8}$/)
})

test('any name gives plain file names, without end and without repetition', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), name => {
      const [first = '', second = ''] = fileNames('user', name).take(2)
      for (const file of [first, second]) {
        expect(file).toMatch(/^user_[a-z0-9-]+\.md$/)
        expect(fileNameProblem(file)).toBeUndefined()
      }
      expect(first).not.toBe(second)
    }),
  )
})

test('names are the same in spite of case, spacing and Unicode form', () => {
  expect(nameKey(' Prefers  TABS ')).toBe(nameKey('prefers tabs'))
  expect(nameKey('Cafe\u0301')).toBe(nameKey('Café'))
  expect(nameKey('a')).not.toBe(nameKey('b'))
})

test('only plain names of Markdown files are file arguments, and never the index', () => {
  expect(isMemoryFileName('a.md') && isMemoryFileName('A.MD')).toBe(true)
  for (const file of [
    'MEMORY.md',
    'memory.MD',
    '.hidden.md',
    'a.txt',
    '../a.md',
    'team/a.md',
    '/a.md',
    'a\0.md',
    'nul.md',
    '',
  ])
    expect(() => assertMemoryFile(file), file).toThrow(BadFileName)
})
