import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Memory, openMemory, ReverieError } from './index.ts'
import { temporaryDirectory } from './store/temporary-directory.fixture.ts'

test('the example in the documentation runs as it stands', async () => {
  const text = readFileSync(new URL('../docs/library.md', import.meta.url), 'utf8')
  const [, code = ''] = /```ts\n(?:import .*\n)+\n([\s\S]*?)```/.exec(text) ?? []
  expect(code).toContain('openMemory')
  const lines: unknown[] = []
  const script = code.replaceAll(/^using memory = /gm, 'const memory = ').replaceAll(/console\.log/g, 'log')
  const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor
  const run = new AsyncFunction('openMemory', 'ReverieError', 'log', `${script}\nreturn memory`)
  const home = temporaryDirectory()
  const open = (options: object) => openMemory({ ...options, home, project: home })
  using memory: Memory = await run(open, ReverieError, (...values: unknown[]) => lines.push(values.join(' ')))
  expect(lines).toEqual(['user_prefers-tabs.md', 'Prefers tabs: saved today', '1', 'refused'])
  expect(await memory.list()).toEqual([])
})
