import { randomUUID } from 'node:crypto'
import {
  beginClaim,
  cancelItem,
  claimAll,
  EMPTY_QUEUE,
  enqueue,
  type Priority,
  type Queue,
  type QueueItem,
  releaseClaim,
  waitingFor,
} from './queue.ts'

/** Something for an agent to hear. */
export interface Notice<T> {
  to: string
  priority: Priority
  content: T
  /** True unless told. */
  wakes?: boolean
}

/** What an agent is about to hear. Until it begins, each of it can be cancelled. */
export interface Claim<T> {
  /** All that was not cancelled; it is heard from here on, and only here. */
  begin(): QueueItem<T>[]
  /** Lets it wait again, because it could not be heard after all. */
  release(): void
}

/** The one way to the attention of the agents of a conversation: people, finished work and each other. */
export class Attention<T> {
  #queue: Queue<T> = EMPTY_QUEUE
  #listeners = new Map<string, (item: QueueItem<T>) => void>()

  /** Returns the id by which it can be cancelled. */
  add({ to, priority, content, wakes = true }: Notice<T>): string {
    const item = { id: randomUUID(), to, priority, wakes, content }
    this.#queue = enqueue(this.#queue, item)
    this.#listeners.get(to)?.(item)
    return item.id
  }

  /** True when it will never be heard; false when it was, or is being. */
  cancel(id: string): boolean {
    const left = cancelItem(this.#queue, id)
    this.#queue = left ?? this.#queue
    return left !== undefined
  }

  waiting(to: string): QueueItem<T>[] {
    return waitingFor(this.#queue, to)
  }

  claim(to: string): Claim<T> {
    const id = randomUUID()
    this.#queue = claimAll(this.#queue, to, id)
    return {
      begin: () => {
        const { queue, items } = beginClaim(this.#queue, id)
        this.#queue = queue
        return items
      },
      release: () => {
        this.#queue = releaseClaim(this.#queue, id)
      },
    }
  }

  /** What waits, to be heard at once. */
  take(to: string): T[] {
    return this.claim(to)
      .begin()
      .map(({ content }) => content)
  }

  /** Calls back with everything that comes for an agent: it may have to be woken, or interrupted. */
  listen(to: string, callback: (item: QueueItem<T>) => void): void {
    this.#listeners.set(to, callback)
  }
}
