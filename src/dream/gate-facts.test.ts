import { join } from 'node:path'
import { expect, test } from 'vitest'
import { homeAt } from '../config/index.ts'
import { type MessageOrigin, newMessageId, Sessions } from '../session/index.ts'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { gateFacts } from './gate-facts.ts'

const BEFORE = new Date('2020-01-01T00:00:00Z')
const LONG_AGO = '2019-06-01T10:00:00.000Z'
const RECENT = '2020-06-01T10:00:00.000Z'

function place() {
  const root = temporaryDirectory()
  const [home, project] = [homeAt(join(root, 'home')), { root, slug: 'p-1' }]
  const sessions = new Sessions(home, project)
  const dreamPlace = { directory: join(root, 'memory'), state: root }
  const facts = (session?: string) => gateFacts({ home, project, place: dreamPlace, session, peek: false })
  const message = (text: string, at: string, origin: MessageOrigin = 'person') => ({
    id: newMessageId(),
    role: 'user' as const,
    origin,
    at,
    parts: [{ type: 'text' as const, text }],
  })
  return { sessions, facts, message }
}

test('messages are the owner’s since then: in every session, summed up or not, in a fork once', async () => {
  const { sessions, facts, message } = place()
  await using transcript = sessions.create()
  await transcript.append(message('before', LONG_AGO))
  for (const text of ['one', 'two', 'three']) await transcript.append(message(text, RECENT))
  await transcript.append(message('by itself', RECENT, 'schedule'), message('news', RECENT, 'notification'))
  await transcript.boundary('Much was said.')
  await transcript.append(message('four', RECENT))
  await sessions.fork(transcript.id)
  expect((await sessions.load(transcript.id)).messages).toHaveLength(1)
  expect(await facts(transcript.id).messagesSince(BEFORE)).toBe(4)
})

test('sessions are those that somebody talked in, without the one that goes on', async () => {
  const { sessions, facts, message } = place()
  for (const id of ['20260401-100000-aaaaaa', '20260402-100000-bbbbbb', 'run-tidy-20260402-100000-cccc']) {
    await using transcript = sessions.create({ id })
    await transcript.append(message('hello', RECENT))
  }
  expect(await facts().sessionsSince(BEFORE)).toBe(2)
  expect(await facts('20260401-100000-aaaaaa').sessionsSince(BEFORE)).toBe(1)
})

test('a look at the sessions is noted for every process', () => {
  const { facts } = place()
  expect(facts().lastScan()).toBeUndefined()
  facts().noteScan()
  expect(Date.now() - Number(facts().lastScan())).toBeLessThan(60_000)
})
