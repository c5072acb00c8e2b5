import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import { describe, expect, test, vi } from 'vitest'
import { DEFAULTS } from '../config/index.ts'
import { type FailureKind, type OpenedModel, openModel } from '../models/index.ts'
import {
  type FakeProvider,
  startFakeProvider,
  type Reply as WireReply,
  type WireRequest,
} from '../models/wire.fixture.ts'
import type { Message, Part, ToolCallPart } from '../session/index.ts'
import { askModel, type ModelRequest, type Reply } from './request.ts'

/** Anthropic's Messages, Chat Completions of a compatible server, OpenAI's Responses, Gemini's, xAI's Responses. */
const MODELS = {
  anthropic: 'anthropic/claude-x',
  custom: 'custom/model-x',
  openai: 'openai/gpt-x',
  google: 'google/gemini-x',
  xai: 'xai/grok-x',
}
type Wire = keyof typeof MODELS
const WIRES = Object.keys(MODELS) as Wire[]

const PRICE = { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 }
const LOOK: LanguageModelV4FunctionTool = {
  type: 'function',
  name: 'look',
  inputSchema: { type: 'object', properties: { at: { type: 'string' } } },
}

async function open(id: string, provider: FakeProvider): Promise<OpenedModel> {
  const config = { ...DEFAULTS, providers: provider.settings(...Object.keys(MODELS)) }
  return { ...(await openModel(id, config, {})), price: PRICE }
}

let count = 0
function message(role: Message['role'], parts: Part[], more: Partial<Message> = {}): Message {
  const origin = { user: 'person', assistant: 'model', tool: 'tool' } as const
  return { id: `m${++count}`, role, origin: origin[role], at: '2026-11-18T10:00:00.000Z', parts, ...more }
}
const said = (text: string) => message('user', [{ type: 'text', text }])
const replied = (reply: Reply, model: OpenedModel) =>
  message('assistant', reply.parts, { model: model.id, ...('stop' in reply && { stop: reply.stop }) })
const returned = ({ call, tool }: ToolCallPart, text: string) =>
  message('tool', [{ type: 'tool-result', call, tool, outcome: 'ok', content: [{ type: 'text', text }] }])

interface Asked {
  reply: Reply
  text: string
  thinking: string
  /** The calls that were told, each with the parts up to it. */
  told: Array<readonly Part[]>
}

interface Hearing extends Partial<ModelRequest> {
  onText?: () => void
  onCall?: () => void
}

async function ask(model: OpenedModel, { onText, onCall, ...over }: Hearing = {}): Promise<Asked> {
  const heard: Omit<Asked, 'reply'> = { text: '', thinking: '', told: [] }
  const request: ModelRequest = {
    system: ['Be brief.'],
    summary: undefined,
    messages: [said('Hi.')],
    model,
    tools: [LOOK],
    maxOutput: 1_000,
    whole: false,
    signal: new AbortController().signal,
    idleMs: 30_000,
    ...over,
  }
  const reply = await askModel(request, {
    text(delta) {
      heard.text += delta
      onText?.()
    },
    thinking(delta) {
      heard.thinking += delta
    },
    call(call, soFar) {
      expect(soFar.at(-1)).toBe(call)
      heard.told.push(soFar)
      onCall?.()
    },
  })
  // What was told may be on the disk: the reply has to begin with it.
  for (const soFar of heard.told) for (const [at, part] of soFar.entries()) expect(reply.parts[at]).toBe(part)
  return { reply, ...heard }
}

async function askWire(wire: Wire, line: WireReply, hearing?: Hearing): Promise<Asked> {
  await using provider = await startFakeProvider(line)
  const asked = await ask(await open(MODELS[wire], provider), hearing)
  expect(provider.unanswered).toEqual([])
  return asked
}

const callsIn = ({ parts }: Pick<Message, 'parts'>) => parts.filter(part => part.type === 'tool-call')
const toldCalls = ({ told }: Asked) => told.map(soFar => soFar.at(-1))

const HELLO = { text: 'Hello there, my friend.' }
const CALL = { calls: [{ name: 'look', input: { at: 'a' } }] }
/** In the middle of the text on every wire: Anthropic has most frames before it. */
const MIDDLE = 4

describe.each(WIRES)('%s', wire => {
  test.each([false, true])('gives a reply as it is; whole: %s', async whole => {
    const line: WireReply = {
      thinking: 'Let me see.',
      ...HELLO,
      calls: [
        { id: 'c1', name: 'look', input: { at: 'a file with a long name.txt' } },
        { id: 'c2', name: 'look', input: {} },
      ],
      usage: { input: 1_000, output: 100, cacheRead: 600, cacheWrite: wire === 'anthropic' ? 300 : 0 },
    }
    const asked = await askWire(wire, line, { whole })
    const { reply } = asked
    const signature = {
      anthropic: { provider: { anthropic: { signature: 'c2lnbmF0dXJl' } } },
      custom: {},
      openai: { provider: { openai: { itemId: 'rs_fake', reasoningEncryptedContent: null } } },
      google: {},
      xai: { provider: { xai: { itemId: 'rs_fake' } } },
    }
    const item = (id: string) => (wire === 'openai' ? { provider: { openai: { itemId: id } } } : {})
    // Gemini names no calls: they get names here.
    const named = (id: string) => (wire === 'google' ? expect.any(String) : id)
    expect(reply.parts).toEqual([
      { type: 'thinking', text: line.thinking, ...signature[wire] },
      { type: 'text', text: line.text, ...item('msg_fake') },
      {
        type: 'tool-call',
        call: named('c1'),
        tool: 'look',
        input: { at: 'a file with a long name.txt' },
        ...item('fc_0_0'),
      },
      { type: 'tool-call', call: named('c2'), tool: 'look', input: {}, ...item('fc_0_1') },
    ])
    expect(asked).toMatchObject({ thinking: line.thinking, text: line.text })
    expect(toldCalls(asked)).toEqual(callsIn(reply))
    expect(reply).toMatchObject({ kind: 'reply', stop: 'tools', usage: { input: 1_000, output: 100 } })
    const written = wire === 'anthropic' ? 300 : 0
    expect('usage' in reply && reply.usage?.usd).toBeCloseTo(
      ((400 - written) * 2 + 600 * 0.2 + written * 2.5 + 100 * 10) / 1_000_000,
    )
  })

  test.each([false, true])('tells why it stopped; whole: %s', async whole => {
    const stopped = async (line: WireReply) => (await askWire(wire, { ...HELLO, ...line }, { whole })).reply
    expect(await stopped({})).toMatchObject({ kind: 'reply', stop: 'end' })
    expect(await stopped(CALL)).toMatchObject({ kind: 'reply', stop: 'tools' })
    // Some servers say "stop" where they mean calls.
    expect(await stopped({ ...CALL, stop: 'end' })).toMatchObject({ kind: 'reply', stop: 'tools' })
    expect(await stopped({ stop: 'length' })).toMatchObject({ kind: 'reply', stop: 'length' })
    // There the SDK does not tell one from the other.
    if (wire === 'xai' && whole)
      return expect(await stopped({ stop: 'filter' })).toMatchObject({ stop: 'length' })
    expect(await stopped({ stop: 'filter' })).toMatchObject({
      kind: 'failure',
      failure: { kind: 'content-filter', message: expect.stringContaining(MODELS[wire]), provider: wire },
      usage: { output: 5 },
      parts: [{ type: 'text', text: HELLO.text }],
    })
  })

  test.each<[string, WireReply, FailureKind]>([
    ['429', { fault: { status: 429, type: 'rate_limit_error' } }, 'rate-limit'],
    ['529', { fault: { status: 529, type: 'overloaded_error' } }, 'overloaded'],
    ['503 with a page', { fault: { status: 503, body: '<html>Bad gateway</html>' } }, 'server'],
    ['401', { fault: { status: 401, type: 'authentication_error' } }, 'unauthorised'],
    ['404', { fault: { status: 404, type: 'not_found_error' } }, 'not-found'],
    ['400 too long', { fault: { status: 400, message: 'prompt is too long: 2 > 1' } }, 'too-long'],
    ['a cut before the headers', { fault: { dropAfter: 'request' } }, 'network'],
    ['a cut before the first event', { fault: { dropAfter: 0 } }, 'stream-broken'],
    ['a cut in the text', { fault: { dropAfter: MIDDLE } }, 'stream-broken'],
    ['a cut before the end', { fault: { dropAfter: 'content' } }, 'stream-broken'],
    ['overloaded at once', { fault: { errorEvent: 'overloaded_error', after: 0 } }, 'overloaded'],
    ['overloaded in the text', { fault: { errorEvent: 'overloaded_error', after: MIDDLE } }, 'overloaded'],
    ['a rate limit in the text', { fault: { errorEvent: 'rate_limit_error', after: MIDDLE } }, 'rate-limit'],
    [
      'an error in the text',
      { fault: { errorEvent: 'server_error', message: 'No.', after: MIDDLE } },
      'server',
    ],
    ['a clean end at once', { fault: { earlyEnd: 0 } }, 'stream-broken'],
    ['a clean end in the text', { fault: { earlyEnd: MIDDLE } }, 'stream-broken'],
    ['a clean end before the end', { fault: { earlyEnd: 'content' } }, 'stream-broken'],
    ['garbage at once', { fault: { garbage: 0 } }, wire === 'anthropic' ? 'unknown' : 'stream-broken'],
    ['garbage in the text', { fault: { garbage: MIDDLE } }, 'stream-broken'],
  ])('%s is a failure', async (_, line, kind) => {
    const { reply, text, told } = await askWire(wire, { ...HELLO, ...CALL, ...line })
    expect(reply).toMatchObject({ kind: 'failure', failure: { kind, provider: wire } })
    // What came is there, and nothing else; no call is run that was not known to be whole.
    expect(HELLO.text).toContain(text)
    expect(reply.parts.find(part => part.type === 'text')?.text ?? '').toBe(text)
    expect(callsIn(reply)).toHaveLength(told.length)
  })

  test.each<[string, WireReply, FailureKind]>([
    ['529', { fault: { status: 529 } }, 'overloaded'],
    ['a cut before the headers', { fault: { dropAfter: 'request' } }, 'network'],
    ['a cut in the body', { fault: { dropAfter: 'content' } }, 'stream-broken'],
    ['half a body', { fault: { earlyEnd: 'content' } }, 'stream-broken'],
  ])('whole: %s is a failure', async (_, line, kind) => {
    const asked = await askWire(wire, { ...HELLO, ...CALL, ...line }, { whole: true })
    expect(asked).toMatchObject({ reply: { kind: 'failure', failure: { kind }, parts: [] }, told: [] })
  })

  test('a closed port is a failure', async () => {
    const { reply } = await askWire(wire, { fault: { refuse: 5_000 } })
    expect(reply).toMatchObject({ kind: 'failure', failure: { kind: 'network' } })
  })

  test('nothing is taken from what follows an error, though it looks whole', async () => {
    // Gemini's call is one piece.
    const garbage = wire === 'google' ? 0 : MIDDLE
    const { reply, told } = await askWire(wire, { ...CALL, fault: { garbage } })
    expect(reply).toMatchObject({ kind: 'failure', failure: { kind: 'stream-broken' }, parts: [] })
    expect(told).toEqual([])
  })

  test('silence is idle', async () => {
    for (const stall of ['request', MIDDLE, 'content'] as const)
      expect((await askWire(wire, { ...HELLO, fault: { stall } }, { idleMs: 50 })).reply.kind).toBe('idle')
    const whole = { whole: true, idleMs: 20 }
    expect((await askWire(wire, { ...HELLO, fault: { stall: 'content' } }, whole)).reply.kind).toBe('idle')
  })

  test('is interrupted at once, and keeps what came', async () => {
    const at = new AbortController()
    const hearing = { signal: at.signal, onText: () => at.abort(new Error('interrupted')) }
    const { reply, text } = await askWire(wire, { ...HELLO, fault: { stall: MIDDLE } }, hearing)
    expect(reply).toMatchObject({ kind: 'interrupted', parts: [{ type: 'text', text }] })
    expect(text).not.toBe('')
    for (const whole of [false, true]) {
      const signal = AbortSignal.timeout(50)
      const asked = await askWire(wire, { ...HELLO, fault: { stall: 'request' } }, { whole, signal })
      expect(asked.reply).toEqual({ kind: 'interrupted', parts: [] })
    }
  })

  test('is not asked when it is interrupted already, and not for a stream when it is to be whole', async () => {
    await using provider = await startFakeProvider(HELLO)
    const model = await open(MODELS[wire], provider)
    for (const whole of [false, true]) {
      const { reply } = await ask(model, { whole, signal: AbortSignal.abort() })
      expect(reply).toEqual({ kind: 'interrupted', parts: [] })
    }
    expect(provider.requests).toEqual([])
    expect(await ask(model, { whole: true })).toMatchObject({ reply: { kind: 'reply' }, text: HELLO.text })
    expect(provider.requests.map(({ body }) => body.stream ?? false)).toEqual([false])
  })

  test('earlier messages are the same bytes in the next request', async () => {
    const { requests } = await talk(wire)
    const key = {
      anthropic: 'messages',
      custom: 'messages',
      openai: 'input',
      google: 'contents',
      xai: 'input',
    }[wire]
    const sent = requests.map(({ body, text }) => {
      const inner = JSON.stringify(body[key]).slice(1, -1)
      expect(text).toContain(inner)
      return withoutMarkers(inner)
    })
    for (const [at, inner] of sent.slice(1).entries()) expect(inner.startsWith(`${sent[at]},`)).toBe(true)
    const rest = requests.map(({ body }) => withoutMarkers(JSON.stringify({ ...body, [key]: [] })))
    expect(new Set(rest).size).toBe(1)
  })

  test('marks for the cache and wishes not to be stored go to those who know them', async () => {
    const { requests } = await talk(wire)
    for (const { body, text } of requests) {
      expect(body.store).toBe(wire === 'openai' || wire === 'xai' ? false : undefined)
      if (wire !== 'anthropic') expect(text).not.toMatch(/cache_?control|includePings/i)
    }
  })
})

/** Gemini's come whole, as JSON. */
describe.each(WIRES.filter(wire => wire !== 'google'))('%s: arguments in pieces', wire => {
  const UNREADABLE = [{ type: 'tool-call', tool: 'look', input: { unreadable_arguments: '{"at": "a' } }]
  const EMPTY = [{ type: 'tool-call', tool: 'look', input: {} }]
  test.each<[string, WireReply, object[], number]>([
    ['half arguments are kept', { fault: { badJson: '{"at": "a' } }, UNREADABLE, 0],
    ['half arguments of a cut reply are dropped', { stop: 'length', fault: { badJson: '{"at": "a' } }, [], 0],
    ['no arguments are none', { fault: { badJson: '' } }, EMPTY, 1],
    ['no arguments in a cut reply are dropped', { stop: 'length', fault: { badJson: '' } }, [], 0],
    ['whole arguments of a cut reply are kept', { stop: 'length' }, [{ input: { at: 'a' } }], 1],
    ['null is none', { fault: { badJson: 'null' } }, EMPTY, 1],
    [
      'a list is not readable',
      { fault: { badJson: '[1]' } },
      [{ input: { unreadable_arguments: '[1]' } }],
      0,
    ],
    // Nothing has come of the call but its name, and the compatible provider lets it through.
    ['a call without its arguments is dropped', { fault: { earlyEnd: wire === 'anthropic' ? 3 : 2 } }, [], 0],
    ['half a call is dropped', { fault: { earlyEnd: wire === 'anthropic' ? 4 : 3 } }, [], 0],
  ])('%s', async (_, line, calls, told) => {
    const asked = await askWire(wire, { ...CALL, ...line })
    expect(callsIn(asked.reply)).toMatchObject(calls)
    expect(asked.told).toHaveLength(told)
  })
})

test.each(['anthropic', 'openai'] as const)('%s: a call is told while the reply goes on', async wire => {
  const at = new AbortController()
  const hearing = { signal: at.signal, onCall: () => at.abort() }
  const asked = await askWire(wire, { ...HELLO, ...CALL, fault: { stall: 'content' } }, hearing)
  expect(asked.reply.kind).toBe('interrupted')
  expect(toldCalls(asked)).toMatchObject([{ tool: 'look', input: { at: 'a' } }])
  expect(asked.reply.parts).toMatchObject([{ type: 'text', text: HELLO.text }, { type: 'tool-call' }])
})

test('the compatible wire does not say that a call is complete: it is told at the end', async () => {
  const line = { ...HELLO, ...CALL, fault: { stall: 'content' } } as const
  expect(await askWire('custom', line, { idleMs: 50 })).toMatchObject({ reply: { kind: 'idle' }, told: [] })
})

/** Three requests of a conversation that grows: a call and its result, an answer, one more call. */
async function talk(wire: Wire): Promise<{ requests: readonly WireRequest[]; messages: Message[] }> {
  await using provider = await startFakeProvider(
    { thinking: 'Let me see.', text: 'I look.', ...CALL },
    { thinking: 'I see.', text: 'It is there.' },
    { text: 'Bye. ' },
  )
  const model = await open(MODELS[wire], provider)
  const system = ['Who you are.', 'What you know.']
  const messages = [said('Where is it?')]
  const turn = async () => {
    const { reply } = await ask(model, { system, summary: 'They met.', messages: [...messages] })
    expect(reply.kind).toBe('reply')
    messages.push(replied(reply, model))
    for (const call of callsIn(reply)) messages.push(returned(call, 'a picture'))
  }
  await turn()
  await turn()
  messages.push(said('Thanks.'))
  await turn()
  return { requests: provider.requests, messages }
}

const withoutMarkers = (json: string) => json.replaceAll(/,?"cache_control":\{"type":"ephemeral"\}/g, '')

test('thinking goes back to Anthropic as it signed it', async () => {
  const { requests } = await talk('anthropic')
  expect(requests[1]?.body.messages[1]).toEqual({
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'Let me see.', signature: 'c2lnbmF0dXJl' },
      { type: 'text', text: 'I look.' },
      { type: 'tool_use', id: 'toolu_0_0', name: 'look', input: { at: 'a' } },
    ],
  })
})

test('Anthropic is told to keep the system prompt up to the boundary and all of it, what was said, and where the request before ended', async () => {
  const { requests } = await talk('anthropic')
  const marked = requests.map(({ body }) => [
    body.system.map(({ cache_control: mark }: { cache_control?: object }) => mark !== undefined),
    ...body.messages.map(({ content }: { content: Array<{ cache_control?: object }> }) =>
      content.map(block => block.cache_control !== undefined),
    ),
  ])
  expect(marked).toEqual([
    // The summary and the question are one message there, of two blocks.
    [
      [true, true],
      [false, true],
    ],
    [[true, true], [false, true], [false, false, false], [true]],
    [[true, true], [false, false], [false, false, false], [true], [false, false], [true]],
  ])
})

test('xAI does not keep what is said either', async () => {
  await using provider = await startFakeProvider(HELLO)
  await ask(await open('xai/grok-x', provider))
  expect(provider.requests[0]?.body).toMatchObject({ store: false })
})

describe('whatever a provider does', () => {
  const USAGE = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  }
  const FINISH: LanguageModelV4StreamPart = {
    type: 'finish',
    usage: USAGE,
    finishReason: { unified: 'tool-calls', raw: undefined },
  }
  const call = (toolCallId: string, input: string): LanguageModelV4StreamPart => ({
    type: 'tool-call',
    toolCallId,
    toolName: 'look',
    input,
  })
  const text = (id: string, delta: string): LanguageModelV4StreamPart => ({ type: 'text-delta', id, delta })

  interface Script {
    parts: LanguageModelV4StreamPart[]
    /** How long to wait before each of the parts. */
    everyMs?: number
    /** Neither ends nor listens to its signal. */
    hangs?: boolean
    onCancel?: () => void
  }

  function scripted(script: Script, asked: LanguageModelV4CallOptions[] = []): OpenedModel {
    const stream = new ReadableStream<LanguageModelV4StreamPart>({
      async start(controller) {
        for (const part of script.parts) {
          if (script.everyMs) await new Promise(resolve => setTimeout(resolve, script.everyMs))
          controller.enqueue(part)
        }
        if (!script.hangs) controller.close()
      },
      cancel: () => script.onCancel?.(),
    })
    const model: Partial<LanguageModelV4> = {
      doStream: options => {
        asked.push(options)
        return Promise.resolve({ stream })
      },
    }
    return {
      id: 'custom/x',
      provider: 'custom',
      model: model as LanguageModelV4,
      window: 8_000,
      maxOutput: 1_000,
      cacheMarkers: 'none',
    }
  }

  test('a call that cannot be read keeps its place before one that can', async () => {
    const asked = await ask(scripted({ parts: [call('a', '{"at'), call('b', '{"at":"b"}'), FINISH] }))
    expect(asked.reply.parts).toMatchObject([
      { call: 'a', input: { unreadable_arguments: '{"at' } },
      { call: 'b', input: { at: 'b' } },
    ])
    expect(toldCalls(asked)).toMatchObject([{ call: 'b' }])
  })

  test('a call without arguments is told as soon as something follows it', async () => {
    const next: LanguageModelV4StreamPart = { type: 'tool-input-start', id: 'b', toolName: 'look' }
    const model = scripted({ parts: [call('a', '{}'), next], hangs: true })
    const asked = await ask(model, { idleMs: 30 })
    expect(asked.reply).toMatchObject({ kind: 'idle', parts: [{ call: 'a', input: {} }] })
    expect(asked.told).toHaveLength(1)
  })

  test('calls have ids of their own', async () => {
    const before = message('assistant', [{ type: 'tool-call', call: 'c', tool: 'look', input: {} }])
    const parts = [call('c', '{"at":"a"}'), call('c', '{"at":"b"}'), call('', '{"at":"c"}'), FINISH]
    const { reply } = await ask(scripted({ parts }), { messages: [said('Hi.'), before] })
    expect(callsIn(reply).map(part => part.call)).toEqual(['c-2', 'c-3', 'call-2'])
  })

  test('what is said after a call stands after it, under whatever id', async () => {
    const parts = [text('1', 'Before. '), call('a', '{"at":"a"}'), text('1', 'After.'), FINISH]
    const { reply } = await ask(scripted({ parts }))
    expect(reply.parts).toMatchObject([{ text: 'Before. ' }, { call: 'a' }, { text: 'After.' }])
  })

  test('empty words are not kept, thinking that is only signed is', async () => {
    const providerMetadata = { anthropic: { redactedData: 'xyz' } }
    const { reply } = await ask(
      scripted({
        parts: [
          { type: 'reasoning-start', id: '0', providerMetadata },
          { type: 'reasoning-end', id: '0' },
          { type: 'reasoning-start', id: '1' },
          { type: 'reasoning-end', id: '1' },
          { type: 'text-start', id: '2' },
          { type: 'text-end', id: '2' },
          FINISH,
        ],
      }),
    )
    expect(reply.parts).toEqual([{ type: 'thinking', text: '', provider: providerMetadata }])
  })

  test('what a provider runs itself is not ours to run', async () => {
    const theirs: LanguageModelV4StreamPart = {
      type: 'tool-call',
      toolCallId: 'a',
      toolName: 'web_search',
      input: '{"q":"x"}',
      providerExecuted: true,
    }
    const asked = await ask(scripted({ parts: [theirs, text('1', 'Found.'), FINISH] }))
    expect(asked).toMatchObject({ reply: { parts: [{ text: 'Found.' }], stop: 'end' }, told: [] })
  })

  test('one that does not listen is not waited for', async () => {
    const model = scripted({ parts: [text('1', 'Hm.')], hangs: true })
    expect((await ask(model, { idleMs: 30 })).reply).toMatchObject({ kind: 'idle', parts: [{ text: 'Hm.' }] })
    const deaf = { ...model, model: { doStream: () => new Promise(() => {}) } as unknown as LanguageModelV4 }
    expect((await ask(deaf, { idleMs: 30 })).reply).toEqual({ kind: 'idle', parts: [] })
    const signal = AbortSignal.timeout(30)
    expect((await ask(deaf, { signal })).reply).toEqual({ kind: 'interrupted', parts: [] })
  })

  test('the rest of a stream is read after the reply, but not for long', async () => {
    vi.useFakeTimers()
    try {
      const onCancel = vi.fn()
      const parts = [text('1', 'Hm.'), FINISH]
      // A connection that was read to its end can serve again.
      expect((await ask(scripted({ parts, onCancel }))).reply.kind).toBe('reply')
      await vi.advanceTimersByTimeAsync(10_000)
      expect(onCancel).not.toHaveBeenCalled()
      expect((await ask(scripted({ parts, onCancel, hangs: true }))).reply.kind).toBe('reply')
      expect(onCancel).not.toHaveBeenCalled()
      await vi.advanceTimersByTimeAsync(10_000)
      expect(onCancel).toHaveBeenCalledOnce()
    } finally {
      vi.useRealTimers()
    }
  })

  test('what is slow, or only alive, is not silent', async () => {
    vi.useFakeTimers()
    try {
      const asked: LanguageModelV4CallOptions[] = []
      const pings = Array.from({ length: 9 }, (): LanguageModelV4StreamPart => ({ type: 'ping' }))
      const parts = [...pings, text('1', 'It '), text('1', 'is '), text('1', 'done.'), FINISH]
      const asking = ask(scripted({ parts, everyMs: 60_000 }, asked), { idleMs: 90_000 })
      await vi.advanceTimersByTimeAsync(20 * 60_000)
      expect((await asking).reply).toMatchObject({ kind: 'reply', parts: [{ text: 'It is done.' }] })
      expect(asked[0]?.providerOptions?.anthropic).toEqual({ includePings: true })
    } finally {
      vi.useRealTimers()
    }
  })
})
