import { expect, test } from 'vitest'
import type { Json, MessageOrigin, Part } from '../message.ts'
import { asText } from './session-home.fixture.ts'
import { turnText } from './turn-text.ts'

const call = (input: Json): Part => ({ type: 'tool-call', call: 'c', tool: 'bash', input })
const result = (...texts: string[]): Part => ({
  type: 'tool-result',
  call: 'c',
  tool: 'bash',
  outcome: 'ok',
  content: texts.map(text => ({ type: 'text', text })),
})
const read = (parts: Part[], origin: MessageOrigin = 'model') => turnText({ origin, parts })

test('what was said is searched, and nothing else that goes with it', () => {
  const parts: Part[] = [
    { type: 'thinking', text: 'secret thought' },
    asText('Use tabs.'),
    { type: 'image', mediaType: 'image/png', data: 'aGVsbG8=' },
    { type: 'attachment', kind: 'memory', origin: 'memory', text: 'remembered before' },
    asText('Always.'),
  ]
  expect(read(parts)).toEqual({ speaker: '', text: 'Use tabs.\nAlways.', weight: 1 })
})

test.each([
  ['nothing', [], 'person'],
  ['only thinking', [{ type: 'thinking', text: 'hm' }], 'model'],
  ['blanks', [asText(' \n')], 'person'],
  ['an injected memory', [asText('remembered before')], 'memory'],
  [
    'an attachment',
    [{ type: 'attachment', kind: 'memory', origin: 'memory', text: 'remembered before' }],
    'program',
  ],
] satisfies [string, Part[], MessageOrigin][])('%s is no turn', (_, parts, origin) => {
  expect(read(parts, origin)).toBeUndefined()
})

test('a call is searched by its tool and the values of its input', () => {
  expect(read([call({ command: 'npm test', options: [{ retries: 3, quiet: true }], none: null })])).toEqual({
    speaker: '',
    text: 'bash npm test 3',
    weight: 0.7,
  })
  expect(read([asText('Let me look.'), call({ path: 'a.ts' })])).toMatchObject({
    text: 'Let me look.\nbash a.ts',
    weight: 1,
  })
})

test('of long input, and of what a tool returned, only the beginning is searched', () => {
  const called = read([call({ path: 'a.ts', text: 'x'.repeat(10_000) })])?.text ?? ''
  expect(called).toHaveLength('bash a.ts '.length + 500 - 'a.ts'.length)
  const returned = read([result('y'.repeat(1_000), 'z'.repeat(10_000))])
  expect(returned).toMatchObject({ speaker: 'bash', weight: 0.5 })
  expect(returned?.text).toHaveLength(2_048)
})

test('a cut never leaves half a character', () => {
  const text = read([result(`${'y'.repeat(2_047)}😊`)])?.text ?? ''
  expect(text.isWellFormed()).toBe(true)
})

test.each([['schedule'], ['dream'], ['program'], ['notification']] satisfies [MessageOrigin][])(
  'what came from %s counts little',
  origin => {
    expect(read([asText('hello')], origin)?.weight).toBeCloseTo(0.3)
  },
)
