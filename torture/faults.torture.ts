/**
 * Everything that can go wrong between the agent and a model, injected on the wire, alone and in combination: a
 * conversation ends as the table of recovery says, the session is whole, and no tool runs twice.
 */
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { type Conversed, converse, MODELS, spoken, type WireName } from '../src/agent/loop.fixture.ts'
import type { Reply } from '../src/models/wire.fixture.ts'
import { type Message, textOf, toolCallsOf, toolResultsOf } from '../src/session/index.ts'
import { assertRule } from './kill/scenario.ts'
import { oneOf, randomFrom } from './random.ts'

const CONVERSATIONS = 2_000
const MOST_LINES = 14
/** Long enough for a busy machine, short enough to be silent often. */
const IDLE_MS = 250

export interface FaultsResult {
  conversations: number
  requests: number
  /** How often each end and each transition was seen. */
  seen: Map<string, number>
}

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { count: { type: 'string' }, seed: { type: 'string' } } })
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  const { conversations, requests, seen } = await breakConversations(
    Number(values.count ?? CONVERSATIONS),
    seed,
  )
  const counts = [...seen].sort((a, b) => b[1] - a[1]).map(([name, count]) => `${name} ${count}`)
  process.stdout.write(
    `faults: ${conversations} conversations, ${requests} requests, seed ${seed}: ${counts.join(', ')}\n`,
  )
}

export async function breakConversations(count: number, seed: number): Promise<FaultsResult> {
  const random = randomFrom(seed)
  const seen = new Map<string, number>()
  let requests = 0
  for (let number = 0; number < count; number++) {
    const wire = oneOf(random, Object.keys(MODELS) as WireName[])
    const lines = Array.from({ length: 1 + Math.floor(random() * MOST_LINES) }, () => line(random))
    const conversed = await converse(wire, lines, {
      always: { text: 'The end.' },
      fallback: random() < 0.5,
      idleMs: IDLE_MS,
      maxTurns: 8,
      ...(random() < 0.3 && { maxOutput: 4_000 }),
      ...(random() < 0.3 && { messages: longTalk() }),
      ...(random() < 0.15 && { watch: interruptAt(random) }),
    })
    try {
      check(conversed)
    } catch (error) {
      const script = JSON.stringify({ wire, lines, path: conversed.path })
      throw new Error(`conversation ${number}, seed ${seed}: ${script}`, { cause: error })
    }
    requests += conversed.provider.requests.length
    for (const name of conversed.path) seen.set(name, (seen.get(name) ?? 0) + 1)
  }
  return { conversations: count, requests, seen }
}

function check({ ran, loaded, state, provider, end, path, waited }: Conversed): void {
  assertRule(new Set(ran).size === ran.length, 'no tool ran twice')
  assertRule(provider.unanswered.length === 0, 'every request was answered')
  assertRule(isDeepStrictEqual(loaded.messages, state.messages), 'the disk has what the agent has')
  assertRule(loaded.inFlight.length === 0 && loaded.problems.length === 0, 'the session is whole')
  const calls = loaded.messages.flatMap(toolCallsOf).map(({ call }) => call)
  const results = loaded.messages.flatMap(toolResultsOf).map(({ call }) => call)
  assertRule(calls.toSorted().join() === results.toSorted().join(), 'every call has one result')
  assertRule(new Set(calls).size === calls.length, 'no call is kept twice')
  assertRule(path.length <= 200, `it comes to an end (${path.length} steps)`)
  assertRule(
    waited.every(ms => ms <= 60_000),
    'no wait is beyond measure',
  )
  const fine = end.reason === 'answered' || end.reason === 'interrupted'
  assertRule(fine || (end.message ?? '').length > 10, `${end.reason} is explained`)
  const last = loaded.messages.at(-1)
  if (end.reason === 'answered')
    assertRule(
      last?.role === 'assistant' && last.stop === 'end',
      'an answer is at the end of an answered session',
    )
  assertRule(!loaded.messages.some(isEmpty), 'no reply is empty but one whose model said nothing')
  assertRule(
    loaded.messages.some(message => textOf(message).startsWith('Go.')),
    'what the person said is there',
  )
}

function isEmpty({ role, parts, stop }: Message): boolean {
  return role === 'assistant' && parts.length === 0 && stop !== 'end' && stop !== 'length'
}

function longTalk(): Message[] {
  const turns = Array.from({ length: 6 }, (_, at) => [
    spoken(`Earlier ${at}. ${'word '.repeat(40)}`),
    {
      ...spoken(`Answer ${at}.`),
      role: 'assistant' as const,
      origin: 'model' as const,
      stop: 'end' as const,
    },
  ])
  return [...turns.flat(), spoken('Go.')]
}

function interruptAt(random: () => number) {
  let left = Math.floor(random() * 12)
  return (_: unknown, interrupt: () => void) => {
    if (left-- === 0) interrupt()
  }
}

function line(random: () => number): Reply {
  const at = () => oneOf(random, [0, 1, 2, 3, 4, 6, 8, 'content'] as const)
  const reply = (): Reply => {
    const calls = Array.from({ length: Math.floor(random() * 4) }, () => ({
      name: oneOf(random, ['look', 'change', 'look', 'dance']),
      input: oneOf<unknown>(random, [{ at: 'a' }, { at: 'b' }, { at: 3 }, {}]),
    }))
    return {
      ...(random() < 0.8 && { text: 'Some words of a reply, and more.' }),
      ...(random() < 0.2 && { thinking: 'Hm.' }),
      ...(random() < 0.6 && calls.length > 0 && { calls }),
      ...(random() < 0.15 && { stop: 'length' as const }),
      usage: { output: oneOf(random, [5, 100, 2_000]) },
    }
  }
  const after = () => {
    const place = at()
    return place === 'content' ? {} : { after: place }
  }
  const faults: Array<() => Reply> = [
    () => ({ fault: { status: oneOf(random, [429, 500, 502, 503, 408, 529]), type: 'overloaded_error' } }),
    () => ({ fault: { status: 429, type: 'rate_limit_error', headers: { 'retry-after': '3' } } }),
    () => ({ fault: { status: 400, message: 'prompt is too long: 210000 tokens > 200000 maximum' } }),
    () => ({ ...reply(), fault: { dropAfter: oneOf(random, ['request' as const, at()]) } }),
    () => ({
      ...reply(),
      fault: { errorEvent: oneOf(random, ['overloaded_error', 'api_error']), ...after() },
    }),
    () => ({ ...reply(), fault: { earlyEnd: at() } }),
    () => ({ ...reply(), fault: { garbage: at() } }),
    () => ({ ...reply(), fault: { badJson: oneOf(random, ['{', '', '[]', '{"at": "a"', 'null']) } }),
    () => ({ ...reply(), fault: { trickle: 1 } }),
  ]
  if (random() < 0.03) return { ...reply(), fault: { stall: oneOf(random, ['request' as const, at()]) } }
  if (random() < 0.02)
    return { fault: { status: oneOf(random, [401, 403, 404]), type: 'authentication_error' } }
  return random() < 0.5 ? reply() : oneOf(random, faults)()
}
