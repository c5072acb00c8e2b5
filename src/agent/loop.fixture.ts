import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { DEFAULTS, homeAt } from '../config/index.ts'
import { estimateMessages, limitsFor } from '../context/index.ts'
import { type OpenedModel, openModel } from '../models/index.ts'
import { type FakeProvider, type Line, startFakeProvider } from '../models/wire.fixture.ts'
import { History, type Message, newMessageId, Sessions } from '../session/index.ts'
import { defineTool, type Tool } from '../tools/index.ts'
import type { AgentEvent, End } from './events.ts'
import { answer, beginAnswer, type LoopParts, type LoopState } from './loop.ts'
import { compactConversation } from './summarise.ts'
import { toolForm } from './tool-form.ts'

/** Anthropic's Messages, and Chat Completions of a compatible server. */
export const MODELS = { anthropic: 'anthropic/claude-x', compatible: 'custom/model-x' } as const
export type WireName = keyof typeof MODELS

export interface ConverseOptions {
  messages?: Message[]
  tools?: Tool[]
  fallback?: boolean
  maxTurns?: number
  budgetUsd?: number
  idleMs?: number
  maxOutput?: number
  price?: OpenedModel['price']
  inbox?: () => Message[]
  gate?: LoopParts['gate']
  /** What is said when the lines have all been said. */
  always?: Line
  /** Called with every event; may interrupt. */
  watch?: (event: AgentEvent, interrupt: () => void) => void
}

export interface Conversed {
  /** The transitions by name, and how it ended. */
  path: string[]
  end: End
  state: LoopState
  events: AgentEvent[]
  provider: FakeProvider
  /** The calls that the tools have run, by id. */
  ran: string[]
  /** How long was waited, in milliseconds. */
  waited: number[]
  /** The session as it is found on the disk afterwards. */
  loaded: Awaited<ReturnType<Sessions['load']>>
  history: string[]
}

export function spoken(text: string): Message {
  return {
    id: newMessageId(),
    role: 'user',
    origin: 'person',
    at: '2026-04-08T12:00:00.000Z',
    parts: [{ type: 'text', text }],
  }
}

/** Tools that say what they ran: `look` may run beside others, `change` runs alone. */
export function recordingTools(ran: string[]): Tool[] {
  const input = z.object({ at: z.string() })
  const run = async ({ at }: { at: string }, { call }: { call: string }) => {
    ran.push(call)
    return { text: `seen ${at}` }
  }
  return [
    defineTool({ name: 'look', description: 'Looks.', input, readOnly: true, run }),
    defineTool({ name: 'change', description: 'Changes.', input, run }),
  ]
}

/** Lets the loop answer one message against a provider on the wire, with a real session on a real disk. */
export async function converse(
  wire: WireName,
  lines: readonly Line[],
  options: ConverseOptions = {},
): Promise<Conversed> {
  const root = mkdtempSync(join(tmpdir(), 'reverie-converse-'))
  try {
    return await converseIn(root, wire, lines, options)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

async function converseIn(
  root: string,
  wire: WireName,
  lines: readonly Line[],
  options: ConverseOptions,
): Promise<Conversed> {
  await using provider = await startFakeProvider(...lines)
  if (options.always) provider.always(options.always)
  const config = { ...DEFAULTS, providers: provider.settings('anthropic', 'custom', 'spare') }
  const opened = await openModel(MODELS[wire], config, {})
  const model = {
    ...opened,
    maxOutput: options.maxOutput ?? 64_000,
    ...(options.price && { price: options.price }),
  }
  const sessions = new Sessions(homeAt(join(root, 'home')), { slug: 'p' })
  const transcript = sessions.create()
  const history = new History(join(root, 'memory'))
  const messages = options.messages ?? [spoken('Go.')]
  await transcript.append(...messages)
  const [ran, events, waited]: [string[], AgentEvent[], number[]] = [[], [], []]
  const tools = options.tools ?? recordingTools(ran)
  const controller = new AbortController()
  const now = () => new Date('2026-04-08T12:00:00.000Z')
  const parts: LoopParts = {
    transcript,
    system: ['You are a test.', 'You remember nothing.'],
    tools: new Map(tools.map(tool => [tool.name, tool])),
    toolForms: tools.map(toolForm),
    maxTurns: options.maxTurns ?? 20,
    budgetUsd: options.budgetUsd,
    spentUsd: () => transcript.meta.usage?.usd ?? 0,
    observe() {},
    idleMs: options.idleMs ?? 20_000,
    fallback: options.fallback ? () => openModel('spare/model-y', config, {}) : undefined,
    prepare: async () => undefined,
    replyRoom: () => 1_000_000,
    measured() {},
    resultLimit: ({ resultLimit }) => resultLimit,
    compact: state =>
      compactConversation(state, {
        limits: limitsFor(model),
        keep: estimateMessages(state.messages) / 2,
        model: async () => model,
        history,
        transcript,
        notice() {},
        signal: controller.signal,
        now,
      }),
    inbox: options.inbox ?? (() => []),
    continueText: 'Go on.',
    keepAll: async ({ call }) => join(root, call),
    gate: options.gate ?? (async (_call, _tool, input) => ({ go: true, input })),
    remark: async () => [],
    givenUp: () => undefined,
    ask: undefined,
    emit(event) {
      events.push(event)
      options.watch?.(event, () => controller.abort(new Error('interrupted')))
    },
    signal: controller.signal,
    now,
    async sleep(ms) {
      waited.push(ms)
    },
    random: () => 0,
  }
  const { state, end } = await answer(beginAnswer(model, messages, undefined, 'person-spoke'), parts)
  await transcript.close()
  const transitions = events.flatMap(event => (event.type === 'transition' ? [event.to] : []))
  return {
    path: [...transitions, end.reason],
    end,
    state,
    events,
    provider,
    ran,
    waited,
    loaded: await sessions.load(transcript.id),
    history: (await history.entries()).map(({ content }) => content),
  }
}
