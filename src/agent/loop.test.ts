import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Line, Reply } from '../models/wire.fixture.ts'
import { textOf, toolCallsOf, toolResultsOf } from '../session/index.ts'
import { defineTool } from '../tools/index.ts'
import {
  type Conversed,
  type ConverseOptions,
  converse,
  MODELS,
  recordingTools,
  spoken,
  type WireName,
} from './loop.fixture.ts'

const WIRES = Object.keys(MODELS) as WireName[]

const HELLO: Reply = { text: 'Hello there, my friend.' }
const LOOK: Reply = { text: 'Looking.', calls: [{ name: 'look', input: { at: 'a' } }] }
const CUT: Reply = { text: 'Half a sentence and', stop: 'length', usage: { output: 1_000 } }
const SMALL_CUT: Reply = { text: 'x', stop: 'length', usage: { output: 10 } }
const TOO_LONG: Reply = {
  fault: { status: 400, message: 'prompt is too long: 210000 tokens > 200000 maximum' },
}
const status = (status: number, type = 'api_error', headers: Record<string, string> = {}): Reply => ({
  fault: { status, type, headers },
})
const BUSY = status(529, 'overloaded_error')

/** What must hold however a conversation went. */
function expectSound({ ran, loaded, state, provider }: Conversed): void {
  expect(new Set(ran).size).toBe(ran.length)
  expect(loaded.inFlight).toEqual([])
  expect(loaded.messages).toEqual(state.messages)
  expect(loaded.problems).toEqual([])
  expect(provider.unanswered).toEqual([])
  const calls = loaded.messages.flatMap(toolCallsOf).map(({ call }) => call)
  const results = loaded.messages.flatMap(toolResultsOf).map(({ call }) => call)
  expect(results.toSorted()).toEqual(calls.toSorted())
}

const said = ({ loaded }: Conversed) => loaded.messages.filter(({ role }) => role === 'assistant').map(textOf)

type Row = [
  what: string,
  lines: Line[],
  path: string[],
  more?: ConverseOptions & { says?: string[]; waited?: number[]; ran?: number },
]

const ROWS: Row[] = [
  ['an answer', [HELLO], ['person-spoke', 'answered'], { says: ['Hello there, my friend.'] }],
  [
    'a tool, then an answer',
    [LOOK, HELLO],
    ['person-spoke', 'tools-returned', 'answered'],
    { ran: 1, says: ['Looking.', 'Hello there, my friend.'] },
  ],
  [
    'a reply cut at the limit: a higher limit',
    [CUT, HELLO],
    ['person-spoke', 'limit-raised', 'answered'],
    { says: ['Hello there, my friend.'] },
  ],
  [
    'cut again: asked to go on, three times at most',
    [CUT, CUT, CUT, CUT, CUT],
    [
      'person-spoke',
      'limit-raised',
      'asked-to-continue',
      'asked-to-continue',
      'asked-to-continue',
      'cut-short',
    ],
  ],
  [
    'cut with no higher limit, then whole',
    [CUT, HELLO],
    ['person-spoke', 'asked-to-continue', 'answered'],
    { maxOutput: 4_000, says: ['Half a sentence and', 'Hello there, my friend.'] },
  ],
  [
    'continuations that add next to nothing',
    [CUT, SMALL_CUT, SMALL_CUT, LOOK, SMALL_CUT, SMALL_CUT],
    [
      'person-spoke',
      'asked-to-continue',
      'asked-to-continue',
      'asked-to-continue',
      'tools-returned',
      'asked-to-continue',
      'cut-short',
    ],
    { maxOutput: 4_000 },
  ],
  [
    'too long: nothing to drop, and asked again it is still',
    [TOO_LONG, TOO_LONG],
    ['person-spoke', 'asked-again', 'failed'],
  ],
  [
    'too long by mistake: nothing to drop, and asked again it is not',
    [TOO_LONG, HELLO],
    ['person-spoke', 'asked-again', 'answered'],
  ],
  [
    '429, 500, 503, 408, then fine',
    [status(429), status(500), status(503), status(408), HELLO],
    ['person-spoke', 'waited', 'waited', 'waited', 'waited', 'answered'],
    { waited: [500, 1_000, 2_000, 4_000] },
  ],
  [
    'Retry-After wins',
    [status(429, 'rate_limit_error', { 'retry-after': '7' }), HELLO],
    ['person-spoke', 'waited', 'answered'],
    { waited: [7_000] },
  ],
  ['ten tries at most', Array(10).fill(status(500)), ['person-spoke', ...Array(9).fill('waited'), 'failed']],
  ['a closed port', [{ fault: { dropAfter: 'request' } }, HELLO], ['person-spoke', 'waited', 'answered']],
  [
    'overloaded three times: the other model',
    [BUSY, BUSY, BUSY, HELLO],
    ['person-spoke', 'waited', 'waited', 'fell-back', 'answered'],
    { fallback: true, says: ['Hello there, my friend.'] },
  ],
  [
    'overloaded with no other model',
    [BUSY, BUSY, BUSY, HELLO],
    ['person-spoke', 'waited', 'waited', 'waited', 'answered'],
  ],
  [
    'overloaded in the middle of a reply, three times',
    [...Array(3).fill({ ...HELLO, fault: { errorEvent: 'overloaded_error', after: 4 } }), HELLO],
    ['person-spoke', 'waited', 'waited', 'fell-back', 'answered'],
    { fallback: true, says: ['Hello there, my friend.'] },
  ],
  [
    'silence: asked without streaming',
    [{ fault: { stall: 'request' } }, HELLO],
    ['person-spoke', 'asked-without-streaming', 'answered'],
    { idleMs: 150 },
  ],
  [
    'silence in mid-reply',
    [{ ...HELLO, fault: { stall: 4 } }, HELLO],
    ['person-spoke', 'asked-without-streaming', 'answered'],
    { idleMs: 150, says: ['Hello there, my friend.'] },
  ],
  [
    'a slow trickle is no silence',
    [{ ...HELLO, fault: { trickle: 30 } }],
    ['person-spoke', 'answered'],
    { idleMs: 400 },
  ],
  [
    'a stream that dies is asked again',
    [{ ...HELLO, fault: { dropAfter: 4 } }, HELLO],
    ['person-spoke', 'waited', 'answered'],
    { says: ['Hello there, my friend.'] },
  ],
  [
    'a stream that ends early is asked again',
    [{ ...HELLO, fault: { earlyEnd: 'content' } }, HELLO],
    ['person-spoke', 'waited', 'answered'],
    { says: ['Hello there, my friend.'] },
  ],
  [
    'garbage in the stream',
    [{ ...HELLO, fault: { garbage: 4 } }, HELLO],
    ['person-spoke', 'waited', 'answered'],
    { says: ['Hello there, my friend.'] },
  ],
  [
    'arguments that are no JSON',
    [{ ...LOOK, fault: { badJson: '{"at": ' } }, HELLO],
    ['person-spoke', 'tools-returned', 'answered'],
    { ran: 0 },
  ],
  [
    'arguments that do not fit',
    [{ calls: [{ name: 'look', input: { at: 3 } }] }, HELLO],
    ['person-spoke', 'tools-returned', 'answered'],
    { ran: 0 },
  ],
  [
    'a tool that does not exist',
    [{ calls: [{ name: 'dance', input: {} }] }, HELLO],
    ['person-spoke', 'tools-returned', 'answered'],
    { ran: 0 },
  ],
  ['401', [status(401, 'authentication_error')], ['person-spoke', 'failed'], { waited: [] }],
  ['403', [status(403, 'permission_error')], ['person-spoke', 'failed'], { waited: [] }],
  ['404', [status(404, 'not_found_error')], ['person-spoke', 'failed'], { waited: [] }],
  ['refused to answer', [{ text: 'I', stop: 'filter' }], ['person-spoke', 'failed']],
  [
    'too many turns',
    Array(3).fill(LOOK),
    ['person-spoke', 'tools-returned', 'tools-returned', 'tools-returned', 'too-many-turns'],
    { maxTurns: 3, ran: 3 },
  ],
  [
    'a failure, a cut and a tool in one answer',
    [status(500), CUT, LOOK, BUSY, HELLO],
    ['person-spoke', 'waited', 'limit-raised', 'tools-returned', 'waited', 'answered'],
    { ran: 1 },
  ],
]

for (const wire of WIRES)
  test.each(ROWS)(`${wire}: %s`, async (_, lines, path, more = {}) => {
    const { says, waited, ran, ...options } = more
    const conversed = await converse(wire, lines, options)
    expect(conversed.path).toEqual(path)
    expectSound(conversed)
    if (says) expect(said(conversed)).toEqual(says)
    if (waited) expect(conversed.waited).toEqual(waited)
    if (ran !== undefined) expect(conversed.ran).toHaveLength(ran)
    if (['failed', 'cut-short', 'too-many-turns'].includes(conversed.end.reason))
      expect(conversed.end.message).toMatch(/^\S.* .*[.\d]$/)
  })

test.each(WIRES)(
  '%s: too long in the middle of a conversation: compacted once, and nothing is lost',
  async wire => {
    const messages = [
      spoken('My name is Ann. '.repeat(50)),
      reply('Hello Ann. '.repeat(50)),
      spoken('And now?'),
    ]
    const conversed = await converse(wire, [TOO_LONG, { text: 'Ann said her name.' }, HELLO], { messages })
    expect(conversed.path).toEqual(['person-spoke', 'compacted', 'answered'])
    expectSound(conversed)
    expect(conversed.loaded.summary).toBe('Ann said her name.')
    expect(conversed.loaded.messages.map(textOf)).toEqual(['And now?', 'Hello there, my friend.'])
    expect(conversed.history).toEqual(['Ann said her name.'])
    expect(conversed.provider.requests.at(-1)?.text).toContain('Ann said her name.')
  },
)

test('when no summary can be made, what was said is archived as it is, and still too long is a clear error', async () => {
  const messages = [spoken('My name is Ann.'), reply('Hello.'), spoken('And now?')]
  const conversed = await converse('anthropic', [TOO_LONG, status(401), TOO_LONG], { messages })
  expect(conversed.path).toEqual(['person-spoke', 'compacted', 'failed'])
  expect(conversed.history[0]).toMatch(/^\[RAW\] .*My name is Ann/s)
  expect(conversed.loaded.messages.map(textOf)).toEqual(['And now?'])
})

function reply(text: string) {
  return { ...spoken(text), role: 'assistant' as const, origin: 'model' as const }
}

test('tools start while the reply is still coming in, and those that may run side by side do', async () => {
  let running = 0
  let most = 0
  const slow = defineTool({
    name: 'look',
    description: 'Looks slowly.',
    input: z.object({ at: z.string() }),
    readOnly: true,
    async run() {
      running++
      most = Math.max(most, running)
      await sleep(60)
      running--
      return { text: 'seen' }
    },
  })
  const calls = Array.from({ length: 14 }, (_, at) => ({ name: 'look', input: { at: String(at) } }))
  const conversed = await converse('anthropic', [{ calls, fault: { trickle: 2 } }, HELLO], { tools: [slow] })
  expectSound(conversed)
  const names = conversed.events.map(({ type }) => type)
  expect(names.indexOf('tool-started')).toBeLessThan(names.indexOf('reply'))
  expect(most).toBeGreaterThan(1)
  expect(most).toBeLessThanOrEqual(10)
})

test('a tool that changes something runs alone', async () => {
  const log: string[] = []
  const both = Promise.withResolvers<void>()
  const logging = (name: string, readOnly: boolean) =>
    defineTool({
      name,
      description: name,
      input: z.object({ at: z.string() }),
      readOnly,
      async run({ at }) {
        log.push(`${name} ${at} begins`)
        // Those beside each other wait for each other, however slow the machine is.
        if (at === 'b') both.resolve()
        if (at === 'a') await both.promise
        await sleep(5)
        log.push(`${name} ${at} ends`)
        return { text: 'done' }
      },
    })
  const calls = ['look a', 'look b', 'change c', 'change d', 'look e'].map(call => {
    const [name = '', at = ''] = call.split(' ')
    return { name, input: { at } }
  })
  await converse('anthropic', [{ calls }, HELLO], {
    tools: [logging('look', true), logging('change', false)],
  })
  const alone = ['change c begins', 'change c ends', 'change d begins', 'change d ends']
  expect(log.slice(0, 2)).toEqual(['look a begins', 'look b begins'])
  expect(log.slice(4, 8)).toEqual(alone)
  expect(log.slice(8)).toEqual(['look e begins', 'look e ends'])
})

test('a stream that dies after a tool has begun: what came is kept, nothing runs twice', async () => {
  const broken: Reply = {
    text: 'Looking.',
    calls: [
      { name: 'look', input: { at: 'a' } },
      { name: 'change', input: { at: 'b' } },
    ],
    fault: { dropAfter: 'content' },
  }
  const conversed = await converse('anthropic', [broken, HELLO])
  expect(conversed.path).toEqual(['person-spoke', 'kept-what-came', 'answered'])
  expectSound(conversed)
  expect(conversed.ran).toHaveLength(2)
  expect(said(conversed)).toEqual(['Looking.', 'Hello there, my friend.'])
})

test('an interrupt stops everything at once: tools get a result that says so, the text so far stays', async () => {
  const never = defineTool({
    name: 'look',
    description: 'Never returns.',
    input: z.object({ at: z.string() }),
    readOnly: true,
    run: () => new Promise(() => {}),
  })
  const conversed = await converse('anthropic', [LOOK, HELLO], {
    tools: [never],
    watch: (event, interrupt) => {
      if (event.type === 'tool-started') setTimeout(interrupt, 20)
    },
  })
  expect(conversed.path).toEqual(['person-spoke', 'interrupted'])
  expectSound(conversed)
  expect(conversed.loaded.messages.flatMap(toolResultsOf)).toMatchObject([{ outcome: 'interrupted' }])
  const stalled = await converse('compatible', [{ ...HELLO, fault: { stall: 4 } }], {
    watch: (event, interrupt) => {
      if (event.type === 'text') interrupt()
    },
  })
  expect(stalled.path).toEqual(['person-spoke', 'interrupted'])
  expectSound(stalled)
  expect(said(stalled).join('')).toMatch(/^Hello/)
  expect(stalled.loaded.messages.at(-1)?.stop).toBe('interrupted')
})

test('what the person says meanwhile is heard before the next turn, and after the last', async () => {
  const inbox = [[spoken('Wait, also b.')], [spoken('And c.')]]
  const conversed = await converse('anthropic', [LOOK, HELLO, HELLO], { inbox: () => inbox.shift() ?? [] })
  expect(conversed.path).toEqual(['person-spoke', 'steered', 'steered', 'answered'])
  expectSound(conversed)
  const asked = conversed.provider.requests.map(({ text }) => [
    text.includes('also b'),
    text.includes('And c'),
  ])
  expect(asked).toEqual([
    [false, false],
    [true, false],
    [true, true],
  ])
})

test('a budget that is spent ends it before the next request', async () => {
  const price = { input: 1_000, output: 1_000, cacheRead: 0, cacheWrite: 0 }
  const conversed = await converse('anthropic', [{ ...LOOK, usage: { input: 500, output: 500 } }], {
    budgetUsd: 0.5,
    price,
  })
  expect(conversed.path).toEqual(['person-spoke', 'tools-returned', 'budget-spent'])
  expect(conversed.end.message).toMatch(/\$1\.00 .* \$0\.50.*budget\.usd/)
})

test('what was sent is never rewritten: every request begins with the one before it', async () => {
  const lines = Array.from(
    { length: 12 },
    (_, at): Reply => ({
      thinking: 'Hm.',
      text: `Step ${at}.`,
      calls: [{ name: at % 2 ? 'look' : 'change', input: { at: String(at) } }],
    }),
  )
  for (const wire of WIRES) {
    const { provider } = await converse(wire, [...lines, HELLO])
    const sent = provider.requests.map(({ body }) =>
      JSON.stringify(withoutMarkers(body.messages)).slice(1, -1),
    )
    for (const [at, text] of sent.entries())
      if (at > 0) expect(text.startsWith(sent[at - 1] ?? '')).toBe(true)
    const rest = provider.requests.map(({ body }) =>
      JSON.stringify(withoutMarkers([body.system, body.tools])),
    )
    expect(new Set(rest).size).toBe(1)
  }
})

function withoutMarkers(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value ?? null, (key, inner) => (key === 'cache_control' ? undefined : inner)),
  )
}

test('errors are held back until recovery has failed', async () => {
  const fine = await converse('anthropic', [status(500), { ...HELLO, fault: { dropAfter: 4 } }, HELLO])
  expect(fine.events.filter(({ type }) => type === 'ended' || type === 'notice')).toEqual([])
  const tools = recordingTools([])
  expect((await converse('anthropic', [status(401)], { tools })).end).toMatchObject({ reason: 'failed' })
})
