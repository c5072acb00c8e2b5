import { Worker } from 'node:worker_threads'

/** Ends this process at a time, whatever it does then: also a loop that lets nothing else happen. */
export class Bound implements Disposable {
  #watch: Worker

  private constructor(watch: Worker) {
    this.#watch = watch
  }

  static async begin(ms: number): Promise<Bound> {
    return new Bound(await watching(ms))
  }

  async extend(ms: number): Promise<void> {
    const before = this.#watch
    this.#watch = await watching(ms)
    await before.terminate()
  }

  [Symbol.dispose](): void {
    void this.#watch.terminate()
  }
}

const WATCH = `
const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads')
setTimeout(() => process.kill(process.pid, 'SIGKILL'), workerData)
parentPort.postMessage('watching')
`

/** A thread of its own begins only while the one that wants it lets it. */
async function watching(ms: number): Promise<Worker> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const worker = new Worker(WATCH, { eval: true, workerData: ms, name: 'bound' })
  worker.once('message', () => resolve())
  worker.once('error', reject)
  await promise
  worker.unref()
  return worker
}
