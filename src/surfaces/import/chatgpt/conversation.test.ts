import { expect, test } from 'vitest'
import { inShort, messagesIn } from '../import.fixture.ts'
import { chatGptConversation } from '../sources.fixture.ts'
import { convertConversation } from './conversation.ts'

test('the way to the last message, each kind of content for what it is', () => {
  const told = convertConversation(chatGptConversation())
  const messages = messagesIn(told)
  expect(messages.map(inShort)).toEqual([
    'user/program: Likes trains',
    'user/memory: 1. Has a dog',
    'user/person: attachment file-service://x | Plan a trip to Porto',
    'assistant/model: thinking Planning\n\nTrains first.',
    'assistant/model: call python "print(1)"',
    'tool/tool: ok python 1',
    'assistant/model: Take the train at nine.',
  ])
  expect(messages.at(-1)).toMatchObject({
    id: 'm9',
    at: '2025-01-01T00:00:09.000Z',
    model: 'openai/gpt-5-thinking',
  })
  expect(told.at(-1)).toEqual({ title: 'Trip to Porto' })
})

test('a current node that is lost, a way that goes in a circle, and a tool that nobody called', () => {
  const message = (id: string, role: string, at: number, text: string) => ({
    id,
    author: { role, name: 'browser' },
    create_time: 1_735_689_600 + at,
    content: { content_type: 'tether_quote', title: 'A page', text },
  })
  const mapping = {
    a: { id: 'a', parent: 'b', message: message('a', 'user', 1, 'first') },
    b: { id: 'b', parent: 'a', message: message('b', 'tool', 2, 'second') },
  }
  expect(messagesIn(convertConversation({ mapping, current_node: 'gone' })).map(inShort)).toEqual([
    'user/person: A page\n\nfirst',
    'user/tool: attachment A page\n\nsecond',
  ])
  expect(convertConversation({})).toEqual([{ problem: 'it has no messages (mapping)' }])
})
