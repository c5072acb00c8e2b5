import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { LockLost, WriteFailed } from '../store/index.ts'
import type { Message } from './message.ts'
import { toolResultsOf } from './message.ts'
import { NOW, replied, returned, said, temporarySessions } from './session.fixture.ts'
import { SessionBusy } from './transcript.ts'

const texts = (messages: readonly Message[]) =>
  messages.map(({ parts }) => parts.map(part => ('text' in part ? part.text : part.type)).join())

test('nothing is on the disk before the first message, and then it is private and whole', async () => {
  const sessions = temporarySessions()
  await using transcript = sessions.create()
  expect(existsSync(transcript.path)).toBe(false)
  await transcript.append(said('hello there'))
  expect(statSync(transcript.path).mode & 0o777).toBe(0o600)
  const [header, message, meta] = readFileSync(transcript.path, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(header).toMatchObject({ kind: 'session', format: 1, id: transcript.id, project: '/work' })
  expect(message).toMatchObject({ kind: 'message', role: 'user', origin: 'person' })
  expect(meta).toMatchObject({ kind: 'meta', title: 'hello there' })
  expect(transcript.id).toMatch(/^20260408-120000-[a-z0-9]{6}$/)
})

test('resumes with every message, the title and the sum of what it cost', async () => {
  const sessions = temporarySessions()
  const messages = [said('one'), replied('two', [['a', 'bash']]), returned('a', 'bash'), replied('three')]
  const transcript = sessions.create()
  await Promise.all(messages.map(message => transcript.append(message)))
  await transcript.close()
  const { transcript: again, resumed } = await sessions.resume(transcript.id)
  await using _ = again
  expect(resumed).toMatchObject({ messages, interrupted: [], tornBytes: 0, problems: [], cutOff: false })
  expect(again.meta).toEqual({
    title: 'one',
    model: 'fake/one',
    lastAt: NOW.toISOString(),
    usage: { input: 200, output: 20, cacheRead: 100, cacheWrite: 0, usd: 0.02 },
  })
})

test('a crash in the middle of tools: each call gets one result, once, and it is told what was running', async () => {
  const sessions = temporarySessions()
  const transcript = sessions.create()
  await transcript.append(
    said('go'),
    replied('', [
      ['a', 'bash'],
      ['b', 'read'],
      ['c', 'bash'],
    ]),
  )
  await transcript.checkpoint({ call: 'a', tool: 'bash' })
  await transcript.checkpoint({ call: 'b', tool: 'read' })
  await transcript.append(returned('b', 'read'))
  await transcript.close()
  appendFileSync(transcript.path, '{"kind":"message","id":"m_torn","ro')
  for (const [interrupted, torn] of [
    [['a', 'c'], 35],
    [[], 0],
  ] as const) {
    const { transcript: again, resumed } = await sessions.resume(transcript.id)
    expect(resumed.interrupted.map(({ call }) => call)).toEqual(interrupted)
    expect(resumed.tornBytes).toBe(torn)
    const results = resumed.messages.flatMap(toolResultsOf).map(({ call, outcome }) => `${call} ${outcome}`)
    expect(results).toEqual(['b ok', 'a interrupted', 'c interrupted'])
    await again.close()
  }
  const { problems } = await sessions.load(transcript.id)
  expect(problems).toHaveLength(1)
})

test('a boundary lets the summary stand for what came before the kept message', async () => {
  const sessions = temporarySessions()
  const transcript = sessions.create()
  const kept = said('kept')
  await transcript.append(said('old'), replied('older'), kept, replied('newer'))
  await transcript.boundary('they said hello', kept.id)
  await transcript.append(said('after'))
  await expect(transcript.boundary('x', 'm_gone')).rejects.toThrow(RangeError)
  await transcript.close()
  const loaded = await sessions.load(transcript.id)
  expect(loaded.summary).toBe('they said hello')
  expect(texts(loaded.messages)).toEqual(['kept', 'newer', 'after'])
  expect(loaded.meta.title).toBe('old')
  const { transcript: again } = await sessions.resume(transcript.id)
  await again.boundary('all of it')
  await again.append(said('fresh'))
  await again.close()
  const last = await sessions.load(transcript.id)
  expect([last.summary, ...texts(last.messages)]).toEqual(['all of it', 'fresh'])
  const all: string[] = []
  for await (const message of sessions.messages(transcript.id)) all.push(...texts([message]))
  expect(all).toEqual(['old', 'older', 'kept', 'newer', 'after', 'fresh'])
})

test('what is before the boundary is not read: damage there harms nothing', async () => {
  const sessions = temporarySessions()
  const transcript = sessions.create()
  await transcript.append(said('x'.repeat(700_000)))
  await transcript.boundary('long ago')
  await transcript.append(said('now'))
  await transcript.close()
  const bytes = readFileSync(transcript.path)
  bytes.fill(0x7b, 1_000, 600_000)
  writeFileSync(transcript.path, bytes)
  const { messages, problems } = await sessions.load(transcript.id)
  expect(texts(messages)).toEqual(['now'])
  expect(problems).toEqual([])
})

test('records of kinds to come, and fields to come, stay; damaged lines are reported and passed over', async () => {
  const sessions = temporarySessions()
  const transcript = sessions.create()
  await transcript.append(said('one'))
  await transcript.close()
  appendFileSync(transcript.path, '{"kind":"hologram","x":1}\nnot json\n{"kind":"message","id":"m_1"}\n[1]\n')
  const { transcript: again, resumed } = await sessions.resume(transcript.id)
  await again.append(said('two'))
  await again.close()
  expect(resumed.problems).toHaveLength(3)
  expect(readFileSync(transcript.path, 'utf8')).toContain('{"kind":"hologram","x":1}\nnot json\n')
  expect(texts((await sessions.load(transcript.id)).messages)).toEqual(['one', 'two'])
})

test('a session of a newer format is refused with a sentence', async () => {
  const sessions = temporarySessions()
  const transcript = sessions.create()
  await transcript.append(said('one'))
  await transcript.close()
  writeFileSync(transcript.path, readFileSync(transcript.path, 'utf8').replace('"format":1', '"format":2'))
  await expect(sessions.resume(transcript.id)).rejects.toThrow(/newer Reverie/)
  writeFileSync(transcript.path, 'hello\n')
  await expect(sessions.resume(transcript.id)).rejects.toThrow(/is not a session/)
})

test('two writers of one session: the second is told who has it', async () => {
  const sessions = temporarySessions()
  const transcript = sessions.create()
  await transcript.append(said('one'))
  await expect(sessions.resume(transcript.id)).rejects.toThrow(SessionBusy)
  await transcript.close()
  const { transcript: again } = await sessions.resume(transcript.id)
  await again.close()
})

test('a write that fails is told, and the next one is whole, header and all', async () => {
  const sessions = temporarySessions()
  const transcript = sessions.create()
  mkdirSync(transcript.path, { recursive: true })
  await expect(transcript.append(said('lost'))).rejects.toThrow(WriteFailed)
  rmdirSync(transcript.path)
  await transcript.append(said('fine'))
  await transcript.close()
  expect(texts((await sessions.load(transcript.id)).messages)).toEqual(['fine'])
})

test('more than can ever be live is cut off at a message of the person', async () => {
  const sessions = temporarySessions()
  const transcript = sessions.create()
  const long = 'word '.repeat(800_000)
  for (let turn = 0; turn < 8; turn++)
    await transcript.append(
      said(`${turn} ${long}`),
      replied('', [[`c${turn}`, 'bash']]),
      returned(`c${turn}`, 'bash'),
    )
  await transcript.close()
  const { messages, cutOff, inFlight } = await sessions.load(transcript.id)
  expect(cutOff).toBe(true)
  expect(messages.length).toBeGreaterThan(5)
  expect(messages.length).toBeLessThan(24)
  expect(messages[0]?.role).toBe('user')
  expect(inFlight).toEqual([])
})

test('a reply in pieces is one message when it is loaded, with its results after it', async () => {
  const sessions = temporarySessions()
  const transcript = sessions.create()
  const first = { ...replied('Looking.', [['a', 'read']]) }
  const { usage, ...begun } = first
  await transcript.append(said('go'), begun)
  await transcript.checkpoint({ call: 'a', tool: 'read' })
  await transcript.append(returned('a', 'read'))
  const call = { type: 'tool-call', call: 'b', tool: 'read', input: {} } as const
  await transcript.extend(begun.id, {
    parts: [{ type: 'text', text: 'And.' }, call],
    ...(usage && { usage }),
    stop: 'tools',
  })
  await transcript.close()
  const { transcript: again, resumed } = await sessions.resume(transcript.id)
  await again.close()
  expect(resumed.interrupted).toMatchObject([{ call: 'b', started: false }])
  expect(texts(resumed.messages).slice(0, 2)).toEqual(['go', 'Looking.,tool-call,And.,tool-call'])
  expect(resumed.messages[1]).toMatchObject({ usage, stop: 'tools' })
  expect(again.meta.usage).toEqual(usage)
  expect(resumed.messages.flatMap(toolResultsOf).map(({ call }) => call)).toEqual(['a', 'b'])
  const pieces = await Array.fromAsync(sessions.messages(transcript.id))
  expect(texts(pieces)).toEqual(['go', 'Looking.,tool-call', 'tool-result', 'And.,tool-call', 'tool-result'])
})

test('whoever was stopped for hours does not write into a session that somebody else has taken up', async () => {
  const sessions = temporarySessions()
  const stopped = sessions.create()
  await stopped.append(said('one'))
  const locks = join(dirname(sessions.directory), 'locks', `session-${stopped.id}`)
  utimesSync(join(locks, '1'), 0, 0)
  const { transcript: other } = await sessions.resume(stopped.id)
  await expect(stopped.append(said('two'))).rejects.toThrow(LockLost)
  await other.append(said('three'))
  await Promise.all([other.close(), stopped.close()])
  expect(texts((await sessions.load(stopped.id)).messages)).toEqual(['one', 'three'])
})

test('calls that were left without a result while the talk went on get one in their place', async () => {
  const sessions = temporarySessions()
  const transcript = sessions.create()
  const calls = replied('', [['a', 'bash']])
  const [question, answer] = [said('and now?'), replied('now')]
  await transcript.append(said('go'), calls, question, answer)
  await transcript.close()
  const { transcript: again, resumed } = await sessions.resume(transcript.id)
  await again.close()
  expect(resumed.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user', 'assistant'])
  expect((await sessions.load(transcript.id)).messages).toEqual(resumed.messages)
})

test('a place where no directory can be made is told in a sentence', async () => {
  const transcript = temporarySessions().create()
  const directory = dirname(transcript.path)
  mkdirSync(dirname(directory), { recursive: true })
  writeFileSync(directory, 'a file')
  await expect(transcript.append(said('hello'))).rejects.toThrow(WriteFailed)
})
