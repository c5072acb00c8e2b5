import { expect, test } from 'vitest'
import { inShort, messagesIn } from '../import.fixture.ts'
import { openCodeMessages } from '../sources.fixture.ts'
import { convertMessage, isComplete } from './message.ts'

const AT = '2026-01-01T00:00:00.000Z'

test('a message with its tools becomes messages of ours, in the order in which things were known', () => {
  const messages = openCodeMessages().flatMap(message => messagesIn(convertMessage(message, AT)))
  expect(messages.map(inShort)).toEqual([
    'user/person: Read the file | attachment Called the Read tool',
    'assistant/model: thinking I read it. | call read {"path":"a"}',
    'tool/tool: ok read hello',
    'assistant/model: It says hello.',
  ])
  expect(messages.map(({ id }) => id)).toEqual(['msg_001', 'msg_002', 'msg_002.1', 'msg_002.2'])
  expect(messages[1]).toMatchObject({
    at: '2026-01-15T10:00:02.000Z',
    model: 'anthropic/claude-sonnet-4-5',
    usage: { input: 115, output: 27, cacheRead: 100, cacheWrite: 10, usd: 0.02 },
    stop: 'end',
  })
  expect(messages[3]).not.toHaveProperty('usage')
})

test.each<[what: string, info: object, parts: object[], expected: string[]]>([
  [
    'only the program speaks',
    { role: 'user' },
    [{ type: 'text', text: 'Continue', synthetic: true }],
    ['user/program: Continue'],
  ],
  [
    'an image',
    { role: 'user' },
    [{ type: 'file', mime: 'image/png', url: 'data:image/png;base64,AA==' }],
    ['user/person: image'],
  ],
  [
    'a file',
    { role: 'user' },
    [
      { type: 'text', text: 'Look' },
      { type: 'file', mime: 'text/plain', filename: 'a.ts', url: 'file:///a.ts' },
    ],
    ['user/person: Look | attachment file:///a.ts'],
  ],
  [
    'a tool that failed, and one that was interrupted',
    { role: 'assistant' },
    [
      { type: 'tool', callID: 'a', tool: 'bash', state: { status: 'error', input: {}, error: 'no' } },
      { type: 'tool', callID: 'b', tool: 'bash', state: { status: 'running', input: {} } },
    ],
    ['assistant/model: call bash {} | call bash {}', 'tool/tool: error bash no | interrupted bash '],
  ],
  [
    'nothing said',
    { role: 'assistant' },
    [{ type: 'step-start' }, { type: 'patch', hash: 'x', files: [] }],
    [],
  ],
])('%s', (_, info, parts, expected) => {
  const stored = { id: 'msg', info, parts: parts.map((data, n) => ({ id: `prt_${n}`, data })) }
  expect(messagesIn(convertMessage(stored, AT)).map(inShort)).toEqual(expected)
})

test('a reply is complete when it says so, or has failed', () => {
  expect(isComplete({ role: 'assistant', time: { created: 1 } })).toBe(false)
  expect(isComplete({ role: 'assistant', time: { completed: Date.now() } })).toBe(true)
  expect(isComplete({ role: 'assistant', error: { name: 'MessageAbortedError' } })).toBe(true)
  expect(convertMessage({ id: 'm', info: 5, parts: [] }, AT)).toEqual([
    { problem: 'message "m" has no role' },
  ])
})
