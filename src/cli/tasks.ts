import { type Command, InvalidArgumentError, Option } from 'commander'
import { ReverieError } from '../store/index.ts'
import {
  type Answer,
  type CreateFlags,
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
  type TaskFlags,
  updateTask,
} from '../surfaces/actions/tasks.ts'
import { TASK_STATUSES, type TaskChanges, type TaskList } from '../work/index.ts'
import { Invocation } from './invocation.ts'

const EXAMPLES = `
Examples:
  $ reverie tasks create --subject "Write the parser"
  $ reverie tasks create --subject "Test the parser" --blocked-by 1
  $ reverie tasks list --ready
  $ reverie tasks claim 1 --owner ann          exactly one of all who want it gets it
  $ reverie tasks complete 1                   tells what can begin now
`

export function define(command: Command): void {
  command.addHelpText('after', EXAMPLES)
  defineCreate(command)
  command
    .command('list')
    .description('the tasks of this project')
    .addOption(new Option('--status <status>', 'only these').choices(TASK_STATUSES))
    .option('--ready', 'only those that could be begun now')
    .addOption(listOption())
    .action((flags: TaskFlags & Parameters<typeof listTasks>[1], self: Command) =>
      answer(self, flags, tasks => listTasks(tasks, flags)),
    )
  const one = (name: string, description: string) =>
    command
      .command(name)
      .description(description)
      .argument('<id>', 'its number', taskId)
      .addOption(listOption())
  one('get', 'all that is known of a task').action((id: number, flags: TaskFlags, self: Command) =>
    answer(self, flags, tasks => getTask(tasks, id)),
  )
  one('claim', 'take a task; exactly one of all who want it gets it')
    .option('--owner <name>', 'for whom (default: you)')
    .option('--one-at-a-time', 'not while the owner is doing another one')
    .action((id: number, flags: TaskFlags & { oneAtATime?: boolean }, self: Command) =>
      answer(self, flags, tasks => claimTask(tasks, id, flags)),
    )
  one('complete', 'say that a task is done; tells what can begin now')
    .option('--owner <name>', 'who did it; refused if another is doing it')
    .action((id: number, flags: TaskFlags, self: Command) =>
      answer(self, flags, tasks => completeTask(tasks, id, flags.owner)),
    )
  one('release', 'give a task back that was claimed')
    .option('--owner <name>', "only if it is this owner's")
    .action((id: number, flags: TaskFlags, self: Command) =>
      answer(self, flags, tasks => releaseTask(tasks, id, flags.owner)),
    )
  defineUpdate(one('update', 'change what is said of a task'))
  one('delete', 'take a task away, and every mention of it').action(
    (id: number, flags: TaskFlags, self: Command) => answer(self, flags, tasks => deleteTask(tasks, id)),
  )
}

function defineCreate(command: Command): void {
  command
    .command('create')
    .description('write down something that is to be done')
    .requiredOption('--subject <text>', 'what, in a few words')
    .option('--description <text>', 'what somebody has to know to do it')
    .option('--active-form <text>', 'how to say that it is being done')
    .option('--blocked-by <ids>', 'tasks that have to be completed first: 1,2', ids)
    .addOption(listOption())
    .action((flags: CreateFlags, self: Command) => answer(self, flags, tasks => createTask(tasks, flags)))
}

function defineUpdate(command: Command): void {
  command
    .option('--subject <text>')
    .option('--description <text>')
    .option('--active-form <text>')
    .addOption(
      new Option('--status <status>', 'pending gives it back, or opens it again').choices(TASK_STATUSES),
    )
    .option('--owner <name>', 'who is doing it')
    .option('--add-blocked-by <ids>', 'it has to wait for these', ids)
    .option('--remove-blocked-by <ids>', 'it need not wait for these', ids)
    .option('--add-blocks <ids>', 'these have to wait for it', ids)
    .option('--remove-blocks <ids>', 'these need not wait for it', ids)
    .option('--metadata <json>', 'merged with what is there; null removes a key', json)
    .action((id: number, { list, owner, ...changes }: TaskFlags & TaskChanges, self: Command) =>
      answer(self, { ...(list !== undefined && { list }) }, tasks => updateTask(tasks, id, changes, owner)),
    )
}

function listOption(): Option {
  return new Option('--list <name>', 'which list').default(undefined, 'default')
}

async function answer(
  self: Command,
  { list }: TaskFlags,
  act: (tasks: TaskList) => Promise<Answer>,
): Promise<void> {
  const invocation = new Invocation(self)
  const {
    value,
    text,
    failed,
    notes = [],
  } = await act(await openTasks(invocation, { list, tell: problem => invocation.output.message(problem) }))
  for (const note of notes) invocation.output.message(note)
  if (failed) invocation.fail()
  if (failed) invocation.output.message(text)
  invocation.output.result(value, () => (failed ? '' : text))
}

/** A flag that is given several times adds to what it said before. */
function ids(text: string, before: readonly number[] = []): number[] {
  return [...before, ...asUsage(() => readTaskIds(text))]
}

function taskId(text: string): number {
  return asUsage(() => readTaskId(text))
}

/** What cannot be a number is wrong usage. */
function asUsage<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new InvalidArgumentError(error instanceof ReverieError ? error.message : '')
  }
}

function json(text: string): Record<string, unknown> {
  try {
    const found: unknown = JSON.parse(text)
    if (typeof found === 'object' && found !== null && !Array.isArray(found))
      return found as Record<string, unknown>
  } catch {
    // Told below.
  }
  throw new InvalidArgumentError('It should be a JSON object such as {"branch": "main"}.')
}
