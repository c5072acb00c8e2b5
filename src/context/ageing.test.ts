import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Message, toolCallsOf, toolResultsOf } from '../session/index.ts'
import { replied, returned, said } from '../session/session.fixture.ts'
import { capResults, clearOldResults } from './ageing.ts'
import { estimateMessages } from './tokens.ts'

const EXCHANGE = fc.record({ calls: fc.nat(4), words: fc.nat(2_000) }).map(({ calls, words }): Message[] => {
  const ids = Array.from({ length: calls }, () => crypto.randomUUID())
  return [
    said(`Please look, ${words}.`),
    ...(calls > 0
      ? [
          replied(
            '',
            ids.map((id): [string, string] => [id, 't']),
          ),
        ]
      : []),
    ...ids.map(id => returned(id, 't', 'word '.repeat(words))),
    replied('Done.'),
  ]
})
const CONVERSATION = fc.array(EXCHANGE, { maxLength: 6 }).map(exchanges => exchanges.flat())

const STEPS = [
  ['clearing', (messages: readonly Message[]) => clearOldResults(messages, { fresh: 1_000 })],
  ['capping', (messages: readonly Message[]) => capResults(messages, { characters: 1_500 })],
] as const

test.each(STEPS)(
  '%s: pairs stay paired, words stay, what is freed is what is gone, twice is once',
  (_, step) => {
    fc.assert(
      fc.property(CONVERSATION, messages => {
        const { messages: after, freed } = step(messages)
        expect(after.map(({ id }) => id)).toEqual(messages.map(({ id }) => id))
        expect(after.flatMap(toolResultsOf).map(({ call }) => call)).toEqual(
          messages.flatMap(toolCallsOf).map(({ call }) => call),
        )
        expect(after.filter(({ role }) => role !== 'tool')).toEqual(
          messages.filter(({ role }) => role !== 'tool'),
        )
        expect(estimateMessages(messages) - estimateMessages(after)).toBe(freed)
        expect(step(after)).toEqual({ messages: after, freed: 0 })
      }),
    )
  },
)

test('what was returned last stays, however long; what is older goes, and says where it is', () => {
  const old = returned('a', 't', 'word '.repeat(500))
  const [part] = toolResultsOf(old)
  const kept = { ...old, parts: part ? [{ ...part, file: '/outputs/a.txt' }] : [] }
  const last = returned('b', 't', 'word '.repeat(5_000))
  const skill = returned('c', 'skill', 'word '.repeat(500))
  const [asking, asked] = [replied('', [['b', 't']]), { fresh: 100, spare: new Set(['skill']) }]
  const { messages } = clearOldResults([kept, skill, asking, last], asked)
  expect(toolResultsOf(messages[0] ?? { parts: [] })[0]?.content).toEqual([
    { type: 'text', text: '[old result cleared] It is in /outputs/a.txt' },
  ])
  expect(messages.slice(1)).toEqual([skill, asking, last])
  // None of those that were returned together has been seen yet.
  expect(clearOldResults([asking, kept, last], { fresh: 0 }).freed).toBe(0)
})
