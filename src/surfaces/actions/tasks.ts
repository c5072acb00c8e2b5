/** What can be done with tasks from the command line and, in the same words, in a conversation. */
import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { ReverieError } from '../../store/index.ts'
import {
  isTaskId,
  type ListedTask,
  NoSuchTask,
  type Task,
  type TaskChanges,
  TaskList,
  TaskRefused,
  type TaskStatus,
} from '../../work/index.ts'
import { printable } from '../text/printable.ts'
import { styled } from '../text/styled.ts'
import { table } from '../text/table.ts'
import type { Where } from './where.ts'

/** An answer for a program and for a person. */
export interface Answer {
  value: unknown
  text: string
  /** It did not work out, for a reason that is no mistake of whoever asked. */
  failed?: boolean
  /** What should be known besides. */
  notes?: readonly string[]
}

export interface TaskFlags {
  list?: string
  owner?: string
}

/** The tasks of this project, with the owner's hooks around them. */
export async function openTasks(
  where: Where,
  { list, tell }: { list?: string | undefined; tell(problem: string): void },
): Promise<TaskList> {
  const { home, project, env } = where
  const { config } = await where.config()
  const isHooked =
    config.hooks.some(({ on }) => on.startsWith('task.')) ||
    existsSync(join(project.root, '.reverie', 'hooks.json'))
  if (!isHooked) return new TaskList(home, project, { list })
  // The agent's room is only needed where somebody wants to hear of it.
  const { taskHooks } = await import('../../agent/index.ts')
  const told = await taskHooks({ home, project, config, env })
  return new TaskList(home, project, {
    list,
    onEvent: async event => {
      for (const problem of await told(event)) tell(problem)
    },
  })
}

export interface CreateFlags extends TaskFlags {
  subject: string
  description?: string
  activeForm?: string
  blockedBy?: readonly number[]
}

export async function createTask(tasks: TaskList, flags: CreateFlags): Promise<Answer> {
  const { subject, description, activeForm, blockedBy } = flags
  const { id } = await tasks.create({ subject, description, activeForm, blockedBy })
  const task = await tasks.get(id)
  const waits = task.ready ? '' : ` It waits for ${task.blockedBy.join(', ')}.`
  return { value: plain(task), text: `Task ${id}: ${printable(task.subject)}.${waits}` }
}

export async function listTasks(
  tasks: TaskList,
  { status, ready, columns }: { status?: TaskStatus; ready?: boolean; columns?: number } = {},
): Promise<Answer> {
  const { tasks: all, problems } = await tasks.list()
  const wanted = all.filter(
    task => (status === undefined || task.status === status) && (!ready || task.ready),
  )
  const notes = problems.map(({ file, problem }) => `${file} cannot be used: ${problem}.`)
  return { value: wanted.map(plain), text: printTasks(wanted, columns), notes }
}

export async function getTask(tasks: TaskList, id: number): Promise<Answer> {
  const task = await tasks.get(id)
  return { value: plain(task), text: printTask(task) }
}

export async function claimTask(
  tasks: TaskList,
  id: number,
  { owner, oneAtATime }: { owner?: string | undefined; oneAtATime?: boolean | undefined },
): Promise<Answer> {
  const name = owner ?? userInfo().username
  const answer = await tasks.claim(id, { name }, { oneAtATime })
  if (!answer.claimed)
    return {
      value: { id, claimed: false, reason: answer.reason, error: answer.message },
      text: answer.message,
      failed: true,
    }
  return { value: { claimed: true, ...plain(answer.task) }, text: `Task ${id} is ${name}'s.` }
}

export async function completeTask(tasks: TaskList, id: number, owner: string | undefined): Promise<Answer> {
  try {
    const { task, unblocked } = await tasks.complete(id, owner === undefined ? undefined : { name: owner })
    const now = unblocked.length === 0 ? '' : ` Ready now: ${unblocked.join(', ')}.`
    return { value: { ...plain(task), unblocked }, text: `Task ${id} is completed.${now}` }
  } catch (error) {
    const reason =
      error instanceof TaskRefused ? error.reason : error instanceof NoSuchTask ? 'not_found' : undefined
    if (!reason || !(error instanceof Error)) throw error
    return { value: { id, reason, error: error.message }, text: error.message, failed: true }
  }
}

export async function releaseTask(tasks: TaskList, id: number, owner: string | undefined): Promise<Answer> {
  const task = await tasks.release(id, owner === undefined ? undefined : { name: owner })
  return { value: plain(task), text: `Task ${id} is nobody's again.` }
}

export async function updateTask(
  tasks: TaskList,
  id: number,
  changes: TaskChanges,
  owner: string | undefined,
): Promise<Answer> {
  if ([owner, ...Object.values(changes)].every(value => value === undefined))
    throw new ReverieError(`Nothing was said that should change about task ${id}.`)
  // Whoever says only who does it, says that it is being done.
  const status = changes.status ?? (owner === undefined ? undefined : 'in_progress')
  const name = owner ?? (status === 'in_progress' ? userInfo().username : undefined)
  const { task, unblocked } = await tasks.update(
    id,
    { ...changes, status },
    name === undefined ? undefined : { name },
  )
  return { value: { ...plain(task), unblocked }, text: `Task ${id} was changed.\n${printTask(task)}` }
}

export async function deleteTask(tasks: TaskList, id: number): Promise<Answer> {
  await tasks.delete(id)
  return { value: { id, deleted: true }, text: `Task ${id} was deleted.` }
}

/** A task's number, as somebody typed it. */
export function readTaskId(text: string): number {
  const id = /^#?\d+$/.test(text) ? Number(text.replace('#', '')) : 0
  if (!isTaskId(id)) throw new ReverieError(`${JSON.stringify(text)} is not the number of a task.`)
  return id
}

/** Numbers of tasks: `1,2` or `1 2`. */
export function readTaskIds(text: string): number[] {
  return text
    .split(/[,\s]+/)
    .filter(part => part !== '')
    .map(readTaskId)
}

/** Which process it is that has a task is nobody's business. */
function plain<T extends Task>({ process: _, ...task }: T): Omit<T, 'process'> {
  return task
}

function printTasks(tasks: readonly ListedTask[], columns?: number): string {
  if (tasks.length === 0) return 'There are no tasks. `reverie tasks create --subject "…"` makes one.'
  const rows = tasks.map(({ id, status, ready, owner, blockedBy, subject }) => [
    String(id),
    status === 'pending' ? (ready ? 'ready' : 'waiting') : status.replace('_', ' '),
    printable(owner ?? ''),
    status === 'pending' && !ready ? blockedBy.join(',') : '',
    printable(subject),
  ])
  return table([['ID', 'STATUS', 'OWNER', 'AFTER', 'SUBJECT'], ...rows], columns)
}

function printTask(task: Task): string {
  const facts = [
    task.status.replace('_', ' '),
    task.owner && `by ${task.owner}`,
    task.blockedBy.length > 0 && `after ${task.blockedBy.join(', ')}`,
    task.blocks.length > 0 && `before ${task.blocks.join(', ')}`,
  ].filter(Boolean)
  const metadata = Object.keys(task.metadata).length > 0 ? `\n${JSON.stringify(task.metadata)}` : ''
  const description = task.description ? `\n${task.description}` : ''
  return `${styled('bold', printable(`${task.id}. ${task.subject}`))}  ${styled('dim', printable(facts.join(' · ')))}${printable(description + metadata)}`
}
