import { expect, test } from 'vitest'
import type { Finding } from './findings.ts'
import { choiceLine, factOf, headline, memoryLine, saidIn, saidLine } from './showing.ts'

const FINDING: Finding = {
  file: 'user_a.md',
  name: 'A',
  type: 'user',
  description: 'about A',
  body: 'Line one.\n\n**Why:** line two',
  snippet: '',
  note: 'saved today',
  ageDays: 0,
  origin: 'owner',
}

test('a memory is shown on one line, with its file and its age', () => {
  expect(memoryLine(FINDING, 'en')).toBe('- Line one. Why: line two — user_a.md, saved today')
  expect(memoryLine(FINDING, 'zh')).toBe('- Line one. Why: line two — user_a.md, 今天保存')
  expect(memoryLine({ ...FINDING, note: '', ageDays: 1 }, 'en')).toContain('saved 1 day ago')
  expect(memoryLine({ ...FINDING, ageDays: 9 }, 'zh')).toContain('9 天前保存;只是当时的快照,使用前请核实')
  expect(memoryLine({ ...FINDING, origin: 'team' }, 'en')).toContain('user_a.md, from the team, saved today')
  expect(choiceLine(FINDING, 2)).toBe('2. A — user_a.md')
})

test('what a memory says is its body, else whatever it has; long ones are cut, and nothing steers a terminal', () => {
  expect(factOf({ ...FINDING, body: '', snippet: 'snip' })).toBe('about A')
  expect(factOf({ ...FINDING, body: ' ', description: '', snippet: 'snip' })).toBe('snip')
  expect(factOf({ ...FINDING, body: 'word '.repeat(500) }).length).toBeLessThanOrEqual(300)
  expect(factOf({ ...FINDING, body: 'a\u001b[31mb\u202ec' })).toBe('a[31mbc')
})

test('a statement goes by its name, or by the line that says what its name only names', () => {
  expect(headline({ name: 'Timezone', description: 'Timezone: CET' })).toBe('Timezone: CET')
  expect(headline({ name: 'Prefers tabs', description: 'Preference of the owner: tabs' })).toBe(
    'Prefers tabs',
  )
})

test('what was said in an earlier conversation', () => {
  const said = saidIn([
    { session: 's1', title: 'T', at: '2026-04-06T09:00:00Z', role: 'user', snippet: 'hello\nthere' },
    { session: 's2' },
    null,
    3,
  ])
  expect(said).toHaveLength(1)
  expect(said.map(each => saidLine(each, 'zh'))).toEqual(['- 2026-04-06, 你: hello there — T, s1'])
  expect(saidIn('nothing')).toEqual([])
})
