/** Ends a request when nothing has come for too long, or the person interrupts. */
export class Watchdog {
  barked = false
  #idleMs: number
  #controller = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #gone: Promise<never>
  #outer: AbortSignal
  #onAbort = () => this.#controller.abort(this.#outer.reason)

  constructor(idleMs: number, signal: AbortSignal) {
    this.#idleMs = idleMs
    this.#outer = signal
    if (signal.aborted) this.#onAbort()
    signal.addEventListener('abort', this.#onAbort, { once: true })
    this.#gone = new Promise((_, reject) => {
      this.signal.addEventListener('abort', () => reject(this.signal.reason as Error), { once: true })
    })
    this.#gone.catch(() => {}) // nobody may be waiting for it
    this.pat()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Something came. */
  pat(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.barked = true
      this.#controller.abort(new Error('nothing came for too long'))
    }, this.#idleMs)
  }

  /** Does not wait for a provider that does not listen to its signal, and does not begin what is over already. */
  async race<T>(begin: () => PromiseLike<T>): Promise<T> {
    this.signal.throwIfAborted()
    return Promise.race([begin(), this.#gone])
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#outer.removeEventListener('abort', this.#onAbort)
  }
}
