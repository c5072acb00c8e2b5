import type { ProcessIdentity } from '../../store/index.ts'
import { asFound, circleAmong, isReady, type Lookup } from './decide.ts'
import { MalformedTask, NoSuchTask } from './errors.ts'
import type { ListedTask, Task } from './task.ts'
import type { TaskFiles, TaskProblem } from './task-files.ts'

/** A list as it is at one moment: each file is read once, when it is asked for. */
export class TaskView {
  #files: TaskFiles
  #list: string
  #isGone: (process: ProcessIdentity) => boolean
  #seen = new Map<number, { told: Task | 'missing' | TaskProblem; orphaned: boolean }>()

  constructor(files: TaskFiles, list: string, isGone: (process: ProcessIdentity) => boolean) {
    this.#files = files
    this.#list = list
    this.#isGone = isGone
  }

  readonly look: Lookup = id => {
    const { told } = this.#see(id)
    return told !== 'missing' && 'problem' in told ? 'malformed' : told
  }

  /** Throws where there is none, or none that can be read. */
  existing(id: number): Task {
    const { told } = this.#see(id)
    if (told === 'missing') throw new NoSuchTask(id, this.#list)
    if ('problem' in told)
      throw new MalformedTask(`Task ${id} cannot be read: ${told.problem}. Mend ${told.file}, or delete it.`)
    return told
  }

  /** Every task that can be read. */
  tasks(): Task[] {
    return this.#files.ids().flatMap(id => this.#readable(id))
  }

  problems(): TaskProblem[] {
    const mark = this.#files.markProblem()
    const unreadable = this.#files.ids().flatMap(id => {
      const { told } = this.#see(id)
      return told !== 'missing' && 'problem' in told ? [told] : []
    })
    const circle = circleAmong(this.tasks())
    const round = circle?.[0] === undefined ? [] : [this.#files.circleProblem(circle[0], circle)]
    return [...(mark ? [mark] : []), ...unreadable, ...round]
  }

  /** What an owner is doing. */
  heldBy(owner: string): Task[] {
    return this.tasks().filter(task => task.status === 'in_progress' && task.owner === owner)
  }

  /** Who waits for a task, as `blocks` says it; a mention that is not returned does not count. */
  dependents(task: Task): Task[] {
    return task.blocks
      .flatMap(other => this.#readable(other))
      .filter(({ blockedBy }) => blockedBy.includes(task.id))
  }

  /** Among these, the tasks that still stand in a file as those of a process that has ended. */
  orphans(ids: readonly number[]): number[] {
    return ids.filter(id => this.#see(id).orphaned)
  }

  listed(task: Task, blocks: readonly number[]): ListedTask {
    return { ...task, blocks, ready: isReady(task, this.look) }
  }

  #readable(id: number): Task[] {
    const found = this.look(id)
    return typeof found === 'string' ? [] : [found]
  }

  #see(id: number) {
    const known = this.#seen.get(id)
    if (known) return known
    const read = this.#files.read(id)
    const told = read === 'missing' || 'problem' in read ? read : asFound(read, this.#isGone)
    const seen = { told, orphaned: told !== read }
    this.#seen.set(id, seen)
    return seen
  }
}
