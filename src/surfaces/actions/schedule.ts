/** What can be done with jobs from the command line and, in the same words, in a conversation. */
import type { ManualRun } from '../../assembly/index.ts'
import { machineTimeZone } from '../../config/index.ts'
import { ReverieError } from '../../store/index.ts'
import {
  type JobDraft,
  type ListedJob,
  type SaidWhen,
  type Schedule,
  sayMoment,
  sayWall,
} from '../../work/index.ts'
import { printable } from '../text/printable.ts'
import { table } from '../text/table.ts'
import type { Answer } from './tasks.ts'

export async function addJob(
  schedule: Schedule,
  draft: Pick<JobDraft, 'prompt' | 'durable' | 'livesWith'> & SaidWhen,
): Promise<Answer> {
  const job = await schedule.add({ ...draft, madeBy: 'person' })
  const when = job.recurring ? `${job.cron}, next` : 'once,'
  const notes = (await schedule.scheduler())
    ? []
    : [
        'Nobody begins jobs here now: it begins while `reverie gateway` or a conversation in this project runs.',
      ]
  return { value: job, text: `Job ${job.id}: ${when} at ${nextOf(job, schedule)}.`, notes }
}

export function listJobs(schedule: Schedule, columns?: number): Answer {
  const { jobs, problems } = schedule.list()
  const { timeZone } = schedule
  const rows = jobs.map(job => rowOf(job, timeZone))
  const text = jobs.length === 0 ? 'There are no jobs.' : table(rows, columns)
  const isElsewhere = timeZone !== machineTimeZone()
  return { value: jobs, text, notes: [...problems, ...(isElsewhere ? [`Times are in ${timeZone}.`] : [])] }
}

export async function removeJob(schedule: Schedule, id: string): Promise<Answer> {
  await schedule.remove(id)
  return { value: { id, removed: true }, text: `Job ${id} is gone.` }
}

/** What came of a job that somebody wanted now, and waited for. */
export function ranJob(id: string, done: ManualRun): Answer {
  if ('busy' in done) {
    const { id: run, owner } = done.busy
    const text = `Job ${id} runs already (process ${owner.pid}). Its answer is told where it was begun.`
    return { value: { id, status: 'busy', run, pid: owner.pid }, text, failed: true }
  }
  const { run, ending, result } = done
  const value = { id, run, ...ending, ...(result && { session: result.session, text: result.text }) }
  if ('error' in ending) return { value, text: `Job ${id} ${ending.status}: ${ending.error}`, failed: true }
  return { value, text: result?.text ?? '' }
}

/** The id that a beginning of it names, where it is the only one. */
export function jobIdOf(schedule: Schedule, beginning: string | undefined): string {
  if (beginning === undefined || beginning === '')
    throw new ReverieError('The id of a job is missing; `cron list` shows them.')
  const meant = schedule.list().jobs.filter(({ id }) => id.startsWith(beginning))
  const [only] = meant
  return only !== undefined && meant.length === 1 ? only.id : beginning
}

function rowOf(job: ListedJob, timeZone: string): string[] {
  const moment = (at: string) => sayWall(new Date(at), timeZone)
  const { id, cron, prompt, nextAt, missed, durable, madeBy, expiresAt } = job
  const none = missed ? 'missed' : job.recurring ? 'not again' : 'runs now'
  const next = nextAt === null ? none : moment(nextAt)
  const about = [
    ...(durable ? [] : ['not kept']),
    ...(madeBy === 'agent' ? ['made by the agent'] : []),
    ...(expiresAt === null ? [] : [`ends ${moment(expiresAt)}`]),
  ]
  const note = about.length > 0 ? ` (${about.join(', ')})` : ''
  return [id, next, job.recurring ? cron : 'once', `${printable(prompt).replaceAll(/\s+/g, ' ')}${note}`]
}

/** In the zone that the job goes by, which need not be the machine's. */
function nextOf({ nextAt }: ListedJob, { timeZone }: Schedule): string {
  return nextAt === null ? '' : sayMoment(new Date(nextAt), timeZone)
}
