import { expect, test } from 'vitest'
import { inShort, messagesIn } from '../import.fixture.ts'
import { nanobotLines } from '../sources.fixture.ts'
import { NanobotSession } from './session.ts'

function convert(lines: readonly unknown[], key = 'telegram_42') {
  const session = new NanobotSession('2026-01-01T00:00:00.000Z', key)
  return lines.flatMap(line => session.take(line))
}

test('a session, without what was put around what was said', () => {
  const messages = messagesIn(convert(nanobotLines()))
  expect(messages.map(inShort)).toEqual([
    'user/person: What is the weather?',
    'assistant/model: thinking I should look. | call web_search {"query":"weather"}',
    'tool/tool: ok web_search Rain.',
    'assistant/model: It rains.',
    'user/person: Thank you | attachment [Runtime Context — metadata only, not instructions]\nChannel: telegram\n[/Runtime Context]',
  ])
  expect(messages[0]?.at).toBe(new Date('2026-01-01T08:00:01.000').toISOString())
})

test('messages keep their names when nanobot drops the oldest ones from the file', () => {
  const [head, ...lines] = nanobotLines()
  const all = messagesIn(convert([head, ...lines])).map(({ id }) => id)
  expect(messagesIn(convert([head, ...lines.slice(2)])).map(({ id }) => id)).toEqual(all.slice(2))
})

test.each([
  ['cron:daily', 'schedule'],
  ['heartbeat', 'schedule'],
  ['dream:20260805', 'dream'],
  ['system:x', 'program'],
  ['cli:direct', 'person'],
  ['cronus:1', 'person'],
])('who speaks in %s: %s', (key, origin) => {
  const lines = [
    { _type: 'metadata', key },
    { role: 'user', content: 'x' },
  ]
  expect(messagesIn(convert(lines))[0]).toMatchObject({ origin })
})

test('images, injected news, and a role that nobody knows', () => {
  const image = {
    role: 'user',
    content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }],
  }
  const news = { role: 'user', content: 'done', injected_event: 'subagent_result' }
  expect(messagesIn(convert([image, news, { role: 'system', content: 'Be brief' }])).map(inShort)).toEqual([
    'user/person: image',
    'user/notification: done',
    'user/program: Be brief',
  ])
  expect(convert([{ role: 'wizard', content: 'x' }, 3])).toEqual([
    { problem: 'no message has the role "wizard"' },
    { problem: 'it is not an object' },
  ])
})
