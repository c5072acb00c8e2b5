/** Whatever JSON a file holds, converting it gives messages that can be kept, or a reason; it never throws. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseRecord } from '../../session/record.ts'
import { fileNameProblem } from '../../store/index.ts'
import { convertConversation } from './chatgpt/conversation.ts'
import { readMemoryFile } from './claude-code/memory-file.ts'
import { ClaudeCodeTranscript } from './claude-code/transcript.ts'
import { CodexRollout, headOf } from './codex/rollout.ts'
import { MessageIds, sessionIdFor } from './ids.ts'
import { plainJson } from './json.ts'
import { notesIn } from './nanobot/notes.ts'
import { NanobotSession } from './nanobot/session.ts'
import { convertMessage, isComplete } from './opencode/message.ts'
import type { Told } from './source.ts'

const AT = '2026-01-01T00:00:00.000Z'

/** Words that mean something to one converter or another, so that more than the first question is asked. */
const WORDS = [
  ...[
    'user',
    'assistant',
    'system',
    'tool',
    'text',
    'thinking',
    'tool_use',
    'tool_result',
    'image',
    'attachment',
  ],
  ...[
    'queued_command',
    'summary',
    'response_item',
    'event_msg',
    'message',
    'reasoning',
    'function_call',
    'token_count',
  ],
  ...[
    'function_call_output',
    'session_meta',
    'metadata',
    'file',
    'step-start',
    'thoughts',
    'multimodal_text',
    'code',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    '../../x',
    '',
    '\u0000',
    '\ud800',
    '<system-reminder>',
    'data:image/png;base64,',
  ],
]
const KEYS = [
  ...[
    'type',
    'role',
    'message',
    'content',
    'text',
    'uuid',
    'id',
    'timestamp',
    'usage',
    'payload',
    'attachment',
    'prompt',
  ],
  ...[
    'tool_use_id',
    'tool_calls',
    'function',
    'arguments',
    'call_id',
    'output',
    'summary',
    'info',
    'state',
    'input',
  ],
  ...[
    'mapping',
    'current_node',
    'parent',
    'author',
    'parts',
    'thoughts',
    'content_type',
    'metadata',
    'time',
    'created',
  ],
  ...[
    'input_tokens',
    'output_tokens',
    'source',
    'media_type',
    'data',
    'cwd',
    'name',
    'is_error',
    'image_url',
    'url',
  ],
  ...[
    '__proto__',
    'constructor',
    'hasOwnProperty',
    '_type',
    'key',
    'create_time',
    'tokens',
    'cost',
    'a',
    'b',
  ],
]

const { json } = fc.letrec<{ json: unknown }>(tie => ({
  json: fc.oneof(
    { maxDepth: 6, depthSize: 'medium' },
    fc.constantFrom(...WORDS),
    fc.constantFrom(
      null,
      true,
      false,
      0,
      -1,
      1.5,
      1e308,
      Number.MAX_SAFE_INTEGER,
      1_735_689_600,
      8.64e15 + 1,
    ),
    fc.string(),
    fc.array(tie('json'), { maxLength: 4 }),
    // Read from a text, so that __proto__ is a key of its own, as it is in a file.
    fc
      .array(fc.tuple(fc.constantFrom(...KEYS), tie('json')), { maxLength: 8 })
      .map(
        entries =>
          JSON.parse(
            `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`,
          ) as unknown,
      ),
  ),
}))

function assertKept(told: readonly Told[]): void {
  for (const each of told) {
    if (!('message' in each)) continue
    const written: unknown = JSON.parse(JSON.stringify({ kind: 'message', ...each.message }))
    expect(parseRecord(written)).toHaveProperty('record')
    expect(new Date(each.message.at).toISOString()).toBe(each.message.at)
    expect(each.message.parts.length).toBeGreaterThan(0)
    expect(
      Object.keys(each.message.usage ?? {}).every(key =>
        Number.isFinite(Reflect.get(each.message.usage ?? {}, key)),
      ),
    ).toBe(true)
  }
}

const CONVERTERS: Record<string, (values: unknown[]) => Told[]> = {
  'claude-code': values => {
    const transcript = new ClaudeCodeTranscript(AT)
    return [...values.flatMap(value => transcript.take(value)), ...transcript.finish()]
  },
  codex: values => {
    const rollout = new CodexRollout(AT)
    values.forEach(headOf)
    return [...values.flatMap(value => rollout.take(value)), ...rollout.finish()]
  },
  nanobot: values => {
    const session = new NanobotSession(AT, 'cli_direct')
    return values.flatMap(value => session.take(value))
  },
  opencode: ([info, ...parts]) => {
    isComplete(info)
    return convertMessage({ id: 'msg', info, parts: parts.map((data, n) => ({ id: `prt_${n}`, data })) }, AT)
  },
  chatgpt: values => values.flatMap(value => convertConversation(value)),
}

/** What each reads, with anything in the places that matter. */
const SHAPES: Record<string, fc.Arbitrary<unknown>> = {
  'claude-code': fc.record(
    {
      type: fc.constantFrom('user', 'assistant', 'attachment'),
      uuid: json,
      message: fc.record({ id: json, content: fc.oneof(json, fc.array(json)), usage: json, model: json }),
      attachment: json,
      toolUseResult: json,
      timestamp: json,
    },
    { requiredKeys: ['type'] },
  ),
  codex: fc.oneof(
    fc.record({
      timestamp: json,
      type: fc.constantFrom('response_item', 'event_msg', 'compacted', 'session_meta', 'turn_context'),
      payload: json,
    }),
    json,
  ),
  nanobot: fc.record({
    role: fc.constantFrom('user', 'assistant', 'tool', 'system'),
    content: json,
    tool_calls: fc.oneof(json, fc.array(json)),
    timestamp: json,
  }),
  opencode: fc.record({
    role: fc.constantFrom('user', 'assistant'),
    type: fc.constantFrom('text', 'tool', 'file', 'reasoning'),
    text: json,
    state: json,
    time: json,
    tokens: json,
    cost: json,
  }),
  chatgpt: fc.record({
    mapping: fc.dictionary(
      fc.constantFrom('a', 'b', '__proto__', 'constructor'),
      fc.record({
        parent: fc.constantFrom('a', 'b', '__proto__', null),
        message: fc.oneof(
          json,
          fc.record({
            author: fc.record({ role: fc.constantFrom('user', 'assistant', 'tool') }),
            content: json,
            create_time: json,
            recipient: json,
          }),
        ),
      }),
    ),
    current_node: fc.constantFrom('a', 'b', 'constructor', 'toString'),
  }),
}

describe.each(Object.entries(CONVERTERS))('%s', (agent, convert) => {
  test('any JSON', () => {
    fc.assert(
      fc.property(fc.array(json, { maxLength: 5 }), values => assertKept(convert(values))),
      { numRuns: 500 },
    )
  })

  test('JSON that looks right from afar', () => {
    const shape = SHAPES[agent] as fc.Arbitrary<unknown>
    fc.assert(
      fc.property(fc.array(shape, { maxLength: 5 }), values => assertKept(convert(values))),
      { numRuns: 500 },
    )
  })

  test('nesting without end', () => {
    const deep: unknown = JSON.parse(`${'{"a":['.repeat(20_000)}1${']}'.repeat(20_000)}`)
    const values = [
      deep,
      {
        type: 'assistant',
        message: { content: [{ type: 'tool_use', id: 'x', name: 'y', input: deep }, deep] },
      },
      {
        type: 'user',
        message: { content: [deep, { type: 'tool_result', tool_use_id: 'x', content: [deep] }] },
      },
      { type: 'response_item', payload: { type: 'custom_tool_call', call_id: 'x', input: deep } },
      { role: 'assistant', content: deep, tool_calls: [{ id: 'x', function: { arguments: deep } }] },
      { type: 'tool', callID: 'x', state: { input: deep } },
      { mapping: { a: { message: { author: { role: 'user' }, content: deep } } }, current_node: 'a' },
    ]
    for (const value of values) assertKept(convert([value, value]))
  })
})

test('what names a session is a plain file name, and different for different sessions', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.constantFrom('../../x', '/etc/passwd', 'CON', 'a/b', '.', '..', 'x\u0000')),
      id => {
        expect(fileNameProblem(`${sessionIdFor('codex', id)}.jsonl`)).toBeUndefined()
      },
    ),
  )
  expect(sessionIdFor('codex', 'a/b')).not.toBe(sessionIdFor('codex', 'a:b'))
})

test('what names a message is a plain name, whatever the program called it', () => {
  fc.assert(
    fc.property(json, json, (own, said) => {
      const ids = new MessageIds()
      const [first, second] = [ids.of(own, said), ids.of(own, said)]
      expect(first).toMatch(/^[A-Za-z0-9][\w.:-]*$/)
      expect(first === second).toBe(first === own)
    }),
  )
})

test('a key such as __proto__ is a key and nothing more', () => {
  const value: unknown = JSON.parse('{"__proto__": {"polluted": true}, "a": 1}')
  const plain = plainJson(value)
  expect(JSON.stringify(plain)).toBe('{"__proto__":{"polluted":true},"a":1}')
  expect(Object.getPrototypeOf(plain)).toBe(Object.prototype)
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
})

test('any text as a memory file, or as notes', () => {
  const markdown = fc.array(
    fc.constantFrom(
      '---\n',
      'type: user\n',
      'name: &a x\n',
      'b: *a\n',
      '- ',
      '# x\n',
      '## y\n',
      '```\n',
      'x: [\n',
      '\u0000',
    ),
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        markdown.map(pieces => pieces.join('')),
      ),
      text => {
        const read = readMemoryFile('x.md', text)
        expect('problem' in read || typeof read.draft.body === 'string').toBe(true)
        expect(notesIn(text).every(({ name, body }) => name !== '' && body !== '')).toBe(true)
      },
    ),
  )
})
