import { expect, test } from 'vitest'
import { inShort, messagesIn } from '../import.fixture.ts'
import { codexLine, codexLines, oldCodexLines } from '../sources.fixture.ts'
import { CodexRollout, headOf } from './rollout.ts'

function convert(lines: readonly unknown[]) {
  const rollout = new CodexRollout('2026-01-01T00:00:00.000Z')
  return [...lines.flatMap(line => rollout.take(line)), ...rollout.finish()]
}

test('a rollout: items are taken, and events only for what they add', () => {
  const told = convert(codexLines('/app'))
  const messages = messagesIn(told)
  expect(messages.map(inShort)).toEqual([
    'user/program: <permissions instructions>ask</permissions instructions>',
    'user/program: # AGENTS.md instructions for /app\n\n<INSTRUCTIONS>\nBe brief.\n</INSTRUCTIONS>',
    'user/program: <environment_context>\n  <cwd>/app</cwd>\n</environment_context>',
    'user/person: Rename the flag',
    'assistant/model: thinking Looking for the flag',
    'assistant/model: call shell {"command":["rg","flag"]}',
    'tool/tool: error shell none',
    'assistant/model: It is renamed.',
    'user/program: The flag was renamed.',
  ])
  expect(messages[5]).toMatchObject({
    model: 'openai/gpt-5-codex',
    usage: { input: 1_100, output: 100, cacheRead: 900, cacheWrite: 0 },
    at: '2026-02-01T09:00:04.000Z',
  })
  expect(told.at(-1)).toEqual({ title: 'Renaming the flag' })
})

test('the old form: bare items, and the same said twice is two messages', () => {
  const messages = messagesIn(convert(oldCodexLines('/app')))
  expect(messages.map(inShort).slice(1)).toEqual([
    'user/person: yes',
    'assistant/model: Done.',
    'user/person: yes',
  ])
  expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length)
})

test('a message is named the same when more has been appended', () => {
  const lines = codexLines('/app')
  const ids = messagesIn(convert(lines)).map(({ id }) => id)
  const again = messagesIn(convert([...lines, ...codexLines('/app').slice(4, 6)])).map(({ id }) => id)
  expect(again.slice(0, ids.length)).toEqual(ids)
})

test('where a rollout was held, in both forms, and whether it is a sub-agent’s', () => {
  expect(headOf(codexLines('/app')[0])).toEqual({ directory: '/app', isSubAgent: false })
  expect(oldCodexLines('/old').map(headOf).find(Boolean)).toEqual({ directory: '/old' })
  expect(
    headOf(codexLine(0, 'session_meta', { cwd: '/app', source: { subagent: { review: 1 } } })),
  ).toMatchObject({
    isSubAgent: true,
  })
})

test('what a script asked is nobody’s word', () => {
  const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'I prefer tabs.' }] }
  const toldOf = (source: string) =>
    convert([codexLine(0, 'session_meta', { cwd: '/app', source }), codexLine(1, 'response_item', item)])
  expect(messagesIn(toldOf('cli')).map(({ origin }) => origin)).toEqual(['person'])
  expect(messagesIn(toldOf('exec')).map(({ origin }) => origin)).toEqual(['program'])
  // Nothing else would say what it was about.
  expect(toldOf('exec')).toContainEqual({ title: 'I prefer tabs.' })
})

test.each<[what: string, item: object, expected: string[]]>([
  [
    'what the editor put before a request',
    {
      type: 'message',
      role: 'user',
      content: [
        {
          type: 'input_text',
          text: '# Context from my IDE setup:\n\n## Open tabs:\n- a.ts\n\n## My request for Codex:\nFix it',
        },
      ],
    },
    ['user/person: Fix it | attachment # Context from my IDE setup:\n\n## Open tabs:\n- a.ts'],
  ],
  [
    'an image',
    {
      type: 'message',
      role: 'user',
      content: [{ type: 'input_image', image_url: 'data:image/png;base64,AAAA' }],
    },
    ['user/person: image'],
  ],
  [
    'a patch',
    { type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin', call_id: 'c' },
    ['assistant/model: call apply_patch "*** Begin"'],
  ],
  [
    'a shell call',
    { type: 'local_shell_call', call_id: 'c', action: { type: 'exec', command: ['ls'] } },
    ['assistant/model: call local_shell {"type":"exec","command":["ls"]}'],
  ],
  [
    'a failed call',
    { type: 'function_call_output', call_id: 'c', output: { content: 'no', success: false } },
    ['tool/tool: error unknown no'],
  ],
  [
    'a result with a picture',
    {
      type: 'function_call_output',
      call_id: 'c',
      output: [{ type: 'input_image', image_url: 'data:image/png;base64,AAAA' }],
    },
    ['tool/tool: ok unknown image'],
  ],
  [
    'a search',
    { type: 'web_search_call', action: { type: 'search', query: 'x' } },
    ['assistant/model: attachment {"type":"search","query":"x"}'],
  ],
  ['encrypted reasoning', { type: 'reasoning', summary: [], encrypted_content: 'x' }, []],
  ['a snapshot', { type: 'ghost_snapshot' }, []],
])('%s', (_, item, expected) => {
  expect(messagesIn(convert([codexLine(1, 'response_item', item)])).map(inShort)).toEqual(expected)
})
