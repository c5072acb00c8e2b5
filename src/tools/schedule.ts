import { z } from 'zod'
import { BadSchedule, type ListedJob, type Schedule } from '../work/index.ts'
import { defineTool, type Tool } from './tool.ts'

export interface ScheduleHands {
  schedule: Schedule
  /** Jobs begin in one that is attended; one that is a `run` answers a job. */
  conversation: 'attended' | 'unattended' | 'run'
}

/** What is to be done later, or again and again, by the agent. */
export function scheduleTools(hands: ScheduleHands): Tool[] {
  return [createTool(hands), listTool(hands), deleteTool(hands)]
}

function createTool({ schedule, conversation }: ScheduleHands): Tool {
  return defineTool({
    name: 'cron_create',
    description: `Makes a job: at its time the prompt is answered in a session of its own, with nobody there to ask, and the person is told the result. Say when by exactly one of cron, every, in and at; times are in ${schedule.timeZone}. The prompt has to say everything: that session knows nothing of this conversation. Jobs begin while a conversation in this project or \`reverie gateway\` is open. Recurring jobs that you make end by themselves; the result says when.`,
    input: z.object({
      cron: z.string().optional().describe('five fields: minute hour day month weekday, "0 9 * * 1-5"'),
      every: z.string().optional().describe('again and again: "10m", "2 hours", "weekday at 9:00"'),
      in: z.string().optional().describe('once: "20 minutes"'),
      at: z.string().optional().describe('once: "2026-05-01T09:00"'),
      prompt: z.string().min(1).describe('what is to be done, complete in itself'),
      durable: z
        .boolean()
        .optional()
        .describe('true unless told: kept in a file; false: it ends with this conversation'),
    }),
    async run({ durable = true, prompt, ...said }) {
      if (conversation === 'run')
        throw new BadSchedule(
          'A run of a job makes no jobs: they would multiply. Say in your last words what should be scheduled.',
        )
      if (conversation === 'unattended' && !durable)
        throw new BadSchedule(
          'No jobs begin in this conversation, so one that ends with it would never run. Make it durable.',
        )
      // Models fill in what they leave out.
      const when = Object.fromEntries(Object.entries(said).filter(([, text]) => text?.trim() !== ''))
      return say(shown(await schedule.add({ ...when, prompt, durable, madeBy: 'agent' })))
    },
  })
}

function listTool({ schedule }: ScheduleHands): Tool {
  return defineTool({
    name: 'cron_list',
    description: 'The jobs of this project, by when each starts next. A missed one waits for a decision.',
    input: z.object({}),
    readOnly: true,
    async run() {
      const { jobs, problems } = schedule.list()
      return say({ jobs: jobs.map(shown), ...(problems.length > 0 && { problems }) })
    },
  })
}

function deleteTool({ schedule }: ScheduleHands): Tool {
  return defineTool({
    name: 'cron_delete',
    description: 'Takes a job away for good. A run of it that goes on now is not ended.',
    input: z.object({ id: z.string().min(1) }),
    async run({ id }) {
      await schedule.remove(id)
      return say({ id, deleted: true })
    },
  })
}

function shown({ missed, ...job }: ListedJob) {
  return { ...job, ...(missed && { missed }) }
}

function say(value: unknown) {
  return { text: JSON.stringify(value) }
}
