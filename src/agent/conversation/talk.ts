import type { Message, Resumed, Transcript } from '../../session/index.ts'
import type { Compacted } from '../loop.ts'

/** What has been said in a conversation, as the model is told of it: what is kept is on the disk first. */
export class Talk {
  readonly transcript: Transcript
  #messages: readonly Message[]
  #summary: string | undefined

  constructor(transcript: Transcript, resumed: Resumed | undefined) {
    this.transcript = transcript
    this.#messages = resumed?.messages ?? []
    this.#summary = resumed?.summary
  }

  get messages(): readonly Message[] {
    return this.#messages
  }

  /** What stands for everything before the first message. */
  get summary(): string | undefined {
    return this.#summary
  }

  /** Something that was said or returned has not been answered: the session ended in the middle of it. */
  get isUnanswered(): boolean {
    // News that came last can wait for the next message; they alone are no reason to ask a model.
    const last = this.#messages.findLast(({ origin }) => origin !== 'notification')
    return last !== undefined && (last.role !== 'assistant' || last.stop === 'interrupted')
  }

  /** The message of the person that is being answered, or was last. */
  get asked(): string {
    return this.#messages.findLast(({ origin }) => origin === 'person')?.id ?? ''
  }

  /** What the agent said last. */
  get answered(): string {
    const last = this.#messages.findLast(({ role }) => role === 'assistant')
    return last?.parts.map(part => (part.type === 'text' ? part.text : '')).join('') ?? ''
  }

  /** The messages that came after one of them. */
  since(message: string): string[] {
    const at = this.#messages.findIndex(({ id }) => id === message)
    return at < 0 ? [] : this.#messages.slice(at + 1).map(({ id }) => id)
  }

  async keep(...messages: readonly Message[]): Promise<void> {
    if (messages.length === 0) return
    await this.transcript.append(...messages)
    this.#messages = [...this.#messages, ...messages]
  }

  /** What came of an answer, or of making it shorter; it is in the transcript already. */
  goesOnFrom({ messages, summary }: Compacted): void {
    this.#messages = messages
    this.#summary = summary
  }
}
