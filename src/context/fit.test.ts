import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Message, type Part, textOf, toolCallsOf, toolResultsOf } from '../session/index.ts'
import { replied, returned, said } from '../session/session.fixture.ts'
import type { Step } from './ageing.ts'
import {
  charactersThatFit,
  clearInputs,
  clearOldInputs,
  dropCalls,
  dropImages,
  dropOldSteps,
  longTexts,
  shorten,
} from './fit.ts'
import { estimateMessages } from './tokens.ts'

const IMAGE: Part = { type: 'image', mediaType: 'image/png', data: 'x' }
const tell = (text: string) => ({ ...said(text), origin: 'program' as const })

/** A reply that writes a file with each call, and the results. */
function round(calls: number, words: number, image: boolean): Message[] {
  const ids = Array.from({ length: calls }, () => crypto.randomUUID())
  const reply: Message = {
    ...replied('Next.'),
    parts: [
      { type: 'thinking', text: 'Hm.', provider: { anthropic: { signature: 's' } } },
      ...ids.map(call => ({
        type: 'tool-call' as const,
        call,
        tool: 'write_file',
        input: { path: 'a.txt', content: 'word '.repeat(words), lines: ['line '.repeat(words)] },
      })),
    ],
  }
  const results = ids.map(call => returned(call, 'write_file', 'word '.repeat(words)))
  return [reply, ...results.map(result => (image ? withImage(result) : result))]
}

function withImage(message: Message): Message {
  return {
    ...message,
    parts: toolResultsOf(message).map(part => ({ ...part, content: [...part.content, IMAGE as never] })),
  }
}

const ROUND = fc
  .record({ calls: fc.integer({ min: 1, max: 4 }), words: fc.nat(600), image: fc.boolean() })
  .map(({ calls, words, image }) => round(calls, words, image))
const WORDS = fc.nat(1_500).map(words => said('word '.repeat(words)))
const STEERED = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: ROUND },
    WORDS.map(words => [words]),
  ),
  { maxLength: 12 },
)
const TALK = fc
  .record({ before: fc.array(fc.tuple(WORDS, ROUND)), asked: WORDS, rounds: STEERED, image: fc.boolean() })
  .map(({ before, asked, rounds, image }) => [
    ...before.flatMap(([words, steps]) => [words, ...steps, replied('Done.')]),
    image ? { ...asked, parts: [...asked.parts, IMAGE] } : asked,
    ...rounds.flat(),
  ])

const shortened =
  (replies: boolean) =>
  (messages: readonly Message[], most: number): Step => {
    const characters = charactersThatFit(messages, { most, replies })
    if (characters === undefined) return { messages, freed: 0 }
    return shorten(messages, { characters, fileOf: key => `/kept/${key}`, replies })
  }

const STEPS: ReadonlyArray<[string, (messages: readonly Message[], most: number) => Step]> = [
  ['inputs', messages => clearOldInputs(messages)],
  ['steps', (messages, most) => dropOldSteps(messages, { most, tell })],
  ['images', (messages, most) => dropImages(messages, { most })],
  ['the last inputs', (messages, most) => clearInputs(messages, { most })],
  ['texts', shortened(false)],
  ['texts and replies', shortened(true)],
  ['calls', (messages, most) => dropCalls(messages, { most, tell })],
]

test.each(STEPS)(
  '%s: pairs stay paired, thinking stays with its calls, nobody’s words are gone, twice is once',
  (name, step) => {
    fc.assert(
      fc.property(TALK, fc.integer({ min: 200, max: 6_000 }), (messages, most) => {
        const { messages: after, freed } = step(messages, most)
        expect(after.flatMap(toolResultsOf).map(({ call }) => call)).toEqual(
          after.flatMap(toolCallsOf).map(({ call }) => call),
        )
        const people = (some: readonly Message[]) =>
          some.filter(({ origin }) => origin === 'person').map(({ id }) => id)
        expect(people(after)).toEqual(people(messages))
        for (const reply of after.filter(({ role }) => role === 'assistant')) {
          const before = messages.find(({ id }) => id === reply.id)?.parts.map(({ type }) => type)
          const types = reply.parts.map(({ type }) => type)
          const isCall = (type: string) => type === 'tool-call'
          // A reply that called keeps a call, or goes: it would pass for an answer.
          expect(types.some(isCall)).toBe(before?.some(isCall))
          if (name === 'calls') expect(types.filter(t => !isCall(t))).toEqual(before?.filter(t => !isCall(t)))
          else expect(types).toEqual(before)
        }
        expect(estimateMessages(messages) - estimateMessages(after)).toBe(freed)
        expect(step(after, most).messages.map(({ id }) => id)).toEqual(after.map(({ id }) => id))
        if (estimateMessages(after) <= most) expect(step(after, most)).toEqual({ messages: after, freed: 0 })
      }),
      { numRuns: 40 },
    )
  },
)

test('all of them together make any turn fit, down to the beginnings of what was said', () => {
  fc.assert(
    fc.property(TALK, messages => {
      const all = STEPS.reduce((left, [, step]) => step(left, 2_500).messages, messages as readonly Message[])
      const texts = all.reduce((sum, { parts }) => sum + parts.length, 0)
      expect(estimateMessages(all)).toBeLessThanOrEqual(Math.max(2_500, texts * 420))
    }),
    { numRuns: 40 },
  )
})

test('what is shortened keeps both ends, and says where all of it is; whoever keeps it is given the whole', () => {
  const long = said(`BEGIN ${'word '.repeat(4_000)} END`)
  const characters = charactersThatFit([long], { most: 500 }) ?? 0
  expect(longTexts([long], characters)).toEqual([{ key: `${long.id}-0`, text: textOf(long) }])
  const { messages } = shorten([long], { characters, fileOf: () => '/kept/it.txt' })
  expect(messages.map(textOf).join()).toMatch(
    /^BEGIN [\s\S]*\[… \d+ characters left out for want of room; all of it is in \/kept\/it\.txt …\][\s\S]*END$/,
  )
  expect(estimateMessages(messages)).toBeLessThanOrEqual(500)
})

test('the oldest steps of a long turn go, and are counted in one line', () => {
  const messages = [said('Do it.'), ...Array.from({ length: 9 }, () => round(2, 50, false)).flat()]
  const { messages: after } = dropOldSteps(messages, { most: 0, tell })
  expect(after.map(({ role }) => role)).toEqual([
    'user',
    'user',
    ...['assistant', 'tool', 'tool'],
    ...['assistant', 'tool', 'tool'],
  ])
  expect(after.map(textOf)[1]).toBe(
    '[14 earlier steps of this are left out for want of room: write_file ×14]',
  )
})

test('of a reply with more calls than there is room for, the newest stay, and the rest are counted in one line', () => {
  const messages = [said('Do it.'), ...round(300, 1, false)]
  const { messages: after } = dropCalls(messages, { most: 2_000, tell })
  expect(estimateMessages(after)).toBeLessThanOrEqual(2_000)
  expect(estimateMessages(after)).toBeGreaterThan(1_800)
  expect(after.map(textOf)[1]).toMatch(
    /^\[\d+ calls and what they returned are left out for want of room: write_file ×\d+\]$/,
  )
  const kept = after.flatMap(toolCallsOf).map(({ call }) => call)
  expect(kept).toEqual(
    messages
      .flatMap(toolCallsOf)
      .map(({ call }) => call)
      .slice(-kept.length),
  )
  expect(dropCalls(messages, { most: 0, tell }).messages.flatMap(toolCallsOf)).toHaveLength(1)
})
