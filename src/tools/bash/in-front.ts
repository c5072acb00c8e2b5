import type { RunningCommand } from './running-command.ts'
import { readable } from './shown-output.ts'

export interface InFront {
  signal: AbortSignal
  /** When it is to be moved to the background; undefined: never. */
  moveAfterMs: number | undefined
  progressEveryMs: number
  progress(text: string): void
}

/** Waits until a command has ended, or has run long enough to be moved to the background. */
export async function waitInFront(
  command: RunningCommand,
  options: InFront,
): Promise<'ended' | 'to be moved'> {
  const { signal, moveAfterMs } = options
  const interrupt = () => void command.end('interrupted')
  const stopProgress = reportProgress(command, options)
  let timer: NodeJS.Timeout | undefined
  const enough = new Promise<'to be moved'>(resolve => {
    if (moveAfterMs === undefined) return
    // One that is being ended stays until it has.
    timer = setTimeout(() => command.isEnding || resolve('to be moved'), moveAfterMs)
  })
  command.onPrompt = prompt => {
    if (prompt) void command.end('asks')
  }
  signal.addEventListener('abort', interrupt, { once: true })
  if (signal.aborted) interrupt()
  try {
    return await Promise.race([command.gone.then(() => 'ended' as const), enough])
  } finally {
    clearTimeout(timer)
    stopProgress()
    command.onPrompt = undefined
    signal.removeEventListener('abort', interrupt)
  }
}

/** At once when something is printed after a pause, and then at most so often. */
function reportProgress(command: RunningCommand, { progressEveryMs, progress }: InFront): () => void {
  let next: NodeJS.Timeout | undefined
  let last = Number.NEGATIVE_INFINITY
  const report = () => {
    next = undefined
    last = performance.now()
    progress(lastLines(command))
  }
  command.onOutput = () => {
    if (next) return
    const early = last + progressEveryMs - performance.now()
    if (early <= 0) report()
    else next = setTimeout(report, early).unref()
  }
  return () => {
    clearTimeout(next)
    command.onOutput = undefined
  }
}

const PROGRESS_LINES = 5
const PROGRESS_BYTES = 1_000

function lastLines(command: RunningCommand): string {
  return readable(command.output.window.end(PROGRESS_BYTES))
    .trimEnd()
    .split('\n')
    .slice(-PROGRESS_LINES)
    .join('\n')
}
