/** Makes room: what the model is sent never outgrows its window. */
import {
  type Calibration,
  calibrate,
  calibrated,
  capResults,
  charactersThatFit,
  clearInputs,
  clearOldInputs,
  clearOldResults,
  dropCalls,
  dropImages,
  dropOldSteps,
  estimateMessages,
  estimateText,
  type Limits,
  type LongText,
  limitsFor,
  longTexts,
  putBack,
  SKILL_TOOL,
  shorten,
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
  /** What a skill says now; nothing when it cannot be used any more. */
  skill(name: string): string | undefined
  /** Asks hooks, summarises; undefined when there is nothing to drop or it was not let. */
  summarise(
    state: Pick<LoopState, 'messages' | 'summary'>,
    how: Pick<Summariser, 'limits' | 'keep' | 'focus'>,
  ): Promise<CompactedBy | undefined>
  /** Writes a message down that the program adds. */
  add(attachments: ReturnType<typeof putBack>): Promise<Message>
  /** A word of the program in place of what was left out. */
  tell(text: string): Message
  /** Keeps a text of which only a part can be shown; returns where. */
  keepWhole(text: LongText): Promise<string>
  /** What was shown before is in the conversation no longer. */
  cleared(): void
  calibration: Calibration
  emit: Emit
}

type Talk = Pick<LoopState, 'messages' | 'summary' | 'model'>

/** After so many failures in a row nothing is summarised unasked (4-agent.md). */
const MOST_FAILURES = 3
/** Old results are cleared when that frees at least this share of the budget: what is cached changes seldom. */
const WORTH_CLEARING = 0.1
/** Of the budget, for what is put back. */
const PUT_BACK_SHARE = 0.2
/** Of the window, for what is said, however large the rest is. */
const LEAST_SHARE = 0.1
/** How much more than estimated a request may turn out to be (4-agent.md: within 5 %). */
const UNSURE = 1.05
/** Tokens that are left for the reply, however full the window is. */
const LEAST_REPLY = 1_000
/** A window that a provider's refusal speaks of is not taken to be smaller than this: it may have meant something else. */
const LEAST_WINDOW = 4_000

export class Room {
  #options: RoomOptions
  #failures = 0
  #estimate = 0
  #model = ''
  /** By model, as estimated: the smallest request that was found too long. */
  #refused = new Map<string, number>()
  calibration: Calibration

  constructor(options: RoomOptions) {
    this.#options = options
    this.calibration = options.calibration
  }

  /** Goes on with what another one has learnt. */
  takeOver(other: Room): void {
    this.calibration = other.calibration
    this.#failures = other.#failures
    this.#refused = other.#refused
  }

  get failures(): number {
    return this.#failures
  }

  /** Of its window, or of what turned out to be too much for it, whatever anybody says of it. */
  limits({ id, window, maxOutput }: Pick<OpenedModel, 'id' | 'window' | 'maxOutput'>): Limits {
    return limitsFor({ window: this.#windowOf({ id, window }), maxOutput })
  }

  #windowOf({ id, window }: Pick<OpenedModel, 'id' | 'window'>): number {
    const refused = this.#refused.get(id)
    const known = refused === undefined ? window : calibrated(refused, id, this.calibration)
    return Math.min(window, Math.max(LEAST_WINDOW, known))
  }

  /** Tokens of the next request. */
  estimate({ messages, summary, model }: Talk): number {
    return calibrated(this.#raw(messages, summary), model.id, this.calibration)
  }

  /** Each step only where the one before did not free enough. */
  async prepare(state: LoopState): Promise<Prepared | undefined> {
    const limits = this.limits(state.model)
    const tokens = (messages: readonly Message[]) => this.estimate({ ...state, messages })
    let { messages } = capResults(state.messages, { characters: limits.resultCharacters })
    if (tokens(messages) > limits.ageAt)
      messages = this.#aged(messages, limits.freshResults, limits.compactAt * WORTH_CLEARING)
    let prepared: Compacted = { messages, summary: state.summary }
    let compacted = false
    if (tokens(messages) > limits.compactAt && this.#failures < MOST_FAILURES) {
      const done = await this.#compact({ ...state, messages }, { limits, keep: this.#half(limits, state) })
      compacted = done !== undefined
      if (done) prepared = done
    }
    const utmost = this.#windowOf(state.model) / UNSURE - LEAST_REPLY
    prepared = await this.#fit(prepared, state.model, limits.compactAt, Math.max(utmost, limits.compactAt))
    this.#seen(prepared.messages, prepared.summary, state.model.id)
    return !compacted && prepared.messages === state.messages ? undefined : { ...prepared, compacted }
  }

  /** After a provider found it too long, whatever was estimated: to half of what it was. */
  async afterTooLong(state: LoopState): Promise<Compacted | undefined> {
    const raw = this.#raw(state.messages, state.summary)
    this.#refused.set(state.model.id, Math.min(raw, this.#refused.get(state.model.id) ?? raw))
    const limits = this.limits(state.model)
    const messages = this.#aged(state.messages, 0, 1)
    const half = Math.floor(estimateMessages(messages) / 2)
    const keep = Math.min(half, this.#half(limits, state))
    const done = await this.#compact({ ...state, messages }, { limits, keep })
    const shorter = done ?? { messages, summary: state.summary }
    const fitted = await this.#fit(shorter, state.model, Math.floor(this.estimate(state) / 2))
    return !done && fitted.messages === state.messages ? undefined : fitted
  }

  /** As the person asked. */
  async onDemand(state: Talk, focus: string | undefined): Promise<Compacted | undefined> {
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
    // What was refused once for its length cannot have been too long.
    if (this.#estimate >= (this.#refused.get(this.#model) ?? Number.POSITIVE_INFINITY))
      this.#refused.delete(this.#model)
  }

  /** How long a reply to the next request can be, at most. */
  replyRoom(state: Talk): number {
    return Math.floor(state.model.window - this.estimate(state) * UNSURE)
  }

  #aged(messages: readonly Message[], fresh: number, worth: number): readonly Message[] {
    const spare = fresh > 0 ? SPARED : NONE
    const aged = clearOldResults(messages, { fresh, spare })
    if (aged.freed < worth) return messages
    this.#options.cleared()
    return aged.messages
  }

  /**
   * Where a summary could not make it fit: one turn may be longer than there is room for. Beyond `utmost` it is not sent,
   * as long as there is anything that can be left out.
   */
  async #fit(
    { messages, summary }: Compacted,
    model: OpenedModel,
    most: number,
    utmost = most,
  ): Promise<Compacted> {
    const fixed = calibrated(this.#raw([], summary), model.id, this.calibration)
    const roomIn = (tokens: number) =>
      Math.max(tokens - fixed, model.window * LEAST_SHARE) / (this.calibration.factors[model.id] ?? 1)
    const room = roomIn(most)
    const fits = () => estimateMessages(messages) <= room
    if (!fits()) messages = this.#aged(messages, 0, 1)
    if (!fits()) ({ messages } = clearOldInputs(messages))
    if (!fits()) ({ messages } = dropOldSteps(messages, { most: room, tell: this.#options.tell }))
    if (!fits()) ({ messages } = dropImages(messages, { most: room }))
    if (!fits()) ({ messages } = clearInputs(messages, { most: room }))
    const cut = this.#cut(messages, room, roomIn(utmost))
    if (!cut) return { messages, summary }
    const files = new Map<string, string>()
    for (const text of longTexts(messages, cut.characters))
      files.set(text.key, await this.#options.keepWhole(text))
    ;({ messages } = shorten(messages, { ...cut, fileOf: key => files.get(key) }))
    if (estimateMessages(messages) > roomIn(utmost))
      ({ messages } = dropCalls(messages, { most: room, tell: this.#options.tell }))
    return { messages, summary }
  }

  /** Where texts are to be cut: the model's own only where it cannot be sent otherwise. */
  #cut(messages: readonly Message[], room: number, utmost: number) {
    const characters = charactersThatFit(messages, { most: room })
    if (characters === undefined) return undefined
    const cut = shorten(messages, { characters, fileOf: () => '' })
    if (estimateMessages(cut.messages) <= utmost) return { characters }
    const replies = true
    return { characters: charactersThatFit(messages, { most: room, replies }) ?? characters, replies }
  }

  async #compact(
    state: Talk,
    how: Pick<Summariser, 'limits' | 'keep' | 'focus'>,
  ): Promise<Compacted | undefined> {
    const { emit, files, skill, add } = this.#options
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
      skill,
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

/** What they returned is to be followed. */
const SPARED: ReadonlySet<string> = new Set([SKILL_TOOL])
const NONE: ReadonlySet<string> = new Set()
