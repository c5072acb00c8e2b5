import { expect, test } from 'vitest'
import { type Message, readTurn } from './conversation.ts'

const METADATA = '<attachment kind="metadata">\ntime: now\n</attachment>'
const MEMORY = '<attachment kind="memory" name="remembered">\n[{"file":"a.md","name":"A"}]\n</attachment>'

function user(...texts: string[]): Message {
  return { role: 'user', content: texts.map(text => ({ type: 'text', text })) }
}

function said(text: string): Message {
  return { role: 'assistant', content: [{ type: 'text', text }] }
}

function called(id: string, input: unknown): Message {
  return { role: 'assistant', content: [{ type: 'tool-call', toolCallId: id, toolName: 't', input }] }
}

function result(id: string, output: { type: string; value?: unknown; reason?: string }): Message {
  return { role: 'tool', content: [{ type: 'tool-result', toolCallId: id, toolName: 't', output }] }
}

test('the last message of the person counts, without what was put beside it', () => {
  const turn = readTurn([
    { role: 'system', content: 's' },
    user('one'),
    said('1'),
    user(`two\n\n${METADATA}`, METADATA),
  ])
  expect(turn).toMatchObject({
    words: 'two',
    number: 2,
    steps: 0,
    made: [],
    before: { words: 'one', answer: '1' },
  })
})

test('words that follow an attachment in the same text are the person’s', () => {
  expect(readTurn([user(`${METADATA}\n\nhello`)]).words).toBe('hello')
})

test('memories are attached to the message, or stand in messages beside it', () => {
  const files = (...prompt: Message[]) => readTurn(prompt).recalled.map(({ file }) => file)
  expect(files(user('hi', MEMORY))).toEqual(['a.md'])
  expect(files(user(`hi\n\n${MEMORY}`))).toEqual(['a.md'])
  expect(files(user('hi'), user(MEMORY))).toEqual(['a.md'])
  expect(files(said('x'), user(MEMORY), user('hi'))).toEqual(['a.md'])
  expect(files(user('old', MEMORY), said('x'), user('hi'))).toEqual([])
  expect(files(user('hi', '<attachment kind="memory">\nno list\n</attachment>'))).toEqual([])
})

test('calls are read with their results, in every form of result', () => {
  const outputs: Array<[output: { type: string; value?: unknown; reason?: string }, read: unknown]> = [
    [
      { type: 'text', value: '{"a":1}' },
      { ok: true, value: { a: 1 } },
    ],
    [
      { type: 'text', value: 'a sentence' },
      { ok: true, value: 'a sentence' },
    ],
    [
      { type: 'text', value: '{"error":"no"}' },
      { ok: false, message: 'no' },
    ],
    [
      { type: 'json', value: [1] },
      { ok: true, value: [1] },
    ],
    [
      { type: 'content', value: [{ type: 'text', text: '[2]' }, { type: 'file' }] },
      { ok: true, value: [2] },
    ],
    [
      { type: 'error-text', value: 'no' },
      { ok: false, message: 'no' },
    ],
    [
      { type: 'error-json', value: { a: 1 } },
      { ok: false, message: '{"a":1}' },
    ],
    [
      { type: 'execution-denied', reason: 'not now' },
      { ok: false, message: 'not now' },
    ],
    [{ type: 'execution-denied' }, { ok: false, message: 'It was not allowed.' }],
  ]
  for (const [output, read] of outputs) {
    const turn = readTurn([user('hi'), called('1', '{"q":1}'), result('1', output), called('2', { q: 2 })])
    expect(turn.made).toEqual([
      { id: '1', name: 't', input: { q: 1 }, result: read },
      { id: '2', name: 't', input: { q: 2 }, result: undefined },
    ])
    expect(turn.steps).toBe(2)
  }
})

test('what is injected in the middle of the work does not end it; after the answer it is no message', () => {
  const working = [user('hi'), called('1', {}), result('1', { type: 'text', value: '[]' }), user(METADATA)]
  expect(readTurn(working)).toMatchObject({ words: 'hi', steps: 1 })
  expect(readTurn([user('hi'), said('hello'), user(METADATA)]).words).toBeUndefined()
  expect(readTurn([user(METADATA)]).words).toBeUndefined()
  expect(readTurn([]).words).toBeUndefined()
  expect(readTurn([user()]).words).toBe('')
})
