import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Message } from '../session/index.ts'
import { replied, returned, said } from '../session/session.fixture.ts'
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
  const back = putBack({ dropped: [], kept: [kept], files, fileTokens: 100, skill: () => '', skillTokens: 0 })
  expect(back.map(({ name }) => name)).toEqual(['6', '5', '4'].map(name => join(root, name)))
  for (const { text } of back) expect(estimateText(text)).toBeLessThan(130)
})

test('skills that were in use come back once, as they are now, the newest first, as far as they fit', () => {
  const use = (call: string, name: string) => [
    { ...replied(''), parts: [{ type: 'tool-call' as const, call, tool: 'skill', input: { name } }] },
    returned(call, 'skill', '[old result cleared]'),
  ]
  const sizes: Record<string, number> = { big: 900, deploy: 50, review: 50 }
  const skill = (name: string) => (name in sizes ? `${name} ${'word '.repeat(sizes[name] ?? 0)}` : undefined)
  const back = (dropped: Message[], kept: Message[] = []) =>
    putBack({ dropped, kept, files: [], fileTokens: 0, skill, skillTokens: 200 })
  const dropped = ['big', 'deploy', 'gone', 'review', 'deploy'].flatMap((name, at) => use(`c${at}`, name))
  expect(back(dropped).map(({ name }) => name)).toEqual(['deploy', 'review'])
  expect(back(dropped, use('e', 'review')).map(({ name }) => name)).toEqual(['deploy'])
  // Put back once, it is in use still when the conversation is made shorter the next time.
  expect(back([said('', back(dropped))]).map(({ name }) => name)).toEqual(['review', 'deploy'])
})
