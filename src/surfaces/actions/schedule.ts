/** What can be done with jobs from the command line and, in the same words, in a conversation. */
import { ReverieError } from '../../store/index.ts'
import type { JobDraft, ListedJob, SaidWhen, Schedule } from '../../work/index.ts'
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
  return { value: job, text: `Job ${job.id}: ${when} at ${moment(job.nextAt)}.`, notes }
}

export function listJobs(schedule: Schedule, columns?: number): Answer {
  const { jobs, problems } = schedule.list()
  const text = jobs.length === 0 ? 'There are no jobs.' : table(jobs.map(rowOf), columns)
  return { value: jobs, text, notes: problems }
}

export async function removeJob(schedule: Schedule, id: string): Promise<Answer> {
  await schedule.remove(id)
  return { value: { id, removed: true }, text: `Job ${id} is gone.` }
}

/** The id that a beginning of it names, where it is the only one. */
export function jobIdOf(schedule: Schedule, beginning: string | undefined): string {
  if (beginning === undefined || beginning === '')
    throw new ReverieError('The id of a job is missing; `cron list` shows them.')
  const meant = schedule.list().jobs.filter(({ id }) => id.startsWith(beginning))
  const [only] = meant
  return only !== undefined && meant.length === 1 ? only.id : beginning
}

function rowOf(job: ListedJob): string[] {
  const { id, cron, prompt, nextAt, missed, durable, madeBy, expiresAt } = job
  const next = missed ? 'missed' : nextAt === null ? 'runs now' : moment(nextAt)
  const about = [
    ...(durable ? [] : ['not kept']),
    ...(madeBy === 'agent' ? ['made by the agent'] : []),
    ...(expiresAt === null ? [] : [`ends ${moment(expiresAt)}`]),
  ]
  const note = about.length > 0 ? ` (${about.join(', ')})` : ''
  return [id, next, job.recurring ? cron : 'once', `${printable(prompt).replaceAll(/\s+/g, ' ')}${note}`]
}

/** Where the person is. */
function moment(at: string | null): string {
  return at === null ? '' : new Date(at).toLocaleString('sv').slice(0, 'YYYY-MM-DD HH:MM:SS'.length)
}
