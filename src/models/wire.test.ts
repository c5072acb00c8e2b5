import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import { expect, test } from 'vitest'
import { DEFAULTS } from '../config/index.ts'
import { describeFailure } from './failure.ts'
import { openModel } from './providers.ts'
import { usageOf } from './usage.ts'
import { type FakeProvider, type Reply, startFakeProvider } from './wire.fixture.ts'

/**
 * How failures come out of the AI SDK's providers, found out on the wire and not read in their documentation. The
 * agent asks them directly (agent/request.ts) and is written against these tables: when a new version of a provider
 * changes one, this is where it shows.
 */

/** Anthropic's Messages, Chat Completions of a compatible server, OpenAI's Responses, Gemini's, xAI's Responses. */
const MODELS = {
  anthropic: 'anthropic/claude-x',
  custom: 'custom/model-x',
  openai: 'openai/gpt-x',
  google: 'google/gemini-x',
  xai: 'xai/grok-x',
}

type Wire = keyof typeof MODELS

interface Observed {
  /** The types of the parts in their order, repetitions told once. */
  parts: string[]
  /**
   * How it came: `rejected` by `doStream`, a `part` of the stream, `thrown` by its reader. Then its class, its status,
   * and whether the SDK would retry; `-` for what it does not have.
   */
  errors: string[]
  kinds: string[]
  /** Absent when the stream ends without a `finish`. */
  finish?: string
  text: string
  /** Names, and arguments as they came. */
  calls: unknown[]
  usage?: LanguageModelV4Usage
}

const tools: LanguageModelV4FunctionTool[] = [
  {
    type: 'function',
    name: 'look',
    inputSchema: { type: 'object', properties: { at: { type: 'string' } } },
  },
]
const OPTIONS: LanguageModelV4CallOptions = {
  prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi.' }] }],
  tools,
  maxOutputTokens: 1_000,
}

async function open(wire: Wire, provider: FakeProvider) {
  const config = { ...DEFAULTS, providers: provider.settings(...Object.keys(MODELS)) }
  return openModel(MODELS[wire], config, {})
}

interface Listening {
  abortSignal?: AbortSignal
  onText?: () => void
}

async function ask(wire: Wire, reply: Reply, { onText, ...listening }: Listening = {}): Promise<Observed> {
  await using provider = await startFakeProvider(reply)
  const { model } = await open(wire, provider)
  const seen: Observed = { parts: [], errors: [], kinds: [], text: '', calls: [] }
  const fail = (way: string, error: unknown) => {
    seen.errors.push(`${way} ${looks(error)}`)
    seen.kinds.push(describeFailure(error, wire).kind)
  }
  let way = 'rejected'
  try {
    const { stream } = await model.doStream({ ...OPTIONS, ...listening })
    way = 'thrown'
    for await (const part of stream) {
      if (seen.parts.at(-1) !== part.type) seen.parts.push(part.type)
      if (part.type === 'error') fail('part', part.error)
      if (part.type === 'text-delta') {
        seen.text += part.delta
        onText?.()
      }
      if (part.type === 'tool-call') seen.calls.push([part.toolName, part.input])
      if (part.type === 'finish')
        Object.assign(seen, { finish: part.finishReason.unified, usage: part.usage })
    }
  } catch (error) {
    fail(way, error)
  }
  return seen
}

function looks(error: unknown): string {
  const { name, statusCode, isRetryable } = error as Error & { statusCode?: number; isRetryable?: boolean }
  return [name ?? '-', statusCode ?? '-', isRetryable ?? '-'].join(' ')
}

const WIRES = Object.keys(MODELS) as Wire[]

test.each(WIRES)('%s: thinking, text and calls arrive whole, with their usage', async wire => {
  const seen = await ask(wire, {
    thinking: 'Let me see.',
    text: 'Hello there, friend.',
    calls: [
      { name: 'look', input: { at: 'a file with a long name.txt' } },
      { name: 'look', input: { at: 'b' } },
    ],
    usage: { input: 100, output: 7, cacheRead: 60, cacheWrite: wire === 'anthropic' ? 30 : 0 },
  })
  expect(seen).toMatchObject({ text: 'Hello there, friend.', finish: 'tool-calls', errors: [] })
  expect(seen.parts).toContain('reasoning-delta')
  expect(seen.calls).toEqual([
    ['look', '{"at":"a file with a long name.txt"}'],
    ['look', '{"at":"b"}'],
  ])
  const cacheWrite = wire === 'anthropic' ? 30 : 0
  expect(usageOf(seen.usage)).toEqual({ input: 100, output: 7, cacheRead: 60, cacheWrite })
})

test.each<[Reply['stop'], string]>([
  ['length', 'length'],
  ['filter', 'content-filter'],
])('a reply that stops for %s finishes as %s, without an error', async (stop, finish) => {
  for (const wire of WIRES)
    expect(await ask(wire, { text: 'Half a', ...(stop && { stop }) })).toMatchObject({ finish, errors: [] })
})

/** Before the stream: `doStream` rejects, and there is no stream. */
test.each<[string, Reply, string, string]>([
  ['429', { fault: { status: 429, type: 'rate_limit_error' } }, '429 true', 'rate-limit'],
  ['529', { fault: { status: 529, type: 'overloaded_error' } }, '529 true', 'overloaded'],
  ['500', { fault: { status: 500 } }, '500 true', 'server'],
  ['500 without a body', { fault: { status: 500, body: '' } }, '500 true', 'server'],
  ['503 with a page', { fault: { status: 503, body: '<html>Bad gateway</html>' } }, '503 true', 'server'],
  ['408', { fault: { status: 408 } }, '408 true', 'timeout'],
  ['401', { fault: { status: 401, type: 'authentication_error' } }, '401 false', 'unauthorised'],
  ['403', { fault: { status: 403, type: 'permission_error' } }, '403 false', 'forbidden'],
  ['404', { fault: { status: 404, type: 'not_found_error' } }, '404 false', 'not-found'],
  ['413', { fault: { status: 413, type: 'request_too_large' } }, '413 false', 'too-long'],
  [
    '400 too long, in Anthropic’s words',
    { fault: { status: 400, message: 'prompt is too long: 210000 tokens > 200000 maximum' } },
    '400 false',
    'too-long',
  ],
  [
    '400 too long, in OpenAI’s words',
    { fault: { status: 400, type: 'context_length_exceeded', message: 'Too much.' } },
    '400 false',
    'too-long',
  ],
  ['a closed port', { fault: { refuse: 5_000 } }, '- true', 'network'],
  ['a cut before the headers', { fault: { dropAfter: 'request' } }, '- true', 'network'],
])('%s', async (_, reply, statusAndRetry, kind) => {
  for (const wire of WIRES) {
    const seen = await ask(wire, reply)
    expect(seen.errors, wire).toEqual([`rejected AI_APICallError ${statusAndRetry}`])
    expect(seen.kinds, wire).toEqual([kind])
    expect(seen.parts, wire).toEqual([])
  }
})

const HELLO = { text: 'Hello there, my friend.' }
const CALL = { calls: [{ name: 'look', input: { at: 'a' } }] }
/** In the middle of the text on every wire: Anthropic has most frames before it. */
const MIDDLE = 4

interface Surfacing {
  errors: string[]
  kinds: string[]
  finish: string | undefined
}

const surfaced = (errors: string[], kinds: string[], finish?: string): Surfacing => ({
  errors,
  kinds,
  finish,
})
const CUT = surfaced(['thrown AI_APICallError 200 false'], ['stream-broken'])
const CUT_AT_ONCE = surfaced(['rejected AI_APICallError 200 false'], ['stream-broken'])
const INTERRUPTED = surfaced([], [], 'interrupted')
const NO_FINISH = surfaced([], [])
/** Without a reason: that tells it from a whole reply. */
const NO_REASON = surfaced([], [], 'other')
const HOLE = surfaced(['part AI_JSONParseError - -'], ['stream-broken'], 'stop')
const NO_END = surfaced(['part AI_InvalidResponseDataError - -'], ['stream-broken'], 'error')
/** No Error, but what the provider sent, with a status if the SDK knows one. After it Anthropic's does not finish. */
const errorPart = (statusAndRetry: string, kind: string, finish?: 'error' | 'other') =>
  surfaced([`part - ${statusAndRetry}`], [kind], finish)

/** Once the stream is there, each provider has its own way. */
test.each<[string, Reply, Record<Wire, Surfacing>]>([
  [
    'a cut before the first event',
    { ...HELLO, fault: { dropAfter: 0 } },
    { anthropic: CUT_AT_ONCE, custom: CUT, openai: CUT_AT_ONCE, google: CUT, xai: CUT },
  ],
  [
    'a cut in the text',
    { ...HELLO, fault: { dropAfter: MIDDLE } },
    { anthropic: CUT, custom: CUT, openai: CUT, google: CUT, xai: CUT },
  ],
  [
    'a cut after a whole call',
    { ...CALL, fault: { dropAfter: 'content' } },
    { anthropic: CUT, custom: CUT, openai: CUT, google: CUT, xai: CUT },
  ],
  [
    'overloaded as the first event',
    { ...HELLO, fault: { errorEvent: 'overloaded_error', after: 0 } },
    {
      anthropic: surfaced(['rejected AI_APICallError 529 true'], ['overloaded']),
      custom: errorPart('- -', 'overloaded', 'error'),
      openai: surfaced(['rejected AI_APICallError 503 true'], ['overloaded']),
      google: errorPart('500 true', 'overloaded', 'error'),
      xai: errorPart('503 true', 'overloaded', 'other'),
    },
  ],
  [
    'overloaded in the text',
    { ...HELLO, fault: { errorEvent: 'overloaded_error', after: MIDDLE } },
    {
      anthropic: errorPart('529 true', 'overloaded'),
      custom: errorPart('- -', 'overloaded', 'error'),
      openai: errorPart('503 true', 'overloaded', 'error'),
      google: errorPart('500 true', 'overloaded', 'error'),
      xai: errorPart('503 true', 'overloaded', 'other'),
    },
  ],
  [
    'a rate limit in the text',
    { ...HELLO, fault: { errorEvent: 'rate_limit_error', message: 'Slow down.', after: MIDDLE } },
    {
      anthropic: errorPart('429 true', 'rate-limit'),
      custom: errorPart('- -', 'rate-limit', 'error'),
      openai: errorPart('429 true', 'rate-limit', 'error'),
      google: errorPart('500 true', 'rate-limit', 'error'),
      xai: errorPart('429 true', 'rate-limit', 'other'),
    },
  ],
  [
    'a server error in the text',
    { ...HELLO, fault: { errorEvent: 'server_error', message: 'It failed.', after: MIDDLE } },
    {
      anthropic: errorPart('- -', 'server'),
      custom: errorPart('- -', 'server', 'error'),
      openai: errorPart('500 true', 'server', 'error'),
      google: errorPart('500 true', 'server', 'error'),
      xai: errorPart('500 true', 'server', 'other'),
    },
  ],
  [
    'a clean end before the first event',
    { ...HELLO, fault: { earlyEnd: 0 } },
    { anthropic: NO_FINISH, custom: NO_END, openai: INTERRUPTED, google: INTERRUPTED, xai: NO_REASON },
  ],
  [
    'a clean end in the text',
    { ...HELLO, fault: { earlyEnd: MIDDLE } },
    { anthropic: INTERRUPTED, custom: NO_END, openai: INTERRUPTED, google: INTERRUPTED, xai: NO_REASON },
  ],
  [
    'a clean end after a whole call',
    { ...CALL, fault: { earlyEnd: 'content' } },
    { anthropic: INTERRUPTED, custom: NO_END, openai: INTERRUPTED, google: INTERRUPTED, xai: NO_REASON },
  ],
  [
    'garbage as the first event',
    { ...HELLO, fault: { garbage: 0 } },
    {
      anthropic: surfaced(['rejected Error - -'], ['unknown']),
      custom: HOLE,
      openai: surfaced(['part AI_JSONParseError - -'], ['stream-broken'], 'error'),
      google: HOLE,
      xai: HOLE,
    },
  ],
  [
    // The error part is all there is to see it by: the reply has a hole and finishes as if it were whole.
    'garbage in the text',
    { ...HELLO, fault: { garbage: MIDDLE } },
    {
      anthropic: HOLE,
      custom: HOLE,
      openai: surfaced(['part AI_JSONParseError - -'], ['stream-broken'], 'error'),
      google: HOLE,
      xai: HOLE,
    },
  ],
])('%s', async (_, reply, expected) => {
  for (const wire of WIRES) {
    const { errors, kinds, finish } = await ask(wire, reply)
    expect({ errors, kinds, finish }, wire).toEqual(expected[wire])
  }
})

test('a call is seen before the cut only where the provider says that it is complete', async () => {
  const calls = [['look', '{"at":"a"}']]
  expect((await ask('anthropic', { ...CALL, fault: { dropAfter: 'content' } })).calls).toEqual(calls)
  for (const wire of ['openai', 'google', 'xai'] as const)
    expect((await ask(wire, { ...CALL, fault: { dropAfter: 'content' } })).calls).toEqual(calls)
  expect((await ask('custom', { ...CALL, fault: { dropAfter: 'content' } })).calls).toEqual([])
  // At a clean end the compatible provider lets it through, and says only then that the end was missing. The same
  // with a call of which nothing had come but its name.
  expect((await ask('custom', { ...CALL, fault: { earlyEnd: 'content' } })).calls).toEqual(calls)
  expect((await ask('custom', { ...CALL, fault: { earlyEnd: 2 } })).calls).toEqual([['look', '']])
})

/** Google's calls come whole, as JSON. */
test.each(WIRES.filter(wire => wire !== 'google'))(
  '%s: arguments come as they are, and nobody looks at them or at the name',
  async wire => {
    const bad = await ask(wire, { ...CALL, fault: { badJson: '{"at": "a' } })
    expect(bad).toMatchObject({ calls: [['look', '{"at": "a']], errors: [], finish: 'tool-calls' })
    const cut = await ask(wire, { ...CALL, stop: 'length', fault: { badJson: '{"at": "a' } })
    expect(cut).toMatchObject({ calls: [['look', '{"at": "a']], errors: [], finish: 'length' })
    const none = await ask(wire, { ...CALL, fault: { badJson: '' } })
    expect(none).toMatchObject({ calls: [['look', wire === 'anthropic' ? '{}' : '']], finish: 'tool-calls' })
    const unknown = await ask(wire, { calls: [{ name: 'fly', input: {} }] })
    expect(unknown).toMatchObject({ calls: [['fly', '{}']], errors: [], finish: 'tool-calls' })
  },
)

/** Whoever aborts has to remember it: with a reason of one's own it looks like a cut. */
test.each(WIRES)('%s: silence lasts until it is aborted', async wire => {
  const abortSignal = AbortSignal.timeout(100)
  const before = await ask(wire, { ...HELLO, fault: { stall: 'request' } }, { abortSignal })
  expect(before).toMatchObject({ errors: ['rejected TimeoutError - -'], parts: [] })
  for (const [reason, error] of [
    [undefined, 'AbortError - -'],
    [new DOMException('Too slow.', 'TimeoutError'), 'TimeoutError - -'],
    [new Error('Enough.'), 'AI_APICallError 200 false'],
  ] as const) {
    const controller = new AbortController()
    const onText = () => controller.abort(reason)
    const listening = { abortSignal: controller.signal, onText }
    const within = await ask(wire, { ...HELLO, fault: { stall: MIDDLE } }, listening)
    expect(within.errors).toEqual([`thrown ${error}`])
    expect(within.finish).toBeUndefined()
  }
})

/** Not streamed, the way out when a stream is silent: `doGenerate` rejects, whatever the provider. */
test.each<[string, Reply, string, string]>([
  ['529', { fault: { status: 529 } }, 'AI_APICallError 529 true', 'overloaded'],
  ['a cut before the headers', { fault: { dropAfter: 'request' } }, 'AI_APICallError - true', 'network'],
  [
    'a cut in the body',
    { ...HELLO, fault: { dropAfter: 'content' } },
    'AI_APICallError 200 false',
    'stream-broken',
  ],
  ['half a body', { ...HELLO, fault: { earlyEnd: 'content' } }, 'AI_APICallError 200 false', 'stream-broken'],
  ['silence', { ...HELLO, fault: { stall: 'content' } }, 'TimeoutError - -', 'timeout'],
])('whole: %s', async (_, reply, expected, kind) => {
  for (const wire of WIRES) {
    await using provider = await startFakeProvider(reply)
    const { model } = await open(wire, provider)
    const abortSignal = AbortSignal.timeout('stall' in (reply.fault ?? {}) ? 100 : 30_000)
    const rejected: unknown = await model.doGenerate({ ...OPTIONS, abortSignal }).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(looks(rejected), wire).toBe(expected)
    expect(describeFailure(rejected, wire).kind, wire).toBe(kind)
  }
})

test('a slow stream is a stream', async () => {
  for (const wire of WIRES)
    expect(await ask(wire, { ...HELLO, fault: { trickle: 5 } })).toMatchObject({ ...HELLO, finish: 'stop' })
})

test('what is asked twice is the same bytes twice, with cache marks and the key where they belong', async () => {
  await using provider = await startFakeProvider()
  provider.always({ text: 'Yes.' })
  for (const wire of WIRES) {
    const { model, cacheMarkers } = await open(wire, provider)
    const providerOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } }
    const prompt: LanguageModelV4CallOptions['prompt'] = [
      { role: 'system', content: 'Be brief.', providerOptions },
      ...OPTIONS.prompt,
    ]
    for (const _ of [1, 2]) for await (const _ of (await model.doStream({ ...OPTIONS, prompt })).stream);
    const [first, second] = provider.requests.splice(0)
    expect(second?.text).toBe(first?.text)
    expect(first?.text.includes('"cache_control"')).toBe(cacheMarkers === 'anthropic')
    const { authorization, 'x-api-key': apiKey, 'x-goog-api-key': googleKey } = first?.headers ?? {}
    expect(apiKey ?? googleKey ?? authorization).toContain('sk-fake-')
    expect(first?.text).not.toContain('sk-fake-')
  }
  expect(provider.unanswered).toEqual([])
})
