import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { importProblems, ROOMS } from './rooms.ts'

test.each([
  ['src/store/a.ts', `import { b } from './b.ts'`, []],
  ['src/cli/a.ts', `import { b } from '../store/index.ts'`, []],
  ['src/index.ts', `export { b } from './cli/main.ts'`, []],
  ['src/store/a.ts', `const b = await import('../cli/index.ts')`, ['store lies below cli']],
  ['src/store/journal/a.ts', `import { b } from '../../config/index.ts'`, ['store lies below config']],
  ['src/cli/a.ts', `import type { B } from '../store/lock.ts'`, [`import from '../store/index.ts'`]],
  ['src/cli/a.test.ts', `import type { B } from '../store/lock.ts'`, []],
  ['src/cli/a.ts', `import { b } from '../surfaces/mcp/index.ts'`, []],
  ['src/cli/a.ts', `import { b } from '../surfaces/mcp/http.ts'`, [`import from '../surfaces/index.ts'`]],
  ['src/cli/a.ts', `import { b } from '../index.ts'`, ['a room does not import src/index.ts']],
  ['src/utils/a.ts', `import 'node:fs'`, ['src/utils is not a room']],
])('%s with %s', (file, text, expected) => {
  const problems = importProblems(file, text)
  expect(problems).toHaveLength(expected.length)
  for (const [at, words] of expected.entries()) expect(problems[at]).toContain(words)
})

test('the picture of the rooms shows all there are, in their order', () => {
  const [picture = ''] = /```\n[\s\S]*?```/.exec(readFileSync('docs/architecture.md', 'utf8')) ?? []
  const shown = [...picture.matchAll(/^ +([a-z]+) {3,}/gm)].map(([, room]) => room)
  expect(shown.toReversed()).toEqual(ROOMS)
  const there = readdirSync('src', { withFileTypes: true }).filter(entry => entry.isDirectory())
  expect(there.map(({ name }) => name).sort()).toEqual(ROOMS.toSorted())
})
