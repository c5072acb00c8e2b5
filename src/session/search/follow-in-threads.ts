import { Worker } from 'node:worker_threads'
import type { FollowReport } from './follower.ts'
import type { WorkerTask } from './index-worker.ts'
import { WorkerControl } from './worker-control.ts'

/** With more to do than this, two threads: while one writes, the other reads. In bytes. */
const ONE_THREAD_IS_ENOUGH = 8 * 1024 * 1024

/** Built files stand beside this one under the same ending as it has. */
const WORKER = new URL(`./index-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url)

/**
 * Left to itself, V8 lets a thread that makes much rubbish have a few hundred megabytes before it looks for it. The
 * longest line that is read takes some 200 MB.
 */
const MEMORY = { maxYoungGenerationSizeMb: 32, maxOldGenerationSizeMb: 512 }

export interface ThreadOptions {
  signal: AbortSignal
  /** Lets the process end although this is not done. */
  background: boolean
}

/** Brings the index up to date with files, away from the main thread. Stopped by the signal, it reports what it did. */
export async function followInThreads(
  task: Omit<WorkerTask, 'control'>,
  bytes: number,
  { signal, background }: ThreadOptions,
): Promise<FollowReport> {
  const control = new WorkerControl()
  const stop = (): void => control.stop()
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  try {
    const threads = bytes > ONE_THREAD_IS_ENOUGH && task.names.length > 1 ? 2 : 1
    const reports = Array.from({ length: threads }, () =>
      inThread({ ...task, control: control.shared }, background),
    )
    return (await Promise.all(reports)).reduce(together)
  } finally {
    stop()
    signal.removeEventListener('abort', stop)
  }
}

function inThread(task: WorkerTask, background: boolean): Promise<FollowReport> {
  const { promise, resolve, reject } = Promise.withResolvers<FollowReport>()
  const worker = new Worker(WORKER, {
    workerData: task,
    name: 'session index',
    resourceLimits: MEMORY,
    // Those of the process may be about what it runs, and not allowed here.
    execArgv: [],
  })
  worker.once('message', resolve)
  worker.once('error', reject)
  worker.once('exit', code => reject(new Error(`The thread that indexes sessions ended early (${code}).`)))
  if (background) worker.unref() // after listening, which takes it back
  return promise
}

function together(a: FollowReport, b: FollowReport): FollowReport {
  const trouble = a.trouble ?? b.trouble
  return {
    files: a.files + b.files,
    bytes: a.bytes + b.bytes,
    turns: a.turns + b.turns,
    unreadable: [...a.unreadable, ...b.unreadable],
    ...(trouble && { trouble }),
  }
}
