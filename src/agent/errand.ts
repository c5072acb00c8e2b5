/** A piece of work with a few tools of its own, beside any conversation: nobody is asked, nothing else can be reached. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { OpenedModel } from '../models/index.ts'
import {
  addUsage,
  type Message,
  NO_USAGE,
  type ToolCallPart,
  type Transcript,
  type Usage,
} from '../session/index.ts'
import type { Tool } from '../tools/index.ts'
import type { End } from './events.ts'
import { answer, beginAnswer } from './loop.ts'
import { toolForm } from './tool-form.ts'

export interface ErrandOptions {
  model: OpenedModel
  fallback?: (() => Promise<OpenedModel>) | undefined
  transcript: Transcript
  system: string
  /** What to do; it is in the transcript already. */
  messages: readonly Message[]
  tools: readonly Tool[]
  /** How often the model is asked at most. */
  rounds: number
  /** How much it may be sent in all. */
  inputTokens: number
  signal: AbortSignal
  now(): Date
  /** Told after every reply. */
  progress?(spent: { rounds: number; usage: Usage }): void
  idleMs?: number
  /** How often one request is tried, where all of it can as well be done another time. */
  tries?: number
}

export interface ErrandEnd {
  messages: readonly Message[]
  usage: Usage
  rounds: number
  /** `spent`: the budget was used up; `stuck`: the same call came again and again. */
  reason: End['reason'] | 'spent' | 'stuck'
  message?: string
}

/** The same call so often, and the run is over (3-dream.md). */
const SAME_CALLS = 3
const IDLE_MS = 90_000
const SPENT = 'It has read as much as it may.'
const CONTINUE = 'Your reply was cut. Go on exactly where it ended.'

export async function runErrand(options: ErrandOptions): Promise<ErrandEnd> {
  const { model, transcript, messages, tools, signal, now, progress = () => {} } = options
  let [usage, rounds] = [NO_USAGE, 0]
  const calls = new Map<string, number>()
  let stuck: string | undefined
  let [failed, waited, why] = [false, 0, '']
  const givingUp = new AbortController()
  const { state, end } = await answer(beginAnswer(model, messages, undefined, 'person-spoke'), {
    transcript,
    system: [options.system],
    tools: new Map(tools.map(tool => [tool.name, tool])),
    toolForms: tools.map(toolForm),
    maxTurns: options.rounds,
    budgetUsd: undefined,
    spentUsd: () => 0,
    observe() {},
    idleMs: options.idleMs ?? IDLE_MS,
    fallback: options.fallback,
    prepare: async () => undefined,
    replyRoom: ({ model }) => model.window,
    measured(reported) {
      usage = addUsage(usage, reported)
      progress({ usage, rounds: ++rounds })
    },
    compact: async () => undefined,
    resultLimit: ({ resultLimit }) => resultLimit,
    inbox: () => [],
    continueText: CONTINUE,
    keepAll: async () => 'nowhere; read a part of it',
    async gate(call, _tool, input) {
      const key = keyOf(call)
      const count = (calls.get(key) ?? 0) + 1
      calls.set(key, count)
      if (count < SAME_CALLS) return { go: true, input }
      stuck = `It called ${call.tool} with the same input ${count} times.`
      return { go: false, reason: 'You have made this very call before. The run is over.' }
    },
    remark: async () => [],
    givenUp: () => stuck ?? (usage.input >= options.inputTokens ? SPENT : undefined),
    ask: undefined,
    emit(event) {
      if (event.type === 'waiting') why = event.why
    },
    signal: AbortSignal.any([signal, givingUp.signal]),
    now,
    async sleep(ms, signal) {
      failed = options.tries !== undefined && ++waited >= options.tries
      if (failed) givingUp.abort(new Error(why))
      else await sleep(ms, undefined, { signal }).catch(() => {}) // whoever waits looks at the signal
    },
    random: Math.random,
  })
  if (failed) return { messages: state.messages, usage, rounds, reason: 'failed', message: why }
  const reason =
    stuck !== undefined
      ? 'stuck'
      : end.reason === 'too-many-turns' || end.message === SPENT
        ? 'spent'
        : end.reason
  const message = stuck ?? end.message
  return { messages: state.messages, usage, rounds, reason, ...(message !== undefined && { message }) }
}

function keyOf({ tool, input }: ToolCallPart): string {
  return `${tool}\0${JSON.stringify(input)}`
}
