import { z } from 'zod'
import type { Home } from '../config/index.ts'
import {
  NoSuchTask,
  type Task,
  type TaskEvent,
  TaskList,
  type TaskListOptions,
  type TaskOwner,
  TaskRefused,
} from '../work/index.ts'
import { defineTool, type Tool, type ToolContext } from './tool.ts'

export interface TaskHandsOptions {
  home: Home
  project: { slug: string }
  /** Who the agent is when it claims something. */
  owner(): TaskOwner
  /** Returns what the person should be told about it. */
  onEvent(event: TaskEvent): Promise<string[]>
  /** Where many ask at the same time in one process. */
  inTurn?: TaskListOptions['inTurn']
}

const id = z.int().min(1)
const ids = z.array(id).max(100)
const list = z.string().min(1).optional().describe('which list; "default" unless told')
const metadata = z.record(z.string(), z.json()).optional()

/** Tasks that outlive a conversation and that several agents share, for one agent. */
export class TaskHands {
  #options: TaskHandsOptions
  /** Lists that something was claimed from, so that it can be given back. */
  #claimedFrom = new Set<string | undefined>()

  constructor(options: TaskHandsOptions) {
    this.#options = options
  }

  tools(): Tool[] {
    return [this.#create(), this.#get(), this.#list(), this.#update(), this.#claim(), this.#complete()]
  }

  /** What was not completed is free for others, also when the process lives on. */
  async close(): Promise<void> {
    for (const name of this.#claimedFrom) await this.#open(name).releaseAll(this.#options.owner().name)
    this.#claimedFrom.clear()
  }

  #open(name: string | undefined, context?: Pick<ToolContext, 'progress'>): TaskList {
    const { home, project, onEvent, inTurn } = this.#options
    return new TaskList(home, project, {
      list: name,
      inTurn,
      onEvent: async event => {
        for (const problem of await onEvent(event)) context?.progress(problem)
      },
    })
  }

  #create(): Tool {
    return defineTool({
      name: 'task_create',
      description:
        'Writes down a task that outlives this conversation and that other agents can take. Use it for work of several steps that depend on each other, or that is to be shared; `todo` is enough for the steps of one answer.',
      input: z.object({
        subject: z.string().min(1).describe('what is to be done, in a few words: "Run the tests"'),
        description: z.string().optional().describe('what somebody who was not here needs to know to do it'),
        activeForm: z.string().optional().describe('how to say that it is being done: "Running the tests"'),
        blockedBy: ids.optional().describe('ids of tasks that have to be completed first'),
        metadata,
        list,
      }),
      run: async ({ list, ...draft }, context) => say(plain(await this.#open(list, context).create(draft))),
    })
  }

  #get(): Tool {
    return defineTool({
      name: 'task_get',
      description: 'All that is known of one task.',
      input: z.object({ id, list }),
      readOnly: true,
      run: async ({ id, list }, context) => say(plain(await this.#open(list, context).get(id))),
    })
  }

  #list(): Tool {
    return defineTool({
      name: 'task_list',
      description:
        'The tasks of this project in the order of their ids, without descriptions. `ready` ones can be claimed now.',
      input: z.object({
        status: z.enum(['pending', 'in_progress', 'completed']).optional().describe('only these'),
        list,
      }),
      readOnly: true,
      run: async ({ status, list }, context) => {
        const { tasks, problems } = await this.#open(list, context).list()
        const wanted = tasks.filter(task => status === undefined || task.status === status)
        const told = wanted.map(({ id, subject, status, owner, blockedBy, ready }) => {
          return { id, subject, status, owner, blockedBy, ready }
        })
        return say({ tasks: told, ...(problems.length > 0 && { problems }) })
      },
    })
  }

  #update(): Tool {
    return defineTool({
      name: 'task_update',
      description:
        'Changes a task: its words, what it waits for, its status. "pending" gives it back, "deleted" takes it away for good. Use task_claim and task_complete for work that is begun or done.',
      input: z.object({
        id,
        subject: z.string().min(1).optional(),
        description: z.string().optional(),
        activeForm: z.string().optional(),
        status: z.enum(['pending', 'in_progress', 'completed', 'deleted']).optional(),
        addBlockedBy: ids.optional().describe('it has to wait for these'),
        removeBlockedBy: ids.optional(),
        addBlocks: ids.optional().describe('these have to wait for it'),
        removeBlocks: ids.optional(),
        metadata: metadata.describe('merged with what is there; null removes a key'),
        list,
      }),
      run: async ({ id, list, status, ...changes }, context) => {
        const tasks = this.#open(list, context)
        if (status === 'deleted') {
          await tasks.delete(id)
          return say({ id, deleted: true })
        }
        if (status === 'in_progress') this.#claimedFrom.add(list)
        const { task, unblocked } = await tasks.update(id, { ...changes, status }, this.#options.owner())
        return say({ ...plain(task), unblocked })
      },
    })
  }

  #claim(): Tool {
    return defineTool({
      name: 'task_claim',
      description:
        'Takes a task before you begin it, so that nobody else does it too. If you do not get it, the reason says why: already_claimed, already_resolved, blocked, not_found or busy. It is given back when this conversation ends.',
      input: z.object({
        id,
        oneAtATime: z.boolean().optional().describe('refused as busy while you still do another one'),
        list,
      }),
      run: async ({ id, list, oneAtATime }, context) => {
        this.#claimedFrom.add(list)
        const answer = await this.#open(list, context).claim(id, this.#options.owner(), { oneAtATime })
        return say(answer.claimed ? { claimed: true, ...plain(answer.task) } : { id, ...answer })
      },
    })
  }

  #complete(): Tool {
    return defineTool({
      name: 'task_complete',
      description: 'Says that a task is done, and returns the ids of tasks that can begin because of it.',
      input: z.object({ id, list }),
      run: async ({ id, list }, context) => {
        try {
          const { task, unblocked } = await this.#open(list, context).complete(id, this.#options.owner())
          return say({ id, status: task.status, unblocked })
        } catch (error) {
          if (error instanceof TaskRefused)
            return say({ id, completed: false, reason: error.reason, message: error.message })
          if (error instanceof NoSuchTask)
            return say({ id, completed: false, reason: 'not_found', message: error.message })
          throw error
        }
      },
    })
  }
}

/** Which process it is that has a task is nobody's business. */
function plain<T extends Task>({ process: _, ...task }: T): Omit<T, 'process'> {
  return task
}

function say(value: unknown) {
  return { text: JSON.stringify(value) }
}
