/** Makes room: what the model is sent never outgrows its window. */
import {
  type Calibration,
  calibrate,
  calibrated,
  capResults,
  clearOldResults,
  estimateMessages,
  estimateText,
  type Limits,
  limitsFor,
  putBack,
} from '../context/index.ts'
import type { OpenedModel } from '../models/index.ts'
import type { Message, Usage } from '../session/index.ts'
import type { Emit } from './events.ts'
import type { Compacted, LoopState, Prepared } from './loop.ts'
import type { CompactedBy, Summariser } from './summarise.ts'

export interface RoomOptions {
  /** Tokens of the system prompt and of the tools, as estimated. */
  fixedTokens(): number
  /** Files that were read or written, the newest last. */
  files(): readonly string[]
  /** Asks hooks, summarises; undefined when there is nothing to drop or it was not let. */
  summarise(
    state: Pick<LoopState, 'messages' | 'summary'>,
    how: Pick<Summariser, 'limits' | 'keep' | 'focus'>,
  ): Promise<CompactedBy | undefined>
  /** Writes a message down that the program adds. */
  add(attachments: ReturnType<typeof putBack>): Promise<Message>
  calibration: Calibration
  emit: Emit
}

/** After so many failures in a row nothing is summarised unasked (4-agent.md). */
const MOST_FAILURES = 3
/** Old results are cleared when that frees at least this share of the budget: what is cached changes seldom. */
const WORTH_CLEARING = 0.1
/** Of the budget, for what is put back. */
const PUT_BACK_SHARE = 0.2

export class Room {
  #options: RoomOptions
  #failures = 0
  #estimate = 0
  #model = ''
  calibration: Calibration

  constructor(options: RoomOptions) {
    this.#options = options
    this.calibration = options.calibration
  }

  /** Goes on with what another one has learnt. */
  takeOver({ calibration, failures }: Room): void {
    this.calibration = calibration
    this.#failures = failures
  }

  get failures(): number {
    return this.#failures
  }

  limits(model: Pick<OpenedModel, 'window' | 'maxOutput'>): Limits {
    return limitsFor(model)
  }

  /** Tokens of the next request. */
  estimate({ messages, summary, model }: Pick<LoopState, 'messages' | 'summary' | 'model'>): number {
    return calibrated(this.#raw(messages, summary), model.id, this.calibration)
  }

  /** Each step only where the one before did not free enough. */
  async prepare(state: LoopState): Promise<Prepared | undefined> {
    const limits = this.limits(state.model)
    const tokens = (messages: readonly Message[], summary = state.summary) =>
      this.estimate({ messages, summary, model: state.model })
    let { messages } = capResults(state.messages, { characters: limits.resultCharacters })
    if (tokens(messages) > limits.ageAt) {
      const aged = clearOldResults(messages, { fresh: limits.freshResults })
      if (aged.freed >= limits.compactAt * WORTH_CLEARING) ({ messages } = aged)
    }
    if (tokens(messages) > limits.compactAt && this.#failures < MOST_FAILURES) {
      const keep = this.#half(limits, state)
      const done = await this.#compact({ ...state, messages }, { limits, keep })
      if (done) {
        this.#seen(done.messages, done.summary, state.model.id)
        return { ...done, compacted: true }
      }
    }
    if (tokens(messages) > limits.compactAt) ({ messages } = clearOldResults(messages, { fresh: 0 }))
    this.#seen(messages, state.summary, state.model.id)
    return messages === state.messages ? undefined : { messages, summary: state.summary, compacted: false }
  }

  /** After a provider found it too long, whatever was estimated: to half of what it was. */
  async afterTooLong(state: LoopState): Promise<Compacted | undefined> {
    const limits = this.limits(state.model)
    const { messages } = clearOldResults(state.messages, { fresh: 0 })
    const half = Math.floor(estimateMessages(messages) / 2)
    const keep = Math.min(half, this.#half(limits, state))
    const done = await this.#compact({ ...state, messages }, { limits, keep })
    if (done) return done
    return messages === state.messages ? undefined : { messages, summary: state.summary }
  }

  /** As the person asked. */
  async onDemand(
    state: Pick<LoopState, 'messages' | 'summary' | 'model'>,
    focus: string | undefined,
  ): Promise<Compacted | undefined> {
    const limits = this.limits(state.model)
    this.#failures = 0
    return this.#compact(state, {
      limits,
      keep: Math.min(limits.leastKept, estimateMessages(state.messages) / 2),
      focus,
    })
  }

  /** What the provider counted, beside what was estimated. */
  measured({ input }: Usage): void {
    this.calibration = calibrate(this.calibration, this.#model, { estimate: this.#estimate, reported: input })
  }

  async #compact(
    state: Pick<LoopState, 'messages' | 'summary' | 'model'>,
    how: Pick<Summariser, 'limits' | 'keep' | 'focus'>,
  ): Promise<Compacted | undefined> {
    const { emit, files, add } = this.#options
    const done = await this.#options.summarise(state, how)
    if (!done) return undefined
    this.#failures = done.raw ? this.#failures + 1 : 0
    if (done.raw)
      emit({
        type: 'notice',
        text: 'No model could summarise the older part of the conversation. It is in the history as it was said, and the conversation goes on.',
      })
    if (this.#failures === MOST_FAILURES)
      emit({
        type: 'notice',
        text: `That failed ${MOST_FAILURES} times in a row: from now on the conversation is only shortened when the model demands it, or you do, with /compact.`,
      })
    const { limits } = how
    const most = limits.compactAt * PUT_BACK_SHARE
    const back = putBack({
      dropped: done.dropped,
      kept: done.messages,
      files: files(),
      fileTokens: Math.min(limits.putBackFile, Math.floor(most / 8)),
      skillTokens: Math.min(limits.putBackSkills, Math.floor(most / 2)),
    })
    const messages = back.length === 0 ? done.messages : [...done.messages, await add(back)]
    return { summary: done.summary, messages }
  }

  /** Half of what is left for messages besides what is always sent, in tokens as they are estimated. */
  #half({ compactAt }: Limits, { summary, model }: Pick<LoopState, 'summary' | 'model'>): number {
    const fixed = calibrated(this.#raw([], summary), model.id, this.calibration)
    return Math.max(0, compactAt - fixed) / 2 / (this.calibration.factors[model.id] ?? 1)
  }

  #raw(messages: readonly Message[], summary: string | undefined): number {
    return this.#options.fixedTokens() + estimateText(summary ?? '') + estimateMessages(messages)
  }

  #seen(messages: readonly Message[], summary: string | undefined, model: string): void {
    this.#estimate = this.#raw(messages, summary)
    this.#model = model
  }
}
