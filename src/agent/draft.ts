import type { Message, Part, Stop, Transcript, Usage } from '../session/index.ts'

export interface DraftOptions {
  id: string
  at: string
  model: string
  transcript: Pick<Transcript, 'append' | 'extend'>
}

/**
 * A reply on its way to the disk. It is written whole when it is complete; when a tool of it starts before that,
 * what there is of it is written first, and the rest follows.
 */
export class Draft {
  #options: DraftOptions
  /** In the order in which they were written, which is the order that counts. */
  #parts: Part[] = []
  #begun = false
  #queue: Promise<unknown> = Promise.resolve()

  constructor(options: DraftOptions) {
    this.#options = options
  }

  /** On the disk when this returns: what of these was not yet. */
  write(parts: readonly Part[]): Promise<void> {
    return this.#inOrder(() => this.#writeNew(parts, {}))
  }

  /** Writes what is left, and that this is all; gives the message as it stands. */
  finish(parts: readonly Part[], end: { usage?: Usage; stop: Stop }): Promise<Message> {
    return this.#inOrder(async () => {
      await this.#writeNew(parts, end)
      return this.#message(this.#parts, end)
    })
  }

  async #writeNew(parts: readonly Part[], end: { usage?: Usage; stop?: Stop }): Promise<void> {
    const fresh = parts.filter(part => !this.#parts.includes(part))
    const isEnd = end.stop !== undefined
    if (fresh.length === 0 && !isEnd) return
    const { transcript, id } = this.#options
    if (this.#begun) await transcript.extend(id, { parts: fresh, ...end })
    else await transcript.append(this.#message(fresh, end))
    this.#begun = true
    this.#parts.push(...fresh)
  }

  #message(parts: readonly Part[], end: { usage?: Usage; stop?: Stop }): Message {
    const { id, at, model } = this.#options
    return { id, role: 'assistant', origin: 'model', at, parts: [...parts], model, ...end }
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work)
    this.#queue = done.catch(() => {})
    return done
  }
}
