import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Home, prepareHome } from '../../config/index.ts'
import {
  fileNameProblem,
  type Liveness,
  LockBusy,
  livenessOf,
  type ProcessIdentity,
  systemCode,
  withLock,
} from '../../store/index.ts'
import { checkedDraft, checkedFields, checkOwner, mergedMetadata } from './check.ts'
import { type ClaimAnswer, decideClaim, decideCompletion, freed } from './decide.ts'
import { BadTask, NoSuchTask, TaskRefused, TasksBusy } from './errors.ts'
import type { TaskEvent, TaskEventName } from './events.ts'
import { type DependencyChanges, link, without } from './link.ts'
import {
  HIGHEST_ID,
  type ListedTask,
  type Task,
  type TaskDraft,
  type TaskOwner,
  type TaskStatus,
} from './task.ts'
import { type TaskChange, TaskFiles, type TaskProblem } from './task-files.ts'
import { TaskView } from './task-view.ts'

export interface TaskListOptions {
  list?: string | undefined
  /** Told after the list was let go, so that it may do anything, also with tasks. It must not throw. */
  onEvent?: ((event: TaskEvent) => void | Promise<void>) | undefined
  liveness?: (process: ProcessIdentity) => Liveness
  /** How long others are waited for. */
  waitMs?: number
  /** The line that changes of this process wait in, where it makes many at once: they do not ask for the lock in vain. */
  inTurn?: (<T>(change: () => Promise<T>) => Promise<T>) | undefined
}

export interface TaskChanges extends DependencyChanges {
  subject?: string | undefined
  description?: string | undefined
  activeForm?: string | undefined
  /** `in_progress` claims it, `completed` completes it, `pending` releases or reopens it. */
  status?: TaskStatus | undefined
  /** Merged with what is there; null removes a key. */
  metadata?: Readonly<Record<string, unknown>> | undefined
}

const DEFAULT_LIST = 'default'
/** How long to wait for others before giving up: ten and more agents get through (5-work.md). */
const WAIT_MS = 2_600

/** One list of tasks, shared by every process that works on the project. */
export class TaskList {
  readonly name: string
  readonly directory: string
  #home: Home
  #files: TaskFiles
  #lock: string
  #options: TaskListOptions

  constructor(home: Home, { slug }: { slug: string }, options: TaskListOptions = {}) {
    this.name = options.list ?? DEFAULT_LIST
    const problem = nameProblem(this.name)
    if (problem) throw new BadTask(`${JSON.stringify(this.name)} cannot be the name of a list: ${problem}.`)
    this.#home = home
    this.#options = options
    this.directory = join(listsDirectory(home, slug), this.name)
    this.#files = new TaskFiles(this.directory)
    this.#lock = join(home.projects, slug, 'locks', `tasks-${this.name}`)
  }

  async create(draft: TaskDraft): Promise<Task> {
    const fields = checkedDraft(draft)
    const task = await this.#change(view => {
      const id = this.#files.highest() + 1
      if (id > HIGHEST_ID)
        throw new BadTask('This list has no number left for another task. Begin a new list.')
      // Before it is there itself, so that its own number to come is told as one that is not there.
      for (const other of draft.blockedBy ?? []) view.existing(other)
      const made: Task = { id, ...fields, owner: null, status: 'pending', blocks: [], blockedBy: [] }
      const changed = new Map([[id, made]])
      link(id, { addBlockedBy: draft.blockedBy }, changed, other => view.existing(other))
      return { changed, result: changed.get(id) ?? made }
    })
    await this.#tell('task.created', task)
    return task
  }

  async get(id: number): Promise<ListedTask> {
    await this.#finishOthers()
    const view = this.#view()
    const task = view.existing(id)
    await this.#writeDownOrphans(view.orphans([id]))
    return view.listed(
      task,
      view.dependents(task).map(each => each.id),
    )
  }

  /** All tasks, and the files that cannot be used. */
  async list(): Promise<{ tasks: ListedTask[]; problems: TaskProblem[] }> {
    await this.#finishOthers()
    const view = this.#view()
    const tasks = view.tasks()
    const dependents = new Map<number, number[]>(tasks.map(({ id }) => [id, []]))
    for (const { id, blockedBy } of tasks) for (const blocker of blockedBy) dependents.get(blocker)?.push(id)
    await this.#writeDownOrphans(view.orphans(tasks.map(({ id }) => id)))
    return {
      tasks: tasks.map(task => view.listed(task, dependents.get(task.id) ?? [])),
      problems: view.problems(),
    }
  }

  /** Exactly one of all who want it gets it. */
  async claim(
    id: number,
    owner: TaskOwner,
    { oneAtATime = false }: { oneAtATime?: boolean | undefined } = {},
  ): Promise<ClaimAnswer> {
    checkOwner(owner)
    const answer = await this.#change<ClaimAnswer>(view => {
      const task = view.look(id) === 'missing' ? 'missing' : view.existing(id)
      const others = oneAtATime ? view.heldBy(owner.name) : []
      const decided = decideClaim(id, { task, owner, look: view.look, others })
      return { changed: decided.claimed ? new Map([[id, decided.task]]) : new Map(), result: decided }
    })
    if (answer.claimed) await this.#tell('task.claimed', answer.task)
    return answer
  }

  /** Says that a task is done; tells which ones can begin now. Throws TaskRefused where it cannot be. */
  async complete(id: number, owner?: TaskOwner): Promise<{ task: Task; unblocked: readonly number[] }> {
    const { task, unblocked = [] } = await this.#update(id, { status: 'completed' }, owner)
    return { task, unblocked }
  }

  /** Gives a task back; with an owner, only what is that owner's. */
  async release(id: number, owner?: TaskOwner): Promise<Task> {
    const task = await this.#change(view => {
      const found = view.existing(id)
      if (found.status === 'completed')
        throw new TaskRefused(id, 'already_resolved', `Task ${id} is completed already.`)
      if (owner && found.status === 'in_progress' && found.owner !== owner.name)
        throw new TaskRefused(id, 'already_claimed', `Task ${id} is being done by ${found.owner}.`)
      return { changed: new Map([[id, freed(found)]]), result: freed(found) }
    })
    await this.#tell('task.released', task)
    return task
  }

  /** Changes what is said of a task. All of it is done, or nothing. */
  async update(
    id: number,
    changes: TaskChanges,
    owner?: TaskOwner,
  ): Promise<{ task: Task; unblocked: readonly number[] }> {
    // To ask for what is the case already is no mistake here; to complete a second time would be one.
    const { task, unblocked = [] } = await this.#update(id, changes, owner, true)
    return { task, unblocked }
  }

  /** Takes a task away, and every mention of it. Its number does not come back. */
  async delete(id: number): Promise<void> {
    const gone = await this.#change(view => {
      const task = view.look(id)
      if (task === 'missing') throw new NoSuchTask(id, this.name)
      const changed = new Map<number, Task | 'removed'>([[id, 'removed']])
      for (const other of view.tasks())
        if (other.id !== id && [...other.blocks, ...other.blockedBy].includes(id))
          changed.set(other.id, {
            ...other,
            blocks: without(other.blocks, id),
            blockedBy: without(other.blockedBy, id),
          })
      return { changed, result: task }
    })
    if (gone !== 'malformed') await this.#tell('task.deleted', gone)
  }

  /** Gives back what an owner who goes has not completed. */
  async releaseAll(owner: string): Promise<number[]> {
    const held = this.#view()
      .heldBy(owner)
      .map(({ id }) => id)
    for (const id of held) await this.release(id, { name: owner })
    return held
  }

  async #update(
    id: number,
    changes: TaskChanges,
    owner: TaskOwner | undefined,
    mayBeSo = false,
  ): Promise<Changed> {
    const fields = checkedFields(changes)
    if (owner) checkOwner(owner)
    const done = await this.#change<Changed>(view => {
      const before = view.existing(id)
      const metadata = mergedMetadata(before.metadata, changes.metadata)
      const changed = new Map<number, Task>([[id, { ...before, ...fields, metadata }]])
      link(id, changes, changed, other => view.existing(other))
      const task = changed.get(id) ?? before
      const isSo = mayBeSo && isAlready(before, changes.status, owner)
      const status = isSo ? undefined : changes.status
      const done = withStatus({ task, status, owner, view, changed })
      changed.set(id, done.task)
      return { changed, result: done }
    })
    if (done.event) await this.#tell(done.event, done.task, done.unblocked)
    return done
  }

  /** Reads, decides and writes with the list to itself. What `decide` throws leaves everything as it was. */
  async #change<T>(decide: (view: TaskView) => { changed: TaskChange; result: T }): Promise<T> {
    const { inTurn = change => change() } = this.#options
    return inTurn(() => this.#changeLocked(decide))
  }

  async #changeLocked<T>(decide: (view: TaskView) => { changed: TaskChange; result: T }): Promise<T> {
    await prepareHome(this.#home)
    try {
      return await withLock(
        this.#lock,
        async lock => {
          await this.#files.recover()
          const { changed, result } = decide(this.#view())
          if (changed.size > 0) {
            await lock.check()
            await this.#files.write(changed)
          }
          return result
        },
        { waitMs: this.#options.waitMs ?? WAIT_MS, note: 'changing tasks' },
      )
    } catch (error) {
      if (!(error instanceof LockBusy)) throw error
      throw new TasksBusy(
        `Process ${error.holder.pid} is changing the list "${this.name}". Nothing was changed; try again.`,
        { cause: error },
      )
    }
  }

  /** Half of a change is nobody's answer. Where it cannot be finished, it is read as it stands. */
  async #finishOthers(): Promise<void> {
    if (!this.#files.isUnfinished) return
    await this.#change(() => ({ changed: new Map(), result: undefined })).catch(() => {})
  }

  #view(): TaskView {
    const { liveness = livenessOf } = this.#options
    return new TaskView(this.#files, this.name, process => liveness(process) === 'dead')
  }

  /** That a dead process's tasks are nobody's shows in any case, so that being late to write it is no harm. */
  async #writeDownOrphans(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return
    const freed = await this.#change(view => {
      // Somebody may have been faster.
      const changed = new Map(view.orphans(ids).map(id => [id, view.existing(id)]))
      return { changed, result: [...changed.values()] }
    }).catch(() => []) // others are at it, or the disk is full
    for (const task of freed) await this.#tell('task.released', task)
  }

  async #tell(name: TaskEventName, task: Task, unblocked?: readonly number[]): Promise<void> {
    await this.#options.onEvent?.({ name, list: this.name, task, ...(unblocked && { unblocked }) })
  }
}

interface Changed {
  task: Task
  event?: TaskEventName
  unblocked?: readonly number[]
}

/** What another is doing is not so for whoever asks for it. */
function isAlready(task: Task, status: TaskStatus | undefined, owner: TaskOwner | undefined): boolean {
  if (task.status !== status) return false
  return status !== 'in_progress' || owner === undefined || task.owner === owner.name
}

interface StatusQuestion {
  task: Task
  status: TaskStatus | undefined
  owner: TaskOwner | undefined
  view: TaskView
  /** What else changes in the same moment. */
  changed: ReadonlyMap<number, Task>
}

/** The task with the status that is asked for; throws where it cannot have it. */
function withStatus({ task, status, owner, view, changed }: StatusQuestion): Changed {
  const look = (id: number) => changed.get(id) ?? view.look(id)
  const { id } = task
  if (status === undefined) return { task }
  if (status === 'pending') return { task: freed(task), event: 'task.released' }
  if (status === 'completed') {
    const waiting = view.dependents(task).map(each => changed.get(each.id) ?? each)
    const answer = decideCompletion(task, owner, look, waiting)
    if (!answer.completed) throw new TaskRefused(id, answer.reason, answer.message)
    return { task: answer.task, event: 'task.completed', unblocked: answer.unblocked }
  }
  if (!owner) throw new BadTask(`Task ${id} can only be in progress if somebody does it: name an owner.`)
  const claim = decideClaim(id, { task, owner, look, others: [] })
  if (!claim.claimed) throw new TaskRefused(id, claim.reason, claim.message)
  return { task: claim.task, event: 'task.claimed' }
}

/** The names of the lists that a project has. */
export function taskListNames(home: Home, { slug }: { slug: string }): string[] {
  try {
    return readdirSync(listsDirectory(home, slug)).filter(name => nameProblem(name) === undefined)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []
    throw error
  }
}

function listsDirectory(home: Home, slug: string): string {
  return join(home.projects, slug, 'tasks')
}

function nameProblem(name: string): string | undefined {
  return name.startsWith('.') ? 'it begins with a dot' : fileNameProblem(name)
}
