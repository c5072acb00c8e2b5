import type { Command } from 'commander'
import { addJob, jobIdOf, listJobs, ranJob, removeJob } from '../surfaces/actions/schedule.ts'
import type { Answer } from '../surfaces/actions/tasks.ts'
import { printable } from '../surfaces/text/printable.ts'
import { BadSchedule, type SaidWhen, Schedule } from '../work/index.ts'
import { Invocation } from './invocation.ts'

const EXAMPLES = `
Examples:
  $ reverie cron add --cron "0 9 * * 1-5" --prompt "What is on today, from notes/plan.md?"
  $ reverie cron add --every 10m --prompt "Is the build green? Say so only if it is not."
  $ reverie cron add --in "20 minutes" --prompt "Remind me of the tea"
  $ reverie cron list
  $ reverie cron run 3f2a              now; the beginning of an id is enough

Jobs begin while \`reverie gateway\` or a conversation in the project runs.
`
const EXIT_USAGE = 2

interface AddFlags extends SaidWhen {
  prompt: string
  session?: boolean
}

export function define(command: Command): void {
  command.addHelpText('after', EXAMPLES)
  command
    .command('add')
    .description('make a job: a prompt that is answered when its time comes')
    .option('--cron <fields>', 'minute hour day month weekday')
    .option('--every <time>', 'again and again: 10m, "2 hours", "weekday at 9:00"')
    .option('--in <time>', 'once: "20 minutes"')
    .option(
      '--at <moment>',
      'once: 2026-05-01T09:00 or "tomorrow 9:00", in your time zone; 2026-05-01T07:00:00Z',
    )
    .requiredOption('--prompt <text>', 'what is to be done')
    .option('--session', 'only for as long as the process runs that begins jobs here now')
    .action(async ({ prompt, session = false, ...when }: AddFlags, self: Command) => {
      const { invocation, schedule } = await open(self)
      const livesWith = session ? await schedule.scheduler() : undefined
      if (session && !livesWith)
        self.error(
          'error: Nobody begins jobs here now, so a job with --session would never run. Start `reverie gateway` or a conversation first, or leave --session out.',
          { exitCode: EXIT_USAGE },
        )
      try {
        answer(invocation, await addJob(schedule, { ...when, prompt, durable: true, livesWith }))
      } catch (error) {
        if (!(error instanceof BadSchedule)) throw error
        self.error(`error: ${error.message}`, { exitCode: EXIT_USAGE })
      }
    })
  command
    .command('list')
    .description('the jobs of this project, by when each begins next')
    .action(async (_: unknown, self: Command) => {
      const { invocation, schedule } = await open(self)
      answer(invocation, listJobs(schedule))
    })
  command
    .command('remove <id>')
    .description('take a job away; a run of it that goes on now is not ended')
    .action(async (id: string, _: unknown, self: Command) => {
      const { invocation, schedule } = await open(self)
      answer(invocation, await removeJob(schedule, jobIdOf(schedule, id)))
    })
  command
    .command('run <id>')
    .description('answer a job now, also one that was missed')
    .action(async (id: string, _: unknown, self: Command) => {
      const invocation = new Invocation(self)
      answer(invocation, await runJob(invocation, id))
    })
}

async function open(self: Command) {
  const invocation = new Invocation(self)
  const { config } = await invocation.config()
  return { invocation, schedule: new Schedule(invocation.home, invocation.project, config.schedule) }
}

/** In this process, with nobody to ask, as when its time had come. */
async function runJob(invocation: Invocation, beginning: string): Promise<Answer> {
  const { home, project, env, flags } = invocation
  const { config } = await invocation.config()
  const { openConversation, Scheduling } = await import('../assembly/index.ts')
  const scheduling = new Scheduling(
    {
      home,
      project,
      env,
      open: openConversation,
      config: async () => config,
      withMemory: flags.memory,
      onNews: () => {}, // whoever asked for it reads the answer
    },
    config.schedule,
  )
  const id = jobIdOf(scheduling.schedule, beginning)
  const controller = new AbortController()
  const stop = () => controller.abort(new Error('it was interrupted'))
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  return ranJob(id, await scheduling.runNow(id, controller.signal))
}

function answer(invocation: Invocation, { value, text, failed = false, notes = [] }: Answer): void {
  for (const note of notes) invocation.output.message(note)
  if (failed) {
    invocation.fail()
    invocation.output.message(printable(text))
  }
  invocation.output.result(value, () => (failed ? '' : printable(text)))
}
