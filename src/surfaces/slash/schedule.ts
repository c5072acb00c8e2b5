/** `/cron`: all that `reverie cron` does, in a conversation and with any model. */
import { ReverieError } from '../../store/index.ts'
import { BadSchedule, type SaidWhen, sayingOf } from '../../work/index.ts'
import { addJob, jobIdOf, listJobs, ranJob, removeJob } from '../actions/schedule.ts'
import type { Answer } from '../actions/tasks.ts'
import { printable } from '../text/printable.ts'
import type { Completion, SlashCommand, SlashContext } from './command.ts'
import { readWords } from './words.ts'

const USAGE = '/cron [add [--session] WHEN: PROMPT | remove|run ID]'
const EXAMPLE = '/cron add every 10m: is the build green?'

const OPTIONS = {
  cron: { type: 'string' },
  every: { type: 'string' },
  in: { type: 'string' },
  at: { type: 'string' },
  prompt: { type: 'string' },
  session: { type: 'boolean' },
} as const

export const SCHEDULE_COMMANDS: readonly SlashCommand[] = [
  {
    name: 'cron',
    meanwhile: true,
    usage: USAGE,
    summary: 'what is to be done later, or again and again',
    complete: (argument, context) => completeJobs(argument, context),
    run: async (argument, context) => ({ text: await runCronCommand(argument, context) }),
  },
]

async function completeJobs(argument: string, { jobs }: SlashContext): Promise<readonly Completion[]> {
  const [, action = ''] = /^(\S+)\s+/.exec(argument) ?? []
  if (action === '') return ['list', 'add', 'remove', 'run'].map(value => ({ value }))
  if (action !== 'remove' && action !== 'run') return []
  return jobs.scheduling.schedule
    .list()
    .jobs.map(({ id, cron, prompt }) => ({ value: `${action} ${id}`, note: `${cron}: ${prompt}` }))
}

async function runCronCommand(argument: string, { jobs, columns }: SlashContext): Promise<string> {
  const { schedule } = jobs.scheduling
  const [, action = 'list', rest = ''] = /^(\S+)\s*([\s\S]*)$/.exec(argument) ?? []
  const idIn = (text: string) => jobIdOf(schedule, text.trim())
  switch (action) {
    case 'list':
      return withNotes(listJobs(schedule, columns))
    case 'add': {
      const draft = draftIn(rest)
      if (!draft.durable && !jobs.isAttended)
        throw new BadSchedule(
          'This conversation ends with its answer, so a job that ends with it would never run. Leave --session out.',
        )
      return withNotes(await addJob(schedule, draft))
    }
    case 'remove':
      return withNotes(await removeJob(schedule, idIn(rest)))
    case 'run': {
      const id = idIn(rest)
      if (!jobs.isAttended) return textOf(ranJob(id, await jobs.run(id)))
      jobs.runSoon(id)
      return `Job ${id} begins now; what it comes to is told here.`
    }
    default:
      throw new ReverieError(`/cron does not know "${action}". It is used like this: ${USAGE}`)
  }
}

function draftIn(text: string): SaidWhen & { prompt: string; durable: boolean } {
  const [, session, said = ''] = /^(--session\s+)?([\s\S]*)$/.exec(text.trim()) ?? []
  if (!/(^|\s)--(cron|every|in|at|prompt)\b/.test(said)) {
    const [, when, prompt = ''] = /^(.+?):\s+([\s\S]+)$/.exec(said) ?? []
    if (when === undefined) throw new ReverieError(`Something is missing, as in ${EXAMPLE}`)
    return { ...sayingOf(when), prompt, durable: session === undefined }
  }
  const { values, positionals } = readWords(text, OPTIONS, USAGE)
  const { prompt = positionals.join(' '), session: isOfSession = false, ...when } = values
  return { ...when, prompt, durable: !isOfSession }
}

function textOf({ text, failed }: Answer): string {
  if (failed) throw new ReverieError(text)
  return printable(text)
}

function withNotes({ text, notes = [] }: { text: string; notes?: readonly string[] }): string {
  return [...notes, text].join('\n')
}
