/** A long conversation in a small window: nothing is ever too long, and what was told at the start is still there. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DEFAULTS, homeAt } from '../config/index.ts'
import { Memory } from '../memory/index.ts'
import { type Line, startFakeProvider, type WireRequest } from '../models/wire.fixture.ts'
import { History, Sessions, toolCallsOf, toolResultsOf } from '../session/index.ts'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { Agent } from './agent.ts'
import type { AgentEvent } from './events.ts'

const WINDOW = 8_000
const TOO_LONG = { status: 400, message: 'prompt is too long: 9000 tokens > 8000 maximum' }

/** Not our estimate: characters, as a tokeniser that is worse than ours would have it. */
const tokensOf = ({ body }: WireRequest) =>
  Math.ceil(JSON.stringify([body.system, body.messages, body.tools]).length / 3.6)

async function talkIn(
  turns: number,
  { small = 'embedded', injected = false }: { small?: string; injected?: boolean } = {},
) {
  const root = temporaryDirectory()
  const [home, project] = [homeAt(join(root, 'home')), { root, slug: 'p' }]
  await using provider = await startFakeProvider()
  let refused = 0
  let turn = -1
  /** Of the turns: each is refused once. */
  const injectedAt = new Set<number>()
  const line: Line = (request, n) => {
    const input = tokensOf(request)
    if (request.text.includes('Write the notes')) return { fault: { status: 500, message: 'down' } }
    if (input + 2_000 > WINDOW) {
      refused++
      return { fault: TOO_LONG }
    }
    if (injected && !injectedAt.has(turn)) {
      injectedAt.add(turn)
      return { fault: TOO_LONG }
    }
    const isResult = JSON.stringify(request.body.messages.at(-1)).includes('tool_result')
    if (!isResult && n % 3 === 0)
      return {
        text: 'Looking.',
        calls: [{ name: 'memory_search', input: { query: `part ${n}` } }],
        usage: { input },
      }
    return { text: `Part ${n} is fine. ${'It holds. '.repeat(12)}`, usage: { input } }
  }
  provider.always(line)
  using memory = await Memory.open({ home, project })
  const config = {
    ...DEFAULTS,
    model: 'anthropic/claude-x',
    smallModel: small,
    providers: { anthropic: { ...provider.settings('anthropic').anthropic, window: WINDOW } },
  }
  const agent = await Agent.open({ home, project, config, env: {}, memory, sleep: async () => {} })
  const events: AgentEvent[] = []
  const said: string[] = []
  for (turn = 0; turn < turns; turn++) {
    const text =
      turn === 0
        ? 'My name is Ann Lindqvist, and our gateway listens on port 8443. We never deploy on Fridays.'
        : `Please look at part ${turn} of the plan and tell me how it is. ${'Take your time with it. '.repeat(4)}`
    said.push(text)
    const end = await agent.send(text, event => void events.push(event))
    if (end.reason !== 'answered') throw new Error(`turn ${turn}: ${end.reason} ${end.message}`)
  }
  await agent.close()
  const loaded = await new Sessions(home, project).load(agent.transcript.id)
  const history = await new History(memory.place('project')).entries()
  return { provider, refused, injected: injectedAt.size, events, loaded, history, agent }
}

const notices = (events: readonly AgentEvent[]) =>
  events.flatMap(event => (event.type === 'notice' ? [event.text] : []))
const compactions = (events: readonly AgentEvent[]) =>
  events.filter(event => event.type === 'transition' && event.to === 'compacted').length

test('300 turns in a window of 8k: never too long, and the first facts are still sent', async () => {
  const { provider, refused, events, loaded } = await talkIn(300)
  expect(refused).toBe(0)
  expect(compactions(events)).toBeGreaterThan(5)
  const last = provider.requests.at(-1)?.text
  for (const fact of ['Ann Lindqvist', 'port 8443', 'never deploy on Fridays']) expect(last).toContain(fact)
  expect(loaded.messages.flatMap(toolResultsOf).map(({ call }) => call)).toEqual(
    loaded.messages.flatMap(toolCallsOf).map(({ call }) => call),
  )
})

test('one too long at every turn is survived, each time: every answer comes, and nothing is forgotten', async () => {
  const { provider, refused, injected, loaded } = await talkIn(40, { injected: true })
  expect([refused, injected]).toEqual([0, 40])
  expect(provider.requests.at(-1)?.text).toContain('Ann Lindqvist')
  expect(
    loaded.messages.filter(({ role, stop }) => role === 'assistant' && stop === 'end').length,
  ).toBeGreaterThan(0)
})

test('the summarising model fails: the raw messages are in the history, it is said, and the conversation goes on', async () => {
  const { refused, events, history, provider } = await talkIn(60, { small: 'anthropic/claude-small' })
  expect(refused).toBeLessThanOrEqual(60)
  expect(history[0]?.content).toMatch(/^\[RAW\] [\s\S]*Ann Lindqvist/)
  expect(notices(events).join('\n')).toMatch(/as it was said[\s\S]*3 times in a row/)
  expect(provider.requests.filter(({ text }) => text.includes('Ann Lindqvist')).length).toBeGreaterThan(50)
})
