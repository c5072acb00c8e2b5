/** Brings a session's notes up to date, beside the conversation and never in its way. */
import { estimateMessages, type Limits } from '../context/index.ts'
import type { OpenedModel } from '../models/index.ts'
import type { Message, Transcript } from '../session/index.ts'
import { type Notes, notesPath, readNotes, writeNotes } from './notes.ts'
import { summaryOf } from './summarise.ts'

export interface NoteTakerOptions {
  transcript: Transcript
  /** The small model, for side jobs. */
  model(): Promise<OpenedModel>
  now(): Date
}

export class NoteTaker {
  #options: NoteTakerOptions
  #work: Promise<void> | undefined
  #controller = new AbortController()

  constructor(options: NoteTakerOptions) {
    this.#options = options
  }

  /** What they say now. Whoever needs room does not wait until a model has brought them up to date. */
  read(): Promise<Notes | undefined> {
    return readNotes(this.#path)
  }

  /** Begins when enough was said that they do not know of; one at a time. */
  consider(messages: readonly Message[], limits: Limits): void {
    if (this.#work) return
    this.#work = this.#update(messages, limits)
      .catch(() => {}) // without notes, a model is asked when room is needed
      .finally(() => {
        this.#work = undefined
      })
  }

  async close(): Promise<void> {
    this.#controller.abort(new Error('the conversation is over'))
    await this.#work
  }

  async #update(messages: readonly Message[], limits: Limits): Promise<void> {
    const last = messages.at(-1)
    if (!last || estimateMessages(messages) < limits.notesEvery) return
    const before = await readNotes(this.#path)
    const known = messages.findIndex(({ id }) => id === before?.covers)
    const since = messages.slice(known + 1)
    if (estimateMessages(since) < limits.notesEvery) return
    const { transcript, model, now } = this.#options
    const { text, usage } = await summaryOf(since, before?.text, {
      model,
      prompt: 'notes',
      request: 'Write the notes anew.',
      tokens: limits.summary,
      signal: this.#controller.signal,
      now,
    })
    if (usage) await transcript.charge(usage)
    if (text !== undefined) await writeNotes(this.#path, { text, covers: last.id })
  }

  get #path(): string {
    return notesPath(this.#options.transcript.path)
  }
}
