import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { homeAt } from '../../src/config/index.ts'
import { History, type Message, messageAsMarkdown, newMessageId, Sessions } from '../../src/session/index.ts'
import { assertRule } from '../kill/scenario.ts'
import { oneOf } from '../random.ts'
import { garbage } from './garbage.ts'

/** Lines of one file; a file is a session that has been through a lot. */
const LINES_PER_FILE = 40

/** Lines of every kind in session files and the history: good ones are found, the rest is passed over and stays. */
export async function feed(count: number, random: () => number): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), 'reverie-lines-'))
  const home = homeAt(join(root, 'home'))
  let good = 0
  try {
    for (let fed = 0; fed < count; fed += LINES_PER_FILE) {
      const slug = `p-${Math.floor(fed / 4_000)}`
      good += await feedSession(new Sessions(home, { slug }), Math.min(LINES_PER_FILE, count - fed), random)
      if (fed % 4_000 === 0) await feedHistory(join(home.projects, slug, 'memory'), random)
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
  return `${good} of them were messages after all`
}

async function feedSession(sessions: Sessions, count: number, random: () => number): Promise<number> {
  const transcript = sessions.create()
  await transcript.append(said('first'))
  await transcript.close()
  const expected: string[] = []
  let text = ''
  for (let line = 0; line < count; line++) {
    if (random() < 0.2) {
      const message = said(garbage(random))
      expected.push(message.id)
      text += `${JSON.stringify({ kind: 'message', ...message })}\n`
    } else text += `${badLine(random)}\n`
  }
  const torn = random() < 0.5 ? '{"kind":"message","id":"m_to' : ''
  appendFileSync(transcript.path, text + torn)
  const before = readFileSync(transcript.path)
  const found: string[] = []
  for await (const message of sessions.messages(transcript.id)) {
    found.push(message.id)
    messageAsMarkdown(message)
  }
  for (const id of expected) assertRule(found.includes(id), `message ${id} is found`)
  const { transcript: again } = await sessions.resume(transcript.id)
  await again.append(said('last'))
  await again.close()
  const after = readFileSync(transcript.path)
  assertRule(after.subarray(0, before.length).equals(before), 'nothing that was there has changed')
  const loaded = await sessions.load(transcript.id)
  assertRule(loaded.messages.at(-1)?.parts[0]?.type === 'text', 'the last message is there')
  const listed = await sessions.list()
  assertRule(
    listed.some(({ id, problem }) => id === transcript.id && problem === undefined),
    'it is listed',
  )
  rmSync(transcript.path)
  return found.length - 1
}

async function feedHistory(directory: string, random: () => number): Promise<void> {
  mkdirSync(directory, { recursive: true })
  const history = new History(directory)
  writeFileSync(history.path, Array.from({ length: 20 }, () => badLine(random)).join('\n'))
  writeFileSync(join(directory, '.cursor'), garbage(random, 3))
  writeFileSync(join(directory, '.dream_cursor'), garbage(random, 3))
  const { cursor } = await history.append('kept')
  assertRule(
    (await history.waiting()).some(entry => entry.cursor === cursor),
    'a new entry waits to be dreamt',
  )
  await history.compact(0)
}

function said(text: string): Message {
  return {
    id: newMessageId(),
    role: 'user',
    origin: 'person',
    at: new Date().toISOString(),
    parts: [{ type: 'text', text }],
  }
}

const KINDS = ['session', 'message', 'checkpoint', 'meta', 'boundary', 'constructor', '__proto__', 'later']

function badLine(random: () => number): string {
  const dice = random()
  if (dice < 0.3) return garbage(random).replaceAll('\n', ' ')
  const value = () =>
    oneOf<unknown>(random, [
      null,
      1,
      -1,
      1e300,
      '',
      [],
      {},
      true,
      garbage(random, 3),
      [[{}]],
      [null],
      { type: 'text' },
    ])
  const record: Record<string, unknown> = { kind: oneOf(random, KINDS) }
  for (const field of ['id', 'role', 'origin', 'at', 'parts', 'call', 'tool', 'keep', 'offset', 'cursor'])
    if (random() < 0.5) record[field] = value()
  for (const field of ['title', 'model', 'usage', 'summary', 'meta', 'lastAt'])
    if (random() < 0.3) record[field] = value()
  // A boundary that can be read would rightly hide what stands before it.
  if (record.kind === 'boundary') record.offset = 'far'
  const text = JSON.stringify(record)
  return dice < 0.5 ? text.slice(0, Math.floor(random() * text.length)) : text
}
