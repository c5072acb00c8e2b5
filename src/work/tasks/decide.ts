/** What may be done with a task: functions of tasks, without files, locks or time. */
import type { Refusal } from './errors.ts'
import type { Task, TaskOwner } from './task.ts'

/** What is known of a task by its number. A file that cannot be read is there all the same: it still blocks. */
export type Lookup = (id: number) => Task | 'missing' | 'malformed'

/** The tasks that have to be completed before this one can begin. What was deleted blocks nobody. */
function openBlockers(task: Task, look: Lookup): number[] {
  return task.blockedBy.filter(id => {
    const found = look(id)
    return found === 'malformed' || (found !== 'missing' && found.status !== 'completed')
  })
}

/** Whether anybody could begin it now. */
export function isReady(task: Task, look: Lookup): boolean {
  return task.status === 'pending' && openBlockers(task, look).length === 0
}

/** The circle that would close if `id` waited for `blocker`, beginning and ending with `id`. */
export function cycleThrough(id: number, blocker: number, look: Lookup): number[] | undefined {
  const way = new Map<number, number>([[blocker, id]])
  // Breadth first, so that the shortest circle is named.
  for (const at of way.keys()) {
    if (at === id) return circle(id, way)
    const task = look(at)
    if (typeof task === 'string') continue
    for (const next of task.blockedBy) if (!way.has(next)) way.set(next, at)
  }
  return undefined
}

function circle(id: number, way: ReadonlyMap<number, number>): number[] {
  const path = [id]
  for (let at = way.get(id) ?? id; at !== id; at = way.get(at) ?? id) path.unshift(at)
  return [id, ...path]
}

/** A circle that tasks make already, as only a file that was edited by hand can say it; the one with the lowest id. */
export function circleAmong(tasks: readonly Task[]): number[] | undefined {
  const open = tasks.filter(({ status }) => status !== 'completed')
  const left = new Map(open.map(task => [task.id, task.blockedBy]))
  const waiting = new Map<number, number>()
  const dependents = new Map<number, number[]>()
  for (const [id, blockedBy] of left) {
    const there = [...new Set(blockedBy)].filter(other => left.has(other))
    waiting.set(id, there.length)
    for (const other of there) dependents.set(other, [...(dependents.get(other) ?? []), id])
  }
  // Whatever could be done one after the other is taken away; what is left waits for itself, or for what does.
  const free = [...left.keys()].filter(id => waiting.get(id) === 0)
  for (const id of free) {
    left.delete(id)
    for (const other of dependents.get(id) ?? []) {
      waiting.set(other, (waiting.get(other) ?? 0) - 1)
      if (waiting.get(other) === 0) free.push(other)
    }
  }
  const path: number[] = []
  for (let at = Math.min(...left.keys()); left.size > 0; ) {
    const seen = path.indexOf(at)
    path.push(at)
    if (seen >= 0) return path.slice(seen)
    at = left.get(at)?.find(other => left.has(other)) ?? at
  }
  return undefined
}

export interface ClaimQuestion {
  task: Task | 'missing'
  owner: TaskOwner
  look: Lookup
  /** What the owner has already, where only one at a time is wanted. */
  others: readonly Task[]
}

export type ClaimAnswer = { claimed: true; task: Task } | { claimed: false; reason: Refusal; message: string }

/** Whether an owner gets a task. Whoever has it already is told so, and loses nothing. */
export function decideClaim(id: number, { task, owner, look, others }: ClaimQuestion): ClaimAnswer {
  if (task === 'missing') return refuse('not_found', `There is no task ${id}.`)
  if (task.status === 'completed') return refuse('already_resolved', `Task ${id} is completed already.`)
  if (task.status === 'in_progress')
    return refuse('already_claimed', `Task ${id} is being done by ${task.owner ?? 'somebody'}.`)
  const blockers = openBlockers(task, look)
  if (blockers.length > 0)
    return refuse('blocked', `Task ${id} has to wait for ${named(blockers)} to be completed.`)
  const [other] = others
  if (other) return refuse('busy', `${owner.name} is still doing task ${other.id}: ${other.subject}`)
  return { claimed: true, task: owned(task, owner) }
}

function refuse(reason: Refusal, message: string): ClaimAnswer {
  return { claimed: false, reason, message }
}

export type CompleteAnswer =
  | { completed: true; task: Task; unblocked: number[] }
  | { completed: false; reason: Refusal; message: string }

/**
 * Whether a task may be called done, and who can begin because of it. Nobody has to have claimed it; whoever says
 * who they are cannot complete what another is doing.
 */
export function decideCompletion(
  task: Task,
  owner: TaskOwner | undefined,
  look: Lookup,
  dependents: readonly Task[],
): CompleteAnswer {
  const { id } = task
  if (task.status === 'completed')
    return { completed: false, reason: 'already_resolved', message: `Task ${id} is completed already.` }
  if (owner && task.status === 'in_progress' && task.owner !== owner.name)
    return {
      completed: false,
      reason: 'already_claimed',
      message: `Task ${id} is being done by ${task.owner}, not by ${owner.name}.`,
    }
  const blockers = openBlockers(task, look)
  if (blockers.length > 0)
    return {
      completed: false,
      reason: 'blocked',
      message: `Task ${id} has to wait for ${named(blockers)} to be completed.`,
    }
  const { process: _, ...rest } = task
  const done: Task = { ...rest, owner: task.owner ?? owner?.name ?? null, status: 'completed' }
  const after: Lookup = other => (other === id ? done : look(other))
  const unblocked = dependents.filter(each => isReady(each, after)).map(each => each.id)
  return { completed: true, task: done, unblocked }
}

function owned(task: Task, { name, process }: TaskOwner): Task {
  const { process: _, ...rest } = task
  return { ...rest, owner: name, status: 'in_progress', ...(process && { process }) }
}

/** Nobody's again. */
export function freed(task: Task): Task {
  const { process: _, ...rest } = task
  return { ...rest, owner: null, status: 'pending' }
}

/** A task whose process has ended is nobody's; a task of a named owner stays theirs. */
export function asFound(task: Task, isGone: (process: NonNullable<Task['process']>) => boolean): Task {
  return task.status === 'in_progress' && task.process && isGone(task.process) ? freed(task) : task
}

/** `2`, `2 and 3`, `2, 3 and 4`, each with the word. */
function named(ids: readonly number[]): string {
  const last = ids.at(-1)
  return ids.length === 1 ? `task ${last}` : `tasks ${ids.slice(0, -1).join(', ')} and ${last}`
}
