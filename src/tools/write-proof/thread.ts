import { Worker } from 'node:worker_threads'
import type { Ran } from './simulation.ts'
import type { FromWorker, ToWorker, WorkerData } from './worker.ts'

/** Built files stand beside this one under the same ending as it has. */
const WORKER = new URL(`./worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url)

/** A command that does not stop when it is told to is ended with its thread. */
const PATIENCE_MS = 500
/** Starting one takes a tenth of a second; nobody uses it for so long, and it is let go. */
const IDLE_MS = 60_000
const MOST_MEMORY_MB = 512

const STOPPED: Ran = { stdout: '', stderr: 'shell: stopped\n', exitCode: 124 }

/** Simulates commands, one after the other, where they can be ended whatever they do. */
export class SimulationThread {
  #data: WorkerData
  #worker: Worker | undefined
  #turn: Promise<unknown> = Promise.resolve()
  #idle: NodeJS.Timeout | undefined

  constructor(data: WorkerData) {
    this.#data = data
  }

  /** `timeoutMs` begins when it is the command's turn. */
  run(
    command: string,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<{ ran: Ran; stopped: boolean }> {
    const turn = this.#turn.then(() => this.#run(command, timeoutMs, signal))
    this.#turn = turn.catch(() => {})
    return turn
  }

  async #run(command: string, timeoutMs: number, signal: AbortSignal | undefined) {
    if (signal?.aborted) return { ran: STOPPED, stopped: true }
    clearTimeout(this.#idle)
    const worker = this.#start()
    const timeout = AbortSignal.timeout(timeoutMs)
    const stop = signal ? AbortSignal.any([signal, timeout]) : timeout
    const { promise, resolve } = Promise.withResolvers<Ran | undefined>()
    let patience: NodeJS.Timeout | undefined
    const end = () => {
      worker.postMessage('stop' satisfies ToWorker)
      patience = setTimeout(resolve, PATIENCE_MS, undefined)
    }
    let broken = false
    const failed = (error: Error) => {
      broken = true
      resolve({ stdout: '', stderr: `shell: ${error.message}\n`, exitCode: 126 })
    }
    const answered = (ran: FromWorker) => resolve(ran)
    worker.on('message', answered)
    worker.on('error', failed)
    stop.addEventListener('abort', end, { once: true })
    worker.postMessage({ run: command } satisfies ToWorker)
    const ran = await promise
    stop.removeEventListener('abort', end)
    clearTimeout(patience)
    worker.off('message', answered)
    // Neither one that does not stop nor one that has failed is used again.
    if (ran === undefined || broken) await this.#end()
    else this.#rest(worker)
    worker.off('error', failed)
    return { ran: ran ?? STOPPED, stopped: stop.aborted }
  }

  #start(): Worker {
    const worker =
      this.#worker ??
      new Worker(WORKER, {
        workerData: this.#data,
        name: 'write-proof shell',
        env: {},
        resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
      })
    // Also while it rests; whoever waits for an answer hears of it, too.
    if (worker !== this.#worker)
      worker.on('error', () => {
        if (this.#worker === worker) this.#worker = undefined
      })
    worker.ref()
    this.#worker = worker
    return worker
  }

  /** Nothing keeps the process alive for it. */
  #rest(worker: Worker): void {
    worker.unref()
    this.#idle = setTimeout(() => void this.#end(), IDLE_MS).unref()
  }

  async #end(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }
}
