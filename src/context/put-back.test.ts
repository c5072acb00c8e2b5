import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { replied, returned } from '../session/session.fixture.ts'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { putBack } from './put-back.ts'
import { estimateText } from './tokens.ts'

test('the files that were worked with last, shortened; not those that are gone, binary or still in sight', () => {
  const root = temporaryDirectory()
  const files = ['1', '2', '3', '4', '5', '6', '7', 'binary', 'gone'].map(name => join(root, name))
  for (const path of files.slice(0, 8))
    writeFileSync(path, path.endsWith('binary') ? 'a\0b' : 'word '.repeat(500))
  const reading = replied('', [['x', 'read_file']])
  const kept = {
    ...reading,
    parts: reading.parts.map(part => (part.type === 'tool-call' ? { ...part, input: { path: '7' } } : part)),
  }
  const back = putBack({ dropped: [], kept: [kept], files, fileTokens: 100, skillTokens: 0 })
  expect(back.map(({ name }) => name)).toEqual(['6', '5', '4'].map(name => join(root, name)))
  for (const { text } of back) expect(estimateText(text)).toBeLessThan(130)
})

test('skills that were in use come back once, the newest first, as far as they fit', () => {
  const use = (call: string, name: string, tokens: number) => [
    { ...replied(''), parts: [{ type: 'tool-call' as const, call, tool: 'skill', input: { name } }] },
    returned(call, 'skill', `${name} ${'word '.repeat(tokens)}`),
  ]
  const dropped = [
    ...use('a', 'big', 900),
    ...use('b', 'deploy', 50),
    ...use('c', 'review', 50),
    ...use('d', 'deploy', 50),
  ]
  const names = (kept: typeof dropped) =>
    putBack({ dropped, kept, files: [], fileTokens: 0, skillTokens: 200 }).map(({ name }) => name)
  expect(names([])).toEqual(['deploy', 'review'])
  expect(names(use('e', 'review', 1))).toEqual(['deploy'])
})
