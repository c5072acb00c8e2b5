import { Worker } from 'node:worker_threads'
import type { GrepEngine, GrepOutcome, GrepQuery, Hit } from './engine.ts'
import type { SearchMessage, SearchTask } from './search-worker.ts'

/** How long it may stay at one line; a good pattern takes microseconds. */
const STUCK_AFTER_MS = 3_000
const LOOK_EVERY_MS = 100
/** After so many files the pattern is to blame. */
const MOST_STUCK = 2

/** Built files stand beside this one under the same ending as it has. */
const WORKER = new URL(`./search-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url)

/** Our own search, for where ripgrep is not installed. */
export function ownEngine(stuckAfterMs = STUCK_AFTER_MS): GrepEngine {
  return async (files, query, signal) => {
    const hits = new Map<string, readonly Hit[]>()
    const tooSlow: string[] = []
    let left = files
    while (left.length > 0 && tooSlow.length < MOST_STUCK) {
      const ended = await inThread(left, query, hits, signal, stuckAfterMs)
      if (ended === 'done') break
      const stuck = left[ended]
      if (stuck !== undefined) tooSlow.push(stuck)
      left = left.slice(ended + 1)
    }
    const gaveUp = tooSlow.length >= MOST_STUCK ? left : []
    return { hits, tooSlow: [...tooSlow, ...gaveUp] } satisfies GrepOutcome
  }
}

/** Returns when all is searched, or at which file it got stuck. */
function inThread(
  files: readonly string[],
  query: GrepQuery,
  hits: Map<string, readonly Hit[]>,
  signal: AbortSignal,
  stuckAfterMs: number,
): Promise<'done' | number> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<'done' | number>()
  const pulse = new Int32Array(new SharedArrayBuffer(8))
  const task: SearchTask = { files, query, pulse: pulse.buffer }
  const worker = new Worker(WORKER, { workerData: task, name: 'grep' })
  let last = { beat: -1, at: performance.now() }
  const watch = setInterval(() => {
    const beat = Atomics.load(pulse, 0)
    // It has not begun yet while it is 0: starting a thread takes its time.
    if (beat !== last.beat || beat === 0) last = { beat, at: performance.now() }
    else if (performance.now() - last.at > stuckAfterMs) resolve(Atomics.load(pulse, 1))
  }, LOOK_EVERY_MS)
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  worker.on('message', (message: SearchMessage) => {
    if (message.kind === 'done') resolve('done')
    else hits.set(message.file, message.hits)
  })
  worker.once('error', reject)
  worker.once('exit', () => reject(new Error('The thread that searches files ended early.')))
  return promise.finally(async () => {
    clearInterval(watch)
    signal.removeEventListener('abort', abort)
    await worker.terminate()
  })
}
