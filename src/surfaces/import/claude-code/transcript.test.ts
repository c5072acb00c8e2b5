import { expect, test } from 'vitest'
import { inShort, messagesIn } from '../import.fixture.ts'
import { claudeLines, claudeReply, claudeUser, UUID } from '../sources.fixture.ts'
import { ClaudeCodeTranscript } from './transcript.ts'

const AT = '2026-01-01T00:00:00.000Z'

function convert(lines: readonly unknown[]) {
  const transcript = new ClaudeCodeTranscript(AT)
  return [...lines.flatMap(line => transcript.take(line)), ...transcript.finish()]
}

test('a conversation, told apart from what the program put into it', () => {
  const told = convert(claudeLines('/app'))
  expect(messagesIn(told).map(inShort)).toEqual([
    'user/person: Why does the build fail? | attachment <system-reminder>The date is today.</system-reminder>',
    'assistant/model: thinking Let me look.',
    'assistant/model: I am looking.',
    'assistant/model: call Bash {"command":"make"}',
    'tool/tool: error Bash make: *** [all] Error 1',
    'user/program: <command-name>/cost</command-name>',
    'user/program: A skill body',
    'user/person: And run the tests too',
    'assistant/model: A header is missing.',
  ])
  expect(told).toContainEqual({ leftOut: 'messages of sub-agents' })
  expect(told).toContainEqual({ title: 'Build fails: missing header' })
  expect(messagesIn(told)[0]).toMatchObject({ id: UUID(1), at: '2026-03-01T12:00:01.000Z' })
})

test('the usage of a reply is counted once, whatever its lines say', () => {
  const messages = messagesIn(convert(claudeLines('/app')))
  const usages = messages.flatMap(({ usage }) => (usage ? [usage] : []))
  expect(usages).toEqual([
    { input: 1_110, output: 50, cacheRead: 1_000, cacheWrite: 100 },
    { input: 0, output: 30, cacheRead: 0, cacheWrite: 0 },
    { input: 1_110, output: 50, cacheRead: 1_000, cacheWrite: 100 },
  ])
  expect(messages[1]).toMatchObject({
    model: 'anthropic/claude-opus-4-5',
    parts: [{ provider: { anthropic: { signature: 'c2ln' } } }],
  })
})

test('what a script asked first is what its session is called', () => {
  const asked = claudeUser(1, '/', 'Explain this', { entrypoint: 'sdk-cli' })
  expect(convert([asked])).toContainEqual({ title: 'Explain this' })
})

test.each<[what: string, line: object, expected: string[]]>([
  [
    'what a script asked',
    claudeUser(1, '/', 'I prefer tabs.', { entrypoint: 'sdk-cli' }),
    ['user/program: I prefer tabs.'],
  ],
  [
    'what a person asked',
    claudeUser(1, '/', 'I prefer tabs.', { entrypoint: 'cli' }),
    ['user/person: I prefer tabs.'],
  ],
  [
    'text and a result on one line',
    claudeUser(1, '/', [
      {
        type: 'tool_result',
        tool_use_id: 't',
        content: [
          { type: 'text', text: 'a' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
        ],
      },
      { type: 'text', text: 'Go on' },
    ]),
    ['tool/tool: ok unknown aimage', 'user/person: Go on'],
  ],
  [
    'an image',
    claudeUser(1, '/', [
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
    ]),
    ['user/person: image'],
  ],
  [
    'a denied call',
    claudeUser(1, '/', [
      {
        type: 'tool_result',
        tool_use_id: 't',
        is_error: true,
        content: "The user doesn't want to proceed with this tool use.",
      },
    ]),
    ["tool/tool: denied unknown The user doesn't want to proceed with this tool use."],
  ],
  [
    'an interrupted call',
    claudeUser(1, '/', [{ type: 'tool_result', tool_use_id: 't', content: 'x' }], {
      toolUseResult: { interrupted: true },
    }),
    ['tool/tool: interrupted unknown x'],
  ],
  [
    'an interruption',
    claudeUser(1, '/', '[Request interrupted by user]'),
    ['user/program: [Request interrupted by user]'],
  ],
  ['a summary', claudeUser(1, '/', 'All so far', { isCompactSummary: true }), ['user/program: All so far']],
  [
    'news of a task',
    claudeUser(1, '/', 'done', { origin: { kind: 'task-notification' } }),
    ['user/notification: done'],
  ],
  [
    'a message of another session',
    claudeUser(1, '/', '<cross-session-message from="b">Remember this.</cross-session-message>'),
    ['user/program: <cross-session-message from="b">Remember this.</cross-session-message>'],
  ],
  ['nothing at all', claudeUser(1, '/', '  '), []],
  ['an empty thought', claudeReply(1, '/', { type: 'thinking', thinking: '', signature: '' }), []],
  ['bookkeeping', { type: 'queue-operation', operation: 'enqueue', content: 'x' }, []],
])('%s', (_, line, expected) => {
  expect(messagesIn(convert([line])).map(inShort)).toEqual(expected)
})

test('an error of the program is not a reply of a model', () => {
  const line = claudeReply(1, '/', { type: 'text', text: 'API Error: overloaded' }) as {
    message: { model: string }
  }
  line.message.model = '<synthetic>'
  const [message] = messagesIn(convert([line]))
  expect(message).toMatchObject({ origin: 'program' })
  expect(message).not.toHaveProperty('model')
})

test('what somebody named a session wins; a summary counts only for its own session', () => {
  const titleOf = (lines: object[]) => convert(lines).find(told => 'title' in told)
  const first = claudeUser(1, '/', 'Hi')
  expect(titleOf([{ type: 'summary', summary: 'Another', leafUuid: UUID(5) }, first])).toBeUndefined()
  expect(titleOf([{ type: 'summary', summary: 'Ours', leafUuid: UUID(1) }, first])).toEqual({ title: 'Ours' })
  expect(
    titleOf([
      first,
      { type: 'custom-title', customTitle: 'Mine' },
      { type: 'ai-title', aiTitle: 'Generated' },
    ]),
  ).toEqual({ title: 'Mine' })
})

test('lines that cannot be read are told, each for itself', () => {
  expect(
    convert([7, null, 'x', [], { type: 'user' }, { type: 'assistant', message: { content: 5 } }]),
  ).toEqual([
    { problem: 'it is not an object' },
    { problem: 'it is not an object' },
    { problem: 'it is not an object' },
    { problem: 'it is not an object' },
    { problem: 'its message has no content' },
    { problem: 'its message has no content' },
  ])
})
