import { expect, test } from 'vitest'
import { readPayload, saysSomething } from './payload.ts'

test('payloads that say something else are read for what they say', () => {
  expect(readPayload('[]')).toBeUndefined()
  expect(readPayload('{"session_id":7}')).toBeUndefined()
  expect(readPayload(`{"session_id":"${'x'.repeat(600)}"}`)).toBeUndefined()
  expect(readPayload('\ufeff{"session_id":"a","cwd":"not/absolute","prompt":7}')).toMatchObject({
    session: 'a',
    directory: undefined,
    prompt: '',
  })
  expect(readPayload('{"session_id":"a","agent_id":"sub"}')).toMatchObject({ unattended: true })
  expect(saysSomething('/compact')).toBe(false)
  expect(saysSomething('!ls')).toBe(false)
  expect(saysSomething('  ')).toBe(false)
  expect(saysSomething('/ is the root')).toBe(true)
})
