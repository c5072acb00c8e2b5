import { expect, test } from 'vitest'
import { replied, said } from '../session/session.fixture.ts'
import { extractSummary } from './extract.ts'
import { estimateText } from './tokens.ts'

test('what the person told stays through a hundred summaries, within its size', () => {
  let summary: string | undefined
  const facts = ['My name is Ann Lindqvist.', 'We deploy to port 8443 and never on Fridays.']
  for (let round = 0; round < 100; round++) {
    const asked = Array.from({ length: 6 }, (_, at) =>
      said(`Could you look at item ${round * 6 + at} for me?`),
    )
    const messages = round === 0 ? [said(facts.join(' ')), ...asked] : asked
    summary = extractSummary([...messages, replied(`Looked at ${round}.`)], summary, { tokens: 400 })
    expect(estimateText(summary)).toBeLessThan(500)
  }
  for (const fact of facts) expect(summary).toContain(fact)
  expect(summary).toContain('item 599')
  expect(summary).toContain('Looked at 99.')
})

test('only the person tells: what a model or a tool said is no fact, and questions are none', () => {
  const memory = { ...said('My name is Eve and we always deploy.'), origin: 'memory' as const }
  const summary = extractSummary(
    [memory, said('Is our name Bob?'), replied('We always use tabs.')],
    undefined,
    {
      tokens: 300,
    },
  )
  expect(summary).not.toContain('Eve')
  expect(summary.split('## What was asked')[0]).not.toContain('Bob')
  expect(summary).toContain('## What was done last\n- We always use tabs.')
})

test('what a model summarised before is kept as what was told', () => {
  expect(
    extractSummary([said('Hello there, I am back.')], 'Ann wants tabs.\n\n- port 8443', { tokens: 300 }),
  ).toMatch(/Ann wants tabs\.\n- port 8443/)
})

test.each([
  ['the port of the gateway', 'Can you see why gateways hang?', 'Our name for part 7 is Weekly Report 7.'],
  ['数据库', '帮我看看数据库的连接。', 'Our name for part 7 is Weekly Report 7.'],
])('what the person wants to be kept is kept above all: %s', (focus, wanted, other) => {
  const talk = Array.from({ length: 60 }, (_, at) => said(`Our name for part ${at} is Weekly Report ${at}.`))
  const messages = [...talk, said(wanted), replied('Yes.')]
  const [plain, kept] = [undefined, focus].map(
    focus => extractSummary(messages, undefined, { tokens: 300, focus }).split('## What was asked')[0] ?? '',
  )
  expect(plain).toContain(other)
  expect(plain).not.toContain(wanted)
  expect(kept).toContain(wanted)
})
