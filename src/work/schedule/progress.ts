/** What becomes of a job when it runs. A one-shot stays until its run is completed: whatever breaks, it is not lost. */
import type { RunEnd } from '../runs/index.ts'
import type { Job } from './job.ts'
import type { Schedule } from './schedule.ts'
import { isRecurring } from './when.ts'

/** Its run is written down: it counts on from now. */
export function advanceJob(schedule: Schedule, { id, when }: Job): Promise<void> {
  const lastRunAt = schedule.now().toISOString()
  return schedule.update(id, ({ missed: _, unoffered: __, ...job }) =>
    isRecurring(when) ? { ...job, lastRunAt } : { ...job, lastRunAt, begun: true },
  )
}

/** Its run has ended; `isTold` when the owner hears of a bad end at once. */
export async function settleJob(
  schedule: Schedule,
  job: Job,
  { ending, isTold }: { ending: RunEnd; isTold: boolean },
): Promise<void> {
  if (isRecurring(job.when)) return
  if (ending.status === 'completed') await schedule.update(job.id, () => undefined)
  else await missJob(schedule, job, { isTold })
}

/** It is offered from now on; one that an agent made not for ever. */
export function missJob(schedule: Schedule, { id }: Job, { isTold }: { isTold: boolean }): Promise<void> {
  const now = schedule.now()
  return schedule.update(id, ({ begun: _, unoffered: __, ...job }) => ({
    ...job,
    missed: true,
    ...(!isTold && { unoffered: true }),
    warned: true, // there is nothing to say a day before: it was offered
    expiresAt: job.madeBy === 'agent' ? schedule.expiryFrom(now) : null,
  }))
}

/** Somebody was told. */
export function offeredJob(schedule: Schedule, { id }: Job): Promise<void> {
  return schedule.update(id, ({ unoffered: _, ...job }) => job)
}
