/** What is to be done about a job at a moment: a function of both. */
import type { Job } from './job.ts'
import { isRecurring } from './when.ts'

export type Decision = 'wait' | 'run' | 'miss' | 'offer' | 'over' | 'warn' | 'expire' | 'rebase'

/** What has become of the newest run of a job, as far as the ledger knows. */
export type LastRun = 'live' | 'completed' | 'other'

const SECOND = 1_000
const DAY = 24 * 60 * 60 * SECOND
/** A one-shot that is this late was missed: nothing ran when its time came. Jobs are looked at every second. */
const MISSED_AFTER_MS = 60 * SECOND
/** A last run this far in the future was not: the clock has been set back. */
const SET_BACK_MS = 60 * SECOND
/** How long before it ends an expiring job says so (5-work.md). */
const WARN_BEFORE_MS = DAY

/**
 * `miss`: a one-shot whose time has passed, or whose run came to no good end, is not run; `offer`: its owner is told of
 * it. `over`: it was done by a process that did not get to say so. `rebase`: its last run lies in a future that will not
 * come soon, so that it counts from now. However many slots a recurring job has missed, it runs once.
 */
export function decide(
  job: Job,
  now: Date,
  { start, lastRun }: { start: Date | undefined; lastRun(): LastRun },
): Decision {
  const { expiresAt, lastRunAt, begun, missed, unoffered, warned } = job
  const at = now.getTime()
  if (expiresAt !== null && Date.parse(expiresAt) <= at) return 'expire'
  if (missed) return unoffered ? 'offer' : 'wait'
  if (begun) return ({ live: 'wait', completed: 'over', other: 'miss' } as const)[lastRun()]
  if (Date.parse(lastRunAt ?? job.createdAt) - at > SET_BACK_MS && isRecurring(job.when)) return 'rebase'
  if (expiresAt !== null && !warned && Date.parse(expiresAt) - at <= WARN_BEFORE_MS) return 'warn'
  if (start === undefined || start > now) return 'wait'
  if (!isRecurring(job.when) && at - Math.max(start.getTime(), nominal(job)) > MISSED_AFTER_MS) return 'miss'
  return 'run'
}

/** A one-shot may start early; it is late only after the moment that was named. */
function nominal({ when }: Job): number {
  return 'at' in when ? Date.parse(when.at) : 0
}
