/** The thread that commands are simulated in: one after the other, until it is ended. */
import { parentPort, workerData } from 'node:worker_threads'
import { type Ran, simulate } from './simulation.ts'

export interface WorkerData {
  roots: readonly string[]
  env: Readonly<Record<string, string>>
}

export type ToWorker = { run: string } | 'stop'
export type FromWorker = Pick<Ran, 'stdout' | 'stderr' | 'exitCode'>

const { roots, env } = workerData as WorkerData
let stopping = new AbortController()

parentPort?.on('message', async (message: ToWorker) => {
  if (message === 'stop') return stopping.abort(new Error('stopped'))
  stopping = new AbortController()
  const { stdout, stderr, exitCode } = await simulate(message.run, { roots, env, signal: stopping.signal })
  parentPort?.postMessage({ stdout, stderr, exitCode } satisfies FromWorker)
})
