/** One answer, as it comes into being: its events one after the other, and what came of it. */
import type { AgentEvent, End } from '../agent/index.ts'
import { addUsage, NO_USAGE, textOf, type Usage } from '../session/index.ts'
import { ReverieError } from '../store/index.ts'

/** What came of a message. */
export interface Answered {
  /** Everything that was said, without tools and thinking. */
  text: string
  /** How it ended; `answered` where all went well. */
  end: End
  /** Tokens, and money where the price is known. */
  usage: Usage
}

/** It did not come to an answer; `end` says why. */
export class NotAnswered extends ReverieError {
  readonly answered: Answered

  constructor(answered: Answered) {
    super(answered.end.message ?? `It was not answered: ${answered.end.reason}.`)
    this.answered = answered
  }
}

/** Iterating tells of what happens from the beginning on; to break off interrupts the agent. */
export class Answer implements AsyncIterable<AgentEvent> {
  /** Settled when the answer has ended, however it did; nothing has to be iterated for that. */
  readonly answered: Promise<Answered>
  #events: AgentEvent[] = []
  #waiting = new Set<() => void>()
  #isOver = false
  #interrupt: () => void

  constructor(begin: (emit: (event: AgentEvent) => void) => Promise<End>, interrupt: () => void) {
    this.#interrupt = interrupt
    const [texts, usage]: [string[], { sum: Usage }] = [[], { sum: NO_USAGE }]
    const ended = begin(event => {
      if (event.type === 'reply') texts.push(textOf(event.message))
      if (event.type === 'usage') usage.sum = addUsage(usage.sum, event.usage)
      this.#events.push(event)
      this.#wake()
    })
    this.answered = ended
      .then(end => ({ text: texts.filter(text => text !== '').join('\n\n'), end, usage: usage.sum }))
      .finally(() => {
        this.#isOver = true
        this.#wake()
      })
    this.answered.catch(() => {}) // whoever waits for it is told, and so is whoever iterates
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<AgentEvent, void> {
    let at = 0
    let isThrough = false
    try {
      for (;;) {
        for (; at < this.#events.length; at++) yield this.#events[at] as AgentEvent
        if (this.#isOver) break
        await new Promise<void>(resolve => this.#waiting.add(resolve))
      }
      isThrough = true
      await this.answered // throws what kept it from beginning
    } finally {
      if (!isThrough) this.#interrupt()
    }
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve()
    this.#waiting.clear()
  }
}
