import { expect, test } from 'vitest'
import { DEFAULTS } from '../config/index.ts'
import { limitsFor } from '../context/index.ts'
import { openModel } from '../models/index.ts'
import { replied, said, temporarySessions } from '../session/session.fixture.ts'
import { NoteTaker } from './note-taker.ts'
import { notesPath, writeNotes } from './notes.ts'

const LIMITS = { ...limitsFor({ window: 8_000, maxOutput: 2_000 }), notesEvery: 50 }
const TALK = (fact: string) => [
  said(`${fact} ${'Look at this part of the plan, please. '.repeat(20)}`),
  replied('Fine.'),
]

async function noted(
  talk: { messages: ReturnType<typeof TALK>; summary: string | undefined },
  before?: { text: string; covers: string },
) {
  await using transcript = temporarySessions().create()
  await transcript.append(...talk.messages)
  if (before) await writeNotes(notesPath(transcript.path), before)
  const taker = new NoteTaker({
    transcript,
    model: () => openModel('embedded', DEFAULTS, {}),
    now: () => new Date(),
  })
  taker.consider(talk, LIMITS)
  await expect.poll(() => taker.read()).toMatchObject({ covers: talk.messages.at(-1)?.id })
  await taker.close()
  return (await taker.read())?.text
}

test('notes that begin late know what a summary stands for already', async () => {
  const summary = 'My name is Ann Lindqvist.'
  expect(await noted({ messages: TALK('We deploy to port 8443.'), summary })).toMatch(
    /Ann Lindqvist[\s\S]*8443/,
  )
})

test('what was summarised since they were brought up to date last is not lost by them', async () => {
  const summary = 'My name is Ann Lindqvist.\nWe never deploy on Fridays.'
  const before = { text: 'My name is Ann Lindqvist.', covers: 'a-message-that-has-gone' }
  const notes = await noted({ messages: TALK('We deploy to port 8443.'), summary }, before)
  for (const fact of ['Ann Lindqvist', 'never deploy on Fridays', '8443']) expect(notes).toContain(fact)
})

test('as long as what they cover is in sight, they go on from themselves', async () => {
  const messages = [...TALK('We use tabs.'), ...TALK('We deploy to port 8443.')]
  const before = { text: 'My name is Ann Lindqvist.', covers: messages[1]?.id ?? '' }
  const notes = await noted({ messages, summary: 'We never deploy on Fridays.' }, before)
  expect(notes).toMatch(/Ann Lindqvist[\s\S]*8443/)
  expect(notes).not.toMatch(/We use tabs|Fridays/)
})

test('a model that cannot make them is not asked again before as much more was said, and then is told all of it', async () => {
  await using transcript = temporarySessions().create()
  let asked = 0
  const taker = new NoteTaker({
    transcript,
    async model() {
      if (++asked === 1) throw new Error('It is down.')
      return openModel('embedded', DEFAULTS, {})
    },
    now: () => new Date(),
  })
  const first = TALK('We use tabs.')
  await transcript.append(...first)
  const consider = async (messages: typeof first) => {
    taker.consider({ messages, summary: undefined }, LIMITS)
    await taker.close()
    return asked
  }
  expect(await consider(first)).toBe(1)
  expect(await consider([...first, said('And?'), replied('Nothing.')])).toBe(1)
  expect(await consider([...first, ...TALK('We deploy to port 8443.')])).toBe(2)
  expect((await taker.read())?.text).toMatch(/We use tabs[\s\S]*8443/)
})
