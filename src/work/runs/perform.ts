import type { RunEnd } from './decide.ts'
import type { RunLedger } from './ledger.ts'
import type { Run, Trigger } from './run.ts'

export interface Performance {
  trigger: Trigger
  source: string
  /** Moves "last run" on; called when the run is written and before it runs. */
  advance(): Promise<void>
  /** Does it. */
  work(run: Run, signal: AbortSignal): Promise<void>
  signal: AbortSignal
}

export type Performed = { run: Run; ending: RunEnd } | { inTheWay: Run }

/** The stream from a model, or what read it, was closed: nobody wants the answer any more. */
const CLOSED = new Set(['AbortError', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED'])

/** One run from its first line in the ledger to its last, in the only order that no crash can turn into two. */
export async function perform(ledger: RunLedger, performance: Performance): Promise<Performed> {
  const { trigger, source, advance, work, signal } = performance
  const begun = await ledger.begin(trigger, source)
  if ('inTheWay' in begun) return begun
  const { run } = begun
  let ending: RunEnd = { status: 'cancelled', error: 'it was stopped before it began' }
  try {
    await advance()
    if (signal.aborted || !(await ledger.start(run.id))) return { run, ending }
    await work(run, signal)
    ending = { status: 'completed' }
  } catch (error) {
    ending = endingOf(error, signal)
  } finally {
    await ledger.end(run.id, ending)
  }
  return { run, ending }
}

function endingOf(error: unknown, signal: AbortSignal): RunEnd {
  const cause = signal.aborted ? signal.reason : error
  const { name, message, code } =
    cause instanceof Error ? (cause as NodeJS.ErrnoException) : { name: '', message: String(cause), code: '' }
  const isClosed = signal.aborted || CLOSED.has(name) || CLOSED.has(code ?? '')
  return { status: isClosed ? 'cancelled' : 'failed', error: message || 'it failed without a word' }
}
