/** `reverie dream stop`: the process that dreams is sent a signal, which ends its dream and nothing else of it. */
const STOP = 'SIGUSR2'

export function askToStop(pid: number): void {
  process.kill(pid, STOP)
}

/** Aborted by `signal`, or when this process is asked to stop dreaming, until it is disposed of. */
export class Stoppable implements Disposable {
  readonly signal: AbortSignal
  #asked = new AbortController()
  #stop = () => this.#asked.abort(new Error('it was stopped'))

  constructor(signal: AbortSignal) {
    this.signal = AbortSignal.any([signal, this.#asked.signal])
    process.on(STOP, this.#stop)
  }

  [Symbol.dispose](): void {
    process.off(STOP, this.#stop)
  }
}
