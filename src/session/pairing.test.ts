import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Message, toolCallsOf, toolResultsOf } from './message.ts'
import { interruptedResult, paired, unanswered } from './pairing.ts'
import { replied, returned, said } from './session.fixture.ts'

const names = (messages: readonly Message[], started: string[] = []) =>
  unanswered(messages, new Set(started)).map(({ call, started }) => `${call}${started ? ' started' : ''}`)

test.each<[what: string, messages: Message[], started: string[], open: string[]]>([
  ['nothing', [], [], []],
  ['no calls', [said('hi'), replied('hello')], [], []],
  ['answered', [replied('', [['a', 'bash']]), returned('a', 'bash')], ['a'], []],
  ['not begun', [replied('', [['a', 'bash']])], [], ['a']],
  [
    'running',
    [
      replied('', [
        ['a', 'bash'],
        ['b', 'read'],
      ]),
      returned('b', 'read'),
    ],
    ['a', 'b'],
    ['a started'],
  ],
  [
    'two of three',
    [
      replied('', [
        ['a', 'x'],
        ['b', 'x'],
        ['c', 'x'],
      ]),
      returned('b', 'x'),
    ],
    ['a'],
    ['a started', 'c'],
  ],
])('unanswered: %s', (_, messages, started, open) => {
  expect(names(messages, started)).toEqual(open)
})

test('what was running is told from what had not begun', () => {
  const result = (started: boolean) => {
    const [part] = interruptedResult({ call: 'a', tool: 'bash', input: {}, started }).content
    return part?.type === 'text' ? part.text : ''
  }
  expect(result(true)).toMatch(/may have done/)
  expect(result(false)).toMatch(/Nothing was done/)
})

test('after pairing every result has its call before it, and no call has two', () => {
  const message = fc.oneof(
    fc.constant(said('x')),
    fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }).map(calls =>
      replied(
        'x',
        calls.map(call => [call, 't']),
      ),
    ),
    fc.constantFrom('a', 'b', 'c', 'd').map(call => returned(call, 't')),
  )
  fc.assert(
    fc.property(fc.array(message, { maxLength: 12 }), messages => {
      const result = paired(messages)
      const open: string[] = []
      for (const one of result) {
        open.push(...new Set(toolCallsOf(one).map(({ call }) => call)))
        for (const { call } of toolResultsOf(one)) {
          expect(open).toContain(call)
          open.splice(0, open.length, ...open.filter(other => other !== call))
        }
      }
      expect(paired(result)).toEqual(result)
    }),
  )
})

test('a result that came after something else was said stands with its call', () => {
  const [calls, said1, a, b] = [
    replied('', [
      ['a', 'x'],
      ['b', 'x'],
    ]),
    said('meanwhile'),
    returned('a', 'x'),
    returned('b', 'x'),
  ]
  const after = replied('heard')
  expect(paired([calls, a, said1, after, b])).toEqual([calls, a, b, said1, after])
  expect(paired([calls, said1, b, a])).toEqual([calls, b, a, said1])
})
