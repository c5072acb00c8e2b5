/** What may become of runs: functions from a ledger to the next one, without files, locks or time. */
import { isLive, type Run, type RunOwner, type Trigger } from './run.ts'

/** Runs that are kept; one that lives is never dropped (5-work.md). */
export const RUNS_KEPT = 200
/** Characters of an error that are kept. */
const LONGEST_ERROR = 500

export interface RunRequest {
  id: string
  trigger: Trigger
  source: string
  owner: RunOwner
  now: Date
}

/** A new run, or the live one of the same source that is in its way. */
export function begin(
  runs: readonly Run[],
  { now, ...request }: RunRequest,
): { runs: readonly Run[]; run: Run } | { runs: readonly Run[]; inTheWay: Run } {
  const inTheWay = runs.find(run => run.source === request.source && isLive(run))
  if (inTheWay) return { runs, inTheWay }
  const run: Run = {
    ...request,
    status: 'queued',
    createdAt: now.toISOString(),
    startedAt: null,
    endedAt: null,
    error: null,
  }
  return { runs: trimmed([...runs, run]), run }
}

/** Only a run that waits starts: what was cancelled meanwhile stays so. */
export function start(runs: readonly Run[], id: string, now: Date): readonly Run[] {
  return changed(runs, id, run =>
    run.status === 'queued' ? { ...run, status: 'running', startedAt: now.toISOString() } : run,
  )
}

/** Which session answers is known only when it has been opened. */
export function noteSession(runs: readonly Run[], id: string, session: string): readonly Run[] {
  return changed(runs, id, run => (isLive(run) ? { ...run, owner: { ...run.owner, session } } : run))
}

export type RunEnd = { status: 'completed' } | { status: 'failed' | 'cancelled'; error: string }

/** A final state never changes. */
export function end(runs: readonly Run[], id: string, ending: RunEnd, now: Date): readonly Run[] {
  return changed(runs, id, run => (isLive(run) ? ended(run, ending, now) : run))
}

/** Marks what the death of a process has left. */
export function recover(runs: readonly Run[], isGone: (run: Run) => boolean, now: Date): readonly Run[] {
  const error = 'recovered: the process that ran it has ended'
  const isLeft = (run: Run) => isLive(run) && isGone(run)
  if (!runs.some(isLeft)) return runs
  return trimmed(runs.map(run => (isLeft(run) ? ended(run, { status: 'failed', error }, now) : run)))
}

function ended(run: Run, ending: RunEnd, now: Date): Run {
  const error = 'error' in ending ? ending.error.slice(0, LONGEST_ERROR) : null
  return { ...run, status: ending.status, endedAt: now.toISOString(), error }
}

function changed(runs: readonly Run[], id: string, change: (run: Run) => Run): readonly Run[] {
  const at = runs.findIndex(run => run.id === id)
  const run = runs[at]
  const next = run && change(run)
  return next && next !== run ? trimmed(runs.with(at, next)) : runs
}

/** The newest, and all that live. */
function trimmed(runs: readonly Run[]): readonly Run[] {
  let tooMany = runs.length - RUNS_KEPT
  return tooMany <= 0 ? runs : runs.filter(run => isLive(run) || tooMany-- <= 0)
}
