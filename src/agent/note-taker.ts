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

/** What is in sight, and what stands for everything before it. */
export interface NotedTalk {
  messages: readonly Message[]
  summary: string | undefined
}

export class NoteTaker {
  #options: NoteTakerOptions
  #work: Promise<void> | undefined
  /** The last message when it was tried last: a model that cannot is not asked again before there is as much to tell. */
  #tried = ''
  #controller = new AbortController()

  constructor(options: NoteTakerOptions) {
    this.#options = options
  }

  /** What they say now. Whoever needs room does not wait until a model has brought them up to date. */
  read(): Promise<Notes | undefined> {
    return readNotes(this.#path)
  }

  /** Begins when enough was said that they do not know of; one at a time. */
  consider(talk: NotedTalk, limits: Limits): void {
    if (this.#work) return
    this.#work = this.#update(talk, limits)
      .catch(() => {}) // without notes, a model is asked when room is needed
      .finally(() => {
        this.#work = undefined
      })
  }

  async close(): Promise<void> {
    this.#controller.abort(new Error('the conversation is over'))
    await this.#work
  }

  async #update({ messages, summary }: NotedTalk, limits: Limits): Promise<void> {
    const last = messages.at(-1)
    if (!last || estimateMessages(messages) < limits.notesEvery) return
    const before = await readNotes(this.#path)
    const known = messages.findIndex(({ id }) => id === before?.covers)
    const tried = messages.findIndex(({ id }) => id === this.#tried)
    if (estimateMessages(messages.slice(Math.max(known, tried) + 1)) < limits.notesEvery) return
    this.#tried = last.id
    const since = messages.slice(known + 1)
    const { transcript, model, now } = this.#options
    // When what they cover has left the conversation, its summary knows all that they do, and what came after them.
    const earlier = known < 0 ? (summary ?? before?.text) : before?.text
    const { text, usage } = await summaryOf(since, earlier, {
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
