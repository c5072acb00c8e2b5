/**
 * The loop: ask the model, run the tools it calls, ask again, until it has answered. Its state is one value that
 * is replaced at each step, with the name of the reason; what to do after each reply or failure is decided by
 * `recover`, and only carried out here.
 */
import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import type { OpenedModel } from '../models/index.ts'
import {
  addUsage,
  type Message,
  NO_USAGE,
  newMessageId,
  type Part,
  type ToolCallPart,
  type ToolResultPart,
  type Transcript,
  toolCallsOf,
  type Usage,
} from '../session/index.ts'
import { because, ReverieError } from '../store/index.ts'
import type { Ask, Tool } from '../tools/index.ts'
import { Draft } from './draft.ts'
import type { Emit, End, Transition } from './events.ts'
import { hasImages, withoutImages } from './images.ts'
import { CALM, type Happening, MOST_TRIES, type NextStep, type RecoveryState, recover } from './recovery.ts'
import { askModel, type Reply } from './request.ts'
import { type RunnerOptions, ToolRunner } from './tool-runner.ts'

/** All that changes while a message is being answered. */
export interface LoopState {
  messages: readonly Message[]
  /** What stands for everything before the first message. */
  summary: string | undefined
  model: OpenedModel
  /** Replies so far. */
  turns: number
  maxOutput: number
  recovery: RecoveryState
  transition: Transition
}

export interface Compacted {
  summary: string | undefined
  messages: readonly Message[]
}

export interface Prepared extends Compacted {
  /** A summary stands for more than before. */
  compacted: boolean
}

/** What stays the same while a message is being answered. */
export interface LoopParts {
  transcript: Transcript
  system: readonly string[]
  tools: ReadonlyMap<string, Tool>
  /** The tools as the model is told of them: the same, in the same order, for the whole session. */
  toolForms: readonly LanguageModelV4FunctionTool[]
  maxTurns: number
  budgetUsd: number | undefined
  /** What the conversation has cost so far, with all that was done for it. */
  spentUsd(): number
  /** Told of every state before it is acted on. */
  observe(state: LoopState): void
  idleMs: number
  fallback: (() => Promise<OpenedModel>) | undefined
  /** Makes room before the model is asked, where it is needed; undefined when it is not. */
  prepare(state: LoopState): Promise<Prepared | undefined>
  /** How long a reply can be at most, beside what is sent. */
  replyRoom(state: LoopState): number
  /** Told how large the last request was. */
  measured(usage: Usage): void
  /** Makes the conversation shorter after a provider found it too long; undefined when it cannot. */
  compact(state: LoopState): Promise<Compacted | undefined>
  resultLimit: RunnerOptions['resultLimit']
  /** What the person said since it was last asked for. */
  inbox(): Message[]
  continueText: string
  keepAll(call: ToolCallPart, text: string): Promise<string>
  gate: RunnerOptions['gate']
  remark: RunnerOptions['remark']
  /** Why the attempt is over, when too much of it was denied. */
  givenUp(): string | undefined
  ask: Ask | undefined
  emit: Emit
  signal: AbortSignal
  now(): Date
  sleep(ms: number, signal: AbortSignal): Promise<void>
  random(): number
}

/** How much a model is asked to say at most, until it turns out not to be enough. */
const USUAL_OUTPUT = 16_000
/** However full the window is. */
const LEAST_OUTPUT = 1_000
/** The limit that is tried once when a reply was cut (4-agent.md). */
const RAISED_OUTPUT = 64_000

export function beginAnswer(
  model: OpenedModel,
  messages: readonly Message[],
  summary: string | undefined,
  transition: Transition,
): LoopState {
  const maxOutput = Math.min(model.maxOutput, USUAL_OUTPUT)
  return { messages, summary, model, turns: 0, maxOutput, recovery: CALM, transition }
}

/** Answers what was said last. The state that it returns holds everything that was said and done. */
export async function answer(start: LoopState, parts: LoopParts): Promise<{ state: LoopState; end: End }> {
  let state = start
  for (;;) {
    parts.emit({ type: 'transition', to: state.transition })
    parts.observe(state)
    const limit = limitReached(state, parts)
    if (limit) return { state, end: limit }
    const prepared = await prepare(state, parts)
    if (parts.signal.aborted) return { state, end: { reason: 'interrupted' } }
    const next = await goRound(prepared, parts)
    if ('end' in next) return next
    state = next.state
  }
}

async function prepare(state: LoopState, parts: LoopParts): Promise<LoopState> {
  const prepared = await parts.prepare(state)
  if (!prepared) return state
  const { messages, summary, compacted } = prepared
  if (!compacted) return { ...state, messages, summary }
  parts.emit({ type: 'transition', to: 'compacted' })
  return { ...state, messages, summary, transition: 'compacted' }
}

async function goRound(state: LoopState, parts: LoopParts): Promise<Next> {
  try {
    const turn = await takeTurn(state, parts)
    const { step, state: recovery } = recover(state.recovery, turn.happened, optionsFor(state, parts))
    return await carryOut(step, { ...state, recovery }, turn, parts)
  } catch (error) {
    // A full disk, a fallback without a key: what was answered before this turn stays.
    if (!(error instanceof ReverieError)) throw error
    return { state, end: { reason: 'failed', message: error.message } }
  }
}

function limitReached(
  { turns }: LoopState,
  { maxTurns, budgetUsd, spentUsd, signal }: LoopParts,
): End | undefined {
  if (signal.aborted) return { reason: 'interrupted' }
  if (turns >= maxTurns)
    return {
      reason: 'too-many-turns',
      message: `Stopped after ${turns} turns (maxTurns). Say "go on", or raise it: reverie config set maxTurns ${maxTurns * 2}`,
    }
  const spent = spentUsd()
  if (budgetUsd !== undefined && spent >= budgetUsd)
    return {
      reason: 'budget-spent',
      message: `This session has cost $${spent.toFixed(2)} and its budget is $${budgetUsd.toFixed(2)}. Raise it with \`reverie config set budget.usd ${Math.ceil(spent * 2)}\`, or start a new session.`,
    }
  return undefined
}

function optionsFor({ model, maxOutput, messages }: LoopState, { fallback, random }: LoopParts) {
  return {
    hasFallback: fallback !== undefined,
    canRaiseLimit: maxOutput < Math.min(model.maxOutput, RAISED_OUTPUT),
    canCompact: true,
    hasImages: hasImages(messages),
    random,
  }
}

/** One request, and the tools of it that have begun while its reply came in. */
interface Turn {
  reply: Reply
  happened: Happening
  draft: Draft
  runner: ToolRunner
  /** Results, in the order in which they were written down. */
  results: Message[]
  /** Something of the reply was shown. */
  shown: boolean
}

async function takeTurn(state: LoopState, parts: LoopParts): Promise<Turn> {
  const { transcript, emit, signal } = parts
  const draft = new Draft({
    id: newMessageId(),
    at: parts.now().toISOString(),
    model: state.model.id,
    transcript,
  })
  const results: Message[] = []
  const upTo = new Map<string, readonly Part[]>()
  const runner = new ToolRunner({
    ...parts,
    async before(call) {
      await draft.write(upTo.get(call.call) ?? [call])
      await transcript.checkpoint(call)
      emit({ type: 'tool-started', call })
    },
    async after(result, effects) {
      const message = resultMessage(result, parts.now())
      await transcript.append(message)
      results.push(message)
      const { call, tool, outcome } = result
      emit({ type: 'tool-ended', call, tool, outcome, text: firstText(result) })
      for (const effect of effects) emit({ type: 'effect', effect })
    },
    progress: (call, text) => emit({ type: 'tool-progress', call, text }),
  })
  let shown = false
  const show = (type: 'text' | 'thinking') => (delta: string) => {
    shown ||= delta !== ''
    emit({ type, delta })
  }
  const reply = await askModel(
    {
      system: parts.system,
      summary: state.summary,
      messages: state.messages,
      model: state.model,
      tools: parts.toolForms,
      maxOutput: Math.min(state.maxOutput, Math.max(LEAST_OUTPUT, parts.replyRoom(state))),
      whole: state.recovery.whole,
      signal,
      idleMs: parts.idleMs,
    },
    {
      text: show('text'),
      thinking: show('thinking'),
      call(call, soFar) {
        upTo.set(call.call, soFar)
        runner.add(call)
      },
    },
  )
  return { reply, happened: toHappening(reply, runner.acted), draft, runner, results, shown }
}

function toHappening(reply: Reply, acted: boolean): Happening {
  switch (reply.kind) {
    case 'reply':
      return {
        kind: 'reply',
        calls: toolCallsOf(reply).length,
        cut: reply.stop === 'length',
        outputTokens: reply.usage.output,
      }
    case 'failure':
      return { kind: 'failure', failure: reply.failure, acted }
    case 'idle':
      return { kind: 'idle', acted }
    case 'interrupted':
      return { kind: 'interrupted' }
  }
}

type Next = { state: LoopState } | { state: LoopState; end: End }

async function carryOut(step: NextStep, state: LoopState, turn: Turn, parts: LoopParts): Promise<Next> {
  switch (step.do) {
    case 'finish': {
      const answered = await keepReply(state, turn, parts)
      const said = await hear(answered, parts)
      return said ? { state: said } : { state: answered, end: { reason: 'answered' } }
    }
    case 'run-tools':
    case 'keep-and-go-on': {
      const kept = await keepReply(state, turn, parts)
      if (parts.signal.aborted) return { state: kept, end: { reason: 'interrupted' } }
      const givenUp = parts.givenUp()
      if (givenUp !== undefined) return { state: kept, end: { reason: 'denied', message: givenUp } }
      const transition = step.do === 'run-tools' ? 'tools-returned' : 'kept-what-came'
      return { state: (await hear(kept, parts)) ?? { ...kept, transition } }
    }
    case 'continue': {
      const kept = await keepReply(state, turn, parts)
      const messages = await say(kept, [programMessage(parts.continueText, parts.now())], parts)
      return { state: { ...kept, messages, transition: 'asked-to-continue' } }
    }
    case 'stop-cut': {
      const message =
        'The answer is longer than the model can give at once, and ends here. Say "go on" for more.'
      return { state: await keepReply(state, turn, parts), end: { reason: 'cut-short', message } }
    }
    case 'interrupt':
      return { state: await keepReply(state, turn, parts), end: { reason: 'interrupted' } }
    case 'raise-limit':
      retract(turn, parts)
      return {
        state: {
          ...state,
          maxOutput: Math.min(state.model.maxOutput, RAISED_OUTPUT),
          transition: 'limit-raised',
        },
      }
    case 'retry':
      retract(turn, parts)
      return wait(step.waitMs, state, turn, parts)
    case 'retry-whole':
      retract(turn, parts)
      return { state: { ...state, transition: 'asked-without-streaming' } }
    case 'drop-images':
      retract(turn, parts)
      return { state: { ...state, messages: withoutImages(state.messages), transition: 'images-dropped' } }
    case 'fall-back':
      retract(turn, parts)
      return fallBack(state, parts)
    case 'compact': {
      retract(turn, parts)
      const compacted = await parts.compact(state)
      if (parts.signal.aborted) return { state, end: { reason: 'interrupted' } }
      // Nothing in it could be shorter: it is asked once more, since refusals are mistaken at times.
      if (!compacted) return { state: { ...state, transition: 'asked-again' } }
      return { state: { ...state, ...compacted, transition: 'compacted' } }
    }
    case 'fail':
      retract(turn, parts)
      return failed(state, turn)
  }
}

/** Writes down what came of the reply, and waits for the tools of it; everything has its result afterwards. */
async function keepReply(
  state: LoopState,
  turn: Turn,
  { emit, transcript, measured }: LoopParts,
): Promise<LoopState> {
  const { reply, draft, runner, results } = turn
  const interrupted = reply.kind === 'interrupted'
  if (interrupted) runner.dropWaiting()
  const begun = interrupted
    ? reply.parts.filter(part => part.type !== 'tool-call' || runner.has(part))
    : reply.parts
  if (begun.length === 0 && reply.kind !== 'reply') return state
  const stop = reply.kind === 'reply' ? reply.stop : interrupted ? 'interrupted' : 'error'
  const usage = 'usage' in reply ? reply.usage : undefined
  const message = await draft.finish(begun, { stop, ...(usage && { usage }) })
  emit({ type: 'reply', message })
  if (usage) measured(usage)
  if (usage) emit({ type: 'usage', usage, total: transcript.meta.usage ?? addUsage(NO_USAGE, usage) })
  for (const call of toolCallsOf(message)) runner.add(call)
  await runner.finish()
  return { ...state, messages: [...state.messages, message, ...results], turns: state.turns + 1 }
}

/** What the person said meanwhile, if anything. */
async function hear(state: LoopState, parts: LoopParts): Promise<LoopState | undefined> {
  const said = parts.inbox()
  if (said.length === 0) return undefined
  return { ...state, messages: await say(state, said, parts), transition: 'steered' }
}

async function say({ messages }: LoopState, said: Message[], { transcript }: LoopParts): Promise<Message[]> {
  await transcript.append(...said)
  return [...messages, ...said]
}

function retract({ shown }: Turn, { emit }: LoopParts): void {
  if (shown) emit({ type: 'retracted' })
}

async function wait(ms: number, state: LoopState, turn: Turn, parts: LoopParts): Promise<Next> {
  const why = turn.reply.kind === 'failure' ? turn.reply.failure.message : 'The model did not answer in time.'
  parts.emit({ type: 'waiting', ms, attempt: state.recovery.failures + 1, of: MOST_TRIES, why })
  await parts.sleep(ms, parts.signal)
  return { state: { ...state, transition: 'waited' } }
}

async function fallBack(state: LoopState, { fallback, emit }: LoopParts): Promise<Next> {
  const model = await fallback?.().catch(error => {
    throw new ReverieError(`${state.model.id} is overloaded, and fallbackModel: ${because(error)}`)
  })
  if (!model) return { state, end: { reason: 'failed', message: `${state.model.id} is overloaded.` } }
  emit({ type: 'notice', text: `${state.model.id} is overloaded; ${model.id} (fallbackModel) goes on.` })
  const maxOutput = Math.min(model.maxOutput, Math.max(state.maxOutput, USUAL_OUTPUT))
  return { state: { ...state, model, maxOutput, transition: 'fell-back' } }
}

function failed(state: LoopState, { reply }: Turn): Next {
  const message = reply.kind === 'failure' ? reply.failure.message : 'The model did not answer in time.'
  return { state, end: { reason: 'failed', message } }
}

function resultMessage(result: ToolResultPart, now: Date): Message {
  return { id: newMessageId(), role: 'tool', origin: 'tool', at: now.toISOString(), parts: [result] }
}

/** What the program says in the person's place, to keep things going. */
export function programMessage(text: string, now: Date): Message {
  return {
    id: newMessageId(),
    role: 'user',
    origin: 'program',
    at: now.toISOString(),
    parts: [{ type: 'text', text }],
  }
}

function firstText({ content }: ToolResultPart): string {
  return content.find(part => part.type === 'text')?.text ?? ''
}
