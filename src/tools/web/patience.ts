import { ReverieError } from '../../store/index.ts'

/** Somebody else's machine took too long. */
export class TooSlow extends ReverieError {}

export interface Waits {
  /** For everything together. */
  totalMs: number
  /** Without a byte. */
  idleMs: number
}

/** How long an exchange is waited for. What it gives the signal to must end when it is aborted. */
export class Patience {
  readonly signal: AbortSignal
  #own = new AbortController()
  #idleMs: number
  /** Of the whole time, at the last start. */
  #leftMs: number
  #startedAt = 0
  #timers: NodeJS.Timeout[] = []
  #allOfIt: string

  /** `outer` is the person's: what ends by it is theirs, not slow. */
  constructor({ totalMs, idleMs }: Waits, outer: AbortSignal) {
    this.signal = AbortSignal.any([outer, this.#own.signal])
    this.#idleMs = idleMs
    this.#leftMs = totalMs
    this.#allOfIt = `took longer than ${seconds(totalMs)}`
    this.#start()
  }

  /** Set once it has run out. */
  get ranOut(): TooSlow | undefined {
    return this.#own.signal.aborted ? (this.#own.signal.reason as TooSlow) : undefined
  }

  /** Something arrived. */
  heard(): void {
    this.#timers[0]?.refresh()
  }

  /** Waits for what is not the other side's doing, such as a person: meanwhile no time passes. */
  async during<T>(work: Promise<T>): Promise<T> {
    this.#stop()
    try {
      return await unlessAborted(work, this.signal)
    } finally {
      this.#start()
    }
  }

  [Symbol.dispose](): void {
    this.#stop()
  }

  #start(): void {
    const ended = (what: string) => () => this.#own.abort(new TooSlow(what))
    this.#startedAt = performance.now()
    this.#timers = [
      setTimeout(ended(`sent nothing for ${seconds(this.#idleMs)}`), this.#idleMs),
      setTimeout(ended(this.#allOfIt), this.#leftMs),
    ]
  }

  #stop(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#leftMs -= performance.now() - this.#startedAt
  }
}

function seconds(ms: number): string {
  return `${ms / 1_000} s`
}

/** The work, or an error as soon as the signal is aborted: for what cannot be stopped itself. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', stop)
    work.catch(() => {})
  }
}
