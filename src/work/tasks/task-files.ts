import { existsSync, readdirSync } from 'node:fs'
import { readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import {
  ANY_AGE,
  because,
  becauseOf,
  ensureDirectory,
  ReverieError,
  readSmallFile,
  sweepTemporaries,
  syncDirectory,
  systemCode,
  writeFileAtomic,
} from '../../store/index.ts'
import { circleText, HalfWritten } from './errors.ts'
import { isRecord, isTaskId, parseTask, type Task } from './task.ts'

/** A file that is there and cannot be used. */
export interface TaskProblem {
  file: string
  problem: string
}

/** What a change leaves of each task: its new content, or nothing. */
export type TaskChange = ReadonlyMap<number, Task | 'removed'>

const MARK = '.highwatermark'
/** What is being written, while it is more than one file: whoever comes after a crash finishes it. */
const UNFINISHED = '.unfinished'
const NAME = /^([1-9][0-9]{0,15})\.json$/

/** The files of one list. Whoever writes holds the list's lock. */
export class TaskFiles {
  readonly directory: string

  constructor(directory: string) {
    this.directory = directory
  }

  /** The numbers of all tasks there are, readable or not. */
  ids(): number[] {
    let names: string[]
    try {
      names = readdirSync(this.directory)
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return []
      throw error
    }
    const ids = names.map(name => Number(NAME.exec(name)?.[1] ?? 0)).filter(isTaskId)
    return ids.sort((a, b) => a - b)
  }

  read(id: number): Task | 'missing' | TaskProblem {
    const file = this.#pathOf(id)
    try {
      const text = readSmallFile(file)
      // What is not there can only be told from what is no plain file by asking again.
      if (text === undefined)
        return this.ids().includes(id)
          ? { file, problem: 'it is not a plain file of at most 1 MB' }
          : 'missing'
      const parsed = parseTask(id, text)
      return 'task' in parsed ? parsed.task : { file, problem: parsed.problem }
    } catch (error) {
      return systemCode(error) === 'ENOENT' ? 'missing' : { file, problem: because(error) }
    }
  }

  /** The highest number that was ever given to a task. */
  highest(): number {
    return Math.max(0, this.#mark() ?? 0, ...this.ids())
  }

  /** What is wrong with the mark, if anything is. */
  markProblem(): TaskProblem | undefined {
    return this.#mark() === undefined
      ? { file: join(this.directory, MARK), problem: 'it does not hold a number; deleted ids may come back' }
      : undefined
  }

  /** Somebody who edits files can write what no command would. */
  circleProblem(id: number, circle: readonly number[]): TaskProblem {
    return { file: this.#pathOf(id), problem: `it waits for itself: ${circleText(circle)}` }
  }

  /** Undefined when there is something that is no number. */
  #mark(): number | undefined {
    const text = readSmallFile(join(this.directory, MARK))
    if (text === undefined) return 0
    const mark = Number(text.trim())
    return isTaskId(mark) ? mark : undefined
  }

  /** A change to several files is going on, or was cut off. */
  get isUnfinished(): boolean {
    return existsSync(join(this.directory, UNFINISHED))
  }

  /** Finishes what somebody began and was killed in. To be called with the lock, before anything else. */
  async recover(): Promise<void> {
    const path = join(this.directory, UNFINISHED)
    if (!existsSync(path)) return
    // However large: it holds all the tasks that changed together.
    const text = await readFile(path, 'utf8')
    await sweepTemporaries(this.directory, { olderThanMs: ANY_AGE })
    const change = readChange(text)
    // It was written atomically; if it is unreadable somebody else wrote it, and it says nothing of ours.
    if (change) await this.#writeEach(change)
    await unlink(path)
    await syncDirectory(this.directory)
  }

  /** All of it happens, also when this process ends in the middle of it. */
  async write(change: TaskChange): Promise<void> {
    await ensureDirectory(this.directory)
    const highest = Math.max(this.highest(), ...change.keys())
    // Before the file comes that shows that the number is used: it may be deleted without asking us.
    if ((this.#mark() ?? 0) < highest) await writeFileAtomic(join(this.directory, MARK), `${highest}\n`)
    if (change.size < 2) return this.#writeEach(change)
    const path = join(this.directory, UNFINISHED)
    await writeFileAtomic(path, JSON.stringify([...change]))
    try {
      await this.#writeEach(change)
      await unlink(path)
      await syncDirectory(this.directory)
    } catch (error) {
      const ids = [...change.keys()].join(', ')
      throw new HalfWritten(
        `The change could not be written to its end (tasks ${ids}): ${becauseOf(error)}. What is missing follows with the next look at the list; do not ask for it again.`,
        { cause: error },
      )
    }
  }

  async #writeEach(change: TaskChange): Promise<void> {
    for (const [id, task] of change) {
      if (task === 'removed') {
        const path = this.#pathOf(id)
        await unlink(path).catch(error => {
          if (systemCode(error) === 'ENOENT') return
          throw new ReverieError(`${path} could not be removed: ${because(error)}.`, { cause: error })
        })
        await syncDirectory(this.directory)
      } else await writeFileAtomic(this.#pathOf(id), `${JSON.stringify(task, null, 2)}\n`)
    }
  }

  #pathOf(id: number): string {
    return join(this.directory, `${id}.json`)
  }
}

function readChange(text: string): TaskChange | undefined {
  try {
    const found: unknown = JSON.parse(text)
    if (!Array.isArray(found)) return undefined
    const change = new Map<number, Task | 'removed'>()
    for (const entry of found) {
      const [id, task] = Array.isArray(entry) ? (entry as unknown[]) : []
      if (!isTaskId(id)) return undefined
      const parsed = isRecord(task) ? parseTask(id, JSON.stringify(task)) : undefined
      if (task !== 'removed' && !(parsed && 'task' in parsed)) return undefined
      change.set(id, parsed && 'task' in parsed ? parsed.task : 'removed')
    }
    return change
  } catch {
    return undefined
  }
}
