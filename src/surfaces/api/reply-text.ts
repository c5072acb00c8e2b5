/** The text of an answer as it grows: of everything that an agent does, what its client is to read. */
import type { AgentEvent, End } from '../../agent/index.ts'
import { addUsage, NO_USAGE, type Usage } from '../../session/index.ts'
import type { FinishReason } from './completion.ts'
import { Refusal } from './refusal.ts'

const BETWEEN = '\n\n'
/** What was sent cannot be taken back. */
const BEGUN_AGAIN = '\n\n[the connection to the model broke; the reply begins again]\n\n'

export class ReplyText {
  #write: (text: string) => void
  #text = ''
  /** Of the reply that comes in now. */
  #current = ''
  #isBroken = false
  usage: Usage = NO_USAGE

  /** `write` is given each piece as it is added. */
  constructor(write: (text: string) => void) {
    this.#write = write
  }

  get text(): string {
    return this.#text
  }

  on(event: AgentEvent): void {
    switch (event.type) {
      case 'text':
        if (event.delta !== '') this.#take(event.delta)
        return
      case 'retracted':
        this.#isBroken = this.#current !== ''
        this.#current = ''
        return
      case 'reply':
        this.#current = ''
        return
      case 'usage':
        this.usage = addUsage(this.usage, event.usage)
        return
      default:
    }
  }

  /** How it ended, for the client; what a person would be told goes to its end. */
  finish({ reason, message }: End): FinishReason {
    switch (reason) {
      case 'answered':
        return 'stop'
      case 'cut-short':
      case 'too-many-turns':
        this.#say(message)
        return 'length'
      case 'denied':
        this.#say(message)
        return 'stop'
      case 'budget-spent':
        throw new Refusal(429, 'insufficient_quota', message ?? 'The budget is spent.')
      case 'interrupted':
        throw new Refusal(503, 'interrupted', 'The answer was interrupted.')
      case 'failed':
        throw new Refusal(502, 'model_failed', message ?? 'The model did not answer.')
    }
  }

  #say(message: string | undefined): void {
    if (message !== undefined) this.#add(this.#text === '' ? message : `${BETWEEN}${message}`)
  }

  #take(delta: string): void {
    if (this.#current === '' && this.#text !== '') this.#add(this.#isBroken ? BEGUN_AGAIN : BETWEEN)
    this.#isBroken = false
    this.#current += delta
    this.#add(delta)
  }

  #add(text: string): void {
    this.#text += text
    this.#write(text)
  }
}
