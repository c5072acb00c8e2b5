/** `/tasks`: all that `reverie tasks` does, in a conversation and with any model. */
import { ownValue, ReverieError } from '../../store/index.ts'
import { TASK_STATUSES, type TaskList } from '../../work/index.ts'
import {
  type Answer,
  claimTask,
  completeTask,
  createTask,
  deleteTask,
  getTask,
  listTasks,
  openTasks,
  readTaskId,
  readTaskIds,
  releaseTask,
  updateTask,
} from '../actions/tasks.ts'
import type { Completion, SlashCommand, SlashContext } from './command.ts'
import { readWords } from './words.ts'

const USAGE = '/tasks [create SUBJECT [--after 1,2] | get|claim|complete|release|update|delete ID]'

const OPTIONS = {
  subject: { type: 'string' },
  description: { type: 'string' },
  'active-form': { type: 'string' },
  after: { type: 'string', multiple: true },
  'blocked-by': { type: 'string', multiple: true },
  'add-blocked-by': { type: 'string', multiple: true },
  'remove-blocked-by': { type: 'string', multiple: true },
  'add-blocks': { type: 'string', multiple: true },
  'remove-blocks': { type: 'string', multiple: true },
  status: { type: 'string' },
  owner: { type: 'string' },
  list: { type: 'string' },
  ready: { type: 'boolean' },
  'one-at-a-time': { type: 'boolean' },
} as const

type Values = ReturnType<typeof readWords<typeof OPTIONS>>['values']

export const TASK_COMMANDS: readonly SlashCommand[] = [
  {
    name: 'tasks',
    meanwhile: true,
    usage: USAGE,
    summary: 'what is to be done, here and by other agents',
    complete: (argument, context) => completeTasks(argument, context),
    run: async (argument, context) => ({ text: await runTasksCommand(argument, context) }),
  },
]

async function completeTasks(argument: string, context: SlashContext): Promise<readonly Completion[]> {
  const [, action = ''] = /^(\S+)\s+/.exec(argument) ?? []
  if (action === '') return Object.keys(ACTIONS).map(value => ({ value }))
  if (action === 'list' || action === 'create') return []
  const { tasks } = await (await openTasks(context, { tell: context.tell })).list()
  return tasks.map(({ id, subject, status }) => ({
    value: `${action} ${id}`,
    note: `${status.replace('_', ' ')}: ${subject}`,
  }))
}

async function runTasksCommand(argument: string, context: SlashContext): Promise<string> {
  const { values, positionals } = readWords(argument, OPTIONS, USAGE)
  const [action = 'list', ...rest] = positionals
  const act = ownValue(ACTIONS, action)
  if (!act) throw new ReverieError(`/tasks does not know "${action}". It is used like this: ${USAGE}`)
  const { text, notes = [] } = await act(
    await openTasks(context, { list: values.list, tell: context.tell }),
    rest,
    values,
    context.columns,
  )
  return [...notes, text].join('\n')
}

const ACTIONS: Readonly<
  Record<
    string,
    (tasks: TaskList, words: readonly string[], values: Values, columns: number) => Promise<Answer>
  >
> = {
  list: (tasks, _, values, columns) => {
    const status = readStatus(values.status)
    return listTasks(tasks, { ...(status && { status }), ...(values.ready && { ready: true }), columns })
  },
  create: (tasks, words, values) =>
    createTask(tasks, {
      subject: values.subject ?? words.join(' '),
      ...texts(values),
      blockedBy: someIds(values['blocked-by'] ?? values.after) ?? [],
    }),
  get: (tasks, [id]) => getTask(tasks, idOf(id)),
  claim: (tasks, [id], values) =>
    claimTask(tasks, idOf(id), { owner: values.owner, oneAtATime: values['one-at-a-time'] }),
  complete: (tasks, [id], values) => completeTask(tasks, idOf(id), values.owner),
  release: (tasks, [id], values) => releaseTask(tasks, idOf(id), values.owner),
  update: (tasks, [id], values) => {
    return updateTask(
      tasks,
      idOf(id),
      {
        subject: values.subject,
        ...texts(values),
        status: readStatus(values.status),
        addBlockedBy: someIds(values['add-blocked-by'] ?? values['blocked-by'] ?? values.after),
        removeBlockedBy: someIds(values['remove-blocked-by']),
        addBlocks: someIds(values['add-blocks']),
        removeBlocks: someIds(values['remove-blocks']),
      },
      values.owner,
    )
  },
  delete: (tasks, [id]) => deleteTask(tasks, idOf(id)),
}

function texts({ description, 'active-form': activeForm }: Values) {
  return {
    ...(description !== undefined && { description }),
    ...(activeForm !== undefined && { activeForm }),
  }
}

/** What is said several times adds up. */
function someIds(texts: readonly string[] | undefined): number[] | undefined {
  return texts && readTaskIds(texts.join(' '))
}

function idOf(word: string | undefined): number {
  if (word === undefined) throw new ReverieError(`The number of a task is missing, as in /tasks get 1`)
  return readTaskId(word)
}

function readStatus(text: string | undefined) {
  const status = TASK_STATUSES.find(status => status === text)
  if (text !== undefined && !status)
    throw new ReverieError(`"${text}" is not a status: ${TASK_STATUSES.join(', ')}.`)
  return status
}
