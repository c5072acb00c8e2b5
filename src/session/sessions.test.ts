import { appendFileSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Message } from './message.ts'
import { textOf } from './message.ts'
import { NOW, replied, returned, said, temporarySessions } from './session.fixture.ts'
import { AmbiguousSession, NoSuchSession, type Sessions } from './sessions.ts'

async function held(sessions: Sessions, ...messages: Message[]): Promise<string> {
  await using transcript = sessions.create()
  await transcript.append(...messages)
  return transcript.id
}

test('a list tells title, activity, size and cost from the ends of the files, and names what it cannot read', async () => {
  const sessions = temporarySessions()
  expect(await sessions.list()).toEqual([])
  const id = await held(
    sessions,
    said('How do we\n deploy?'),
    replied('So.', [['a', 'bash']]),
    returned('a', 'bash', 'x'.repeat(100_000)),
  )
  const long = await held(sessions, { ...said(`很长${'长'.repeat(200)}`), at: '2026-04-07T00:00:00.000Z' })
  writeFileSync(join(sessions.directory, 'broken.jsonl'), 'nonsense\n')
  mkdirSync(join(sessions.directory, 'a-directory.jsonl'))
  writeFileSync(join(sessions.directory, `${id}.notes.md`), 'notes')
  const listed = await sessions.list()
  expect(listed).toHaveLength(4)
  expect(listed.find(session => session.id === id)).toMatchObject({
    title: 'How do we deploy?',
    startedAt: NOW.toISOString(),
    lastAt: NOW.toISOString(),
    usd: 0.01,
    tokens: { in: 100, out: 10 },
    model: 'fake/one',
    project: '/work',
    slug: 'p-1',
  })
  expect(listed.find(session => session.id === long)).toMatchObject({ lastAt: '2026-04-07T00:00:00.000Z' })
  expect([...(listed.find(session => session.id === long)?.title ?? '')]).toHaveLength(80)
  for (const name of ['broken', 'a-directory'])
    expect(listed.find(session => session.id === name)?.problem, name).toMatch(/not a session|directory/)
})

test('rename: the last title counts, also of a session that goes on', async () => {
  const sessions = temporarySessions()
  const id = await held(sessions, said('first'))
  await sessions.rename(id, 'Better')
  const { transcript } = await sessions.resume(id)
  await transcript.append(said('more'), replied('yes'))
  await transcript.close()
  expect((await sessions.list())[0]).toMatchObject({ title: 'Better', usd: 0.01 })
  await sessions.rename(id, ' two\nlines ')
  expect((await sessions.list())[0]).toMatchObject({ title: 'two lines' })
})

test('fork begins with what is live, up to a message, and leaves the other as it was', async () => {
  const sessions = temporarySessions()
  await using transcript = sessions.create()
  const [first, second, third] = [said('one'), replied('two', [['a', 'bash']]), returned('a', 'bash')]
  await transcript.append(said('before'), replied('x'))
  await transcript.boundary('summary of before')
  await transcript.append(first, second, third, said('four'))
  const before = readFileSync(transcript.path, 'utf8')
  const fork = await sessions.fork(transcript.id, third.id)
  expect(readFileSync(transcript.path, 'utf8')).toBe(before)
  const loaded = await sessions.load(fork)
  expect(loaded).toMatchObject({
    summary: 'summary of before',
    messages: [first, second, third],
    inFlight: [],
  })
  expect(loaded.header.forkedFrom).toEqual({ session: transcript.id, message: third.id })
  expect(loaded.meta).toMatchObject({ title: 'before' })
  // What its tools did was done, whoever goes on from there.
  const cut = await sessions.load(await sessions.fork(transcript.id, second.id))
  expect(cut).toMatchObject({ messages: [first, second, third], inFlight: [] })
  await expect(sessions.fork(transcript.id, 'm_none')).rejects.toThrow(NoSuchSession)
})

test('a fork knows of a call that was running', async () => {
  const sessions = temporarySessions()
  await using transcript = sessions.create()
  await transcript.append(
    said('go'),
    replied('', [
      ['a', 'bash'],
      ['b', 'bash'],
    ]),
  )
  await transcript.checkpoint({ call: 'a', tool: 'bash' })
  const { inFlight } = await sessions.load(await sessions.fork(transcript.id))
  expect(inFlight.map(({ call, started }) => [call, started])).toEqual([
    ['a', true],
    ['b', false],
  ])
})

test('a session in which something was said last comes first, answered or not', async () => {
  const sessions = temporarySessions()
  const at = (minute: number) => `2026-04-08T12:0${minute}:00.000Z`
  for (const [id, minutes] of Object.entries({ unanswered: [1, 5], answered: [3] })) {
    await using transcript = sessions.create({ id })
    for (const minute of minutes) await transcript.append({ ...said('x'), at: at(minute) })
  }
  expect((await sessions.list()).map(({ id, lastAt }) => [id, lastAt])).toEqual([
    ['unanswered', at(5)],
    ['answered', at(3)],
  ])
})

test('deleted sessions lie in the trash for 30 days and come back whole', async () => {
  let now = NOW
  const sessions = temporarySessions(() => now)
  const id = await held(sessions, said('one'))
  writeFileSync(join(sessions.directory, `${id}.notes.md`), 'notes')
  mkdirSync(join(sessions.directory, `${id}.outputs`))
  await sessions.delete(id)
  expect(await sessions.list()).toEqual([])
  expect(readdirSync(sessions.directory)).toEqual([])
  await expect(sessions.resume(id)).rejects.toThrow(NoSuchSession)
  await sessions.restore(id)
  expect(textOf((await sessions.load(id)).messages[0] as Message)).toBe('one')
  expect(readFileSync(join(sessions.directory, `${id}.notes.md`), 'utf8')).toBe('notes')
  await expect(sessions.restore(id)).rejects.toThrow(/trash has no session/)
  await sessions.delete(id)
  now = new Date(NOW.getTime() + 31 * 24 * 60 * 60 * 1000)
  await sessions.emptyTrash()
  await expect(sessions.restore(id)).rejects.toThrow(NoSuchSession)
})

test('a session that cannot be read can be deleted', async () => {
  const sessions = temporarySessions()
  const id = await held(sessions, said('one'))
  writeFileSync(sessions.pathOf(id), 'garbage\n')
  await sessions.delete(id)
  expect(await sessions.ids()).toEqual([])
  await expect(sessions.delete(id)).rejects.toThrow(NoSuchSession)
})

test('a session that somebody is writing is not deleted', async () => {
  const sessions = temporarySessions()
  await using transcript = sessions.create()
  await transcript.append(said('one'))
  await expect(sessions.delete(transcript.id)).rejects.toThrow(/is open in process/)
  expect(await sessions.ids()).toEqual([transcript.id])
})

test('sessions touched since a time, without the current one', async () => {
  const sessions = temporarySessions()
  const [old, fresh, current] = [
    await held(sessions, said('a')),
    await held(sessions, said('b')),
    await held(sessions, said('c')),
  ]
  const since = new Date('2026-04-01T00:00:00Z')
  utimesSync(sessions.pathOf(old), since, new Date('2026-03-01T00:00:00Z'))
  expect(await sessions.touchedSince(since, current)).toEqual([fresh])
  expect(await temporarySessions().touchedSince(since)).toEqual([])
})

test.each([
  ['../x', 'path separator'],
  ['', 'is not the id|no session'],
  ['con', 'device'],
  ['a\0b', 'control'],
])('%j is not the id of a session', async (id, why) => {
  const sessions = temporarySessions()
  for (const act of [sessions.load(id).catch(e => e), sessions.resume(id).catch(e => e)])
    await expect(Promise.resolve(act)).resolves.toMatchObject({
      message: expect.stringMatching(new RegExp(why)),
    })
})

test('the beginning of an id is enough when it is one only', async () => {
  const sessions = temporarySessions()
  const [a, b] = [await held(sessions, said('a')), await held(sessions, said('b'))]
  expect(await sessions.find(a)).toBe(a)
  await expect(sessions.find(a.slice(0, 8))).rejects.toThrow(AmbiguousSession)
  await expect(sessions.find('nope')).rejects.toThrow(NoSuchSession)
  expect(await sessions.find(b.slice(0, -1))).toBe(b)
})

test('a session whose writer was killed in mid-write is listed and renamed all the same', async () => {
  const sessions = temporarySessions()
  const id = await held(sessions, said('one'), replied('two'))
  appendFileSync(sessions.pathOf(id), '{"kind":"mess')
  await sessions.rename(id, 'Again')
  expect((await sessions.list())[0]?.title).toBe('Again')
  expect((await sessions.load(id)).messages).toHaveLength(2)
})
