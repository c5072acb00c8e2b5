import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Home, Project } from '../../config/index.ts'
import { ownIdentity, type ProcessIdentity } from '../../store/index.ts'
import { LiveTask, type Work } from './live-task.ts'
import { readOutput, type TaskOutput } from './output.ts'
import { NoSuchTask, TaskRecords } from './records.ts'
import { StopRequests } from './stop-requests.ts'
import {
  type BackgroundKind,
  type BackgroundTask,
  isFinal,
  type TaskEnd,
  type TaskQuestion,
  toBegin,
} from './task.ts'

export interface BackgroundOptions {
  /** Of the project's records. */
  directory: string
  /** The conversation that all of it belongs to. */
  session?: string
  /** How many of a kind run at the same time; others are queued. */
  most?: Partial<Record<BackgroundKind, number>>
  now?: () => Date
  identity?: ProcessIdentity
}

/** Dreams change the same files, one after the other. Helpers are counted where they are called (4-agent.md). */
const MOST: Partial<Record<BackgroundKind, number>> = { dream: 1 }
/** Tasks that have ended are remembered here up to so many; more are on the disk. */
const ENDED_KEPT = 100
/** How long the end of everything waits for work that does not heed its signal. */
const CLEANING_TAKES_MS = 15_000
const PREFIX: Record<BackgroundKind, string> = { command: 'sh', agent: 'ag', dream: 'dr' }

/**
 * All that one conversation runs in the background: commands, helpers and dreams, with one lifecycle. None of it keeps
 * the process alive. Each has a record on the disk, where other processes see it and can ask for its end.
 */
export class BackgroundTasks implements AsyncDisposable {
  readonly #records: TaskRecords
  #session: string | undefined
  #most: Partial<Record<BackgroundKind, number>>
  #now: () => Date
  #identity: ProcessIdentity
  #tasks = new Map<string, LiveTask>()
  #onEnd = new Set<(end: TaskEnd) => void>()
  #onQuestion = new Set<(question: TaskQuestion) => void>()
  #onChange = new Set<(task: BackgroundTask) => void>()
  #stopRequests: StopRequests
  #watchesExit = false
  #closed = false

  constructor({
    directory,
    session,
    most = MOST,
    now = () => new Date(),
    identity = ownIdentity(),
  }: BackgroundOptions) {
    this.#records = new TaskRecords(directory)
    this.#session = session
    this.#most = most
    this.#now = now
    this.#identity = identity
    this.#stopRequests = new StopRequests(this.#records, id => this.#stopHere(id))
  }

  /** Begins it at once, or when there is room for one more of its kind. */
  start(work: Work): LiveTask {
    const id = work.id ?? newTaskId(work.kind)
    const { kind, title, by } = work
    const task: BackgroundTask = {
      id,
      kind,
      title,
      status: 'queued',
      ...(this.#session !== undefined && { session: this.#session }),
      ...(by !== undefined && { by }),
      owner: this.#identity,
      createdAt: this.#now().toISOString(),
      outputFile: work.outputFile ?? this.#records.outputPath(id),
    }
    const live = new LiveTask(task, work, {
      records: this.#records,
      now: this.#now,
      onChange: changed => {
        for (const tell of this.#onChange) tell(changed)
      },
      onQuestion: question => {
        for (const tell of this.#onQuestion) tell(question)
      },
      onEnd: (end, isNews) => this.#ended(live, end, isNews),
    })
    if (!this.#watchesExit) process.on('exit', this.#atExit)
    this.#watchesExit = true
    this.#tasks.set(id, live)
    this.#forgetOldest()
    // Came too late: it never begins, and whoever waits for it hears so.
    if (this.#closed) live.cancel('the conversation ended')
    else this.#stopRequests.listen()
    this.#beginNext()
    return live
  }

  /** Those of this process, in the order of their start. */
  list(): BackgroundTask[] {
    return [...this.#tasks.values()].map(({ task }) => task)
  }

  /** The same, after those that earlier processes have run for this conversation. */
  async all(): Promise<BackgroundTask[]> {
    const recorded = (await this.#records.list()).filter(
      ({ id, session }) => session !== undefined && session === this.#session && !this.#tasks.has(id),
    )
    return [...recorded, ...this.list()]
  }

  async get(id: string): Promise<BackgroundTask> {
    const here = this.#tasks.get(id)
    if (here) return here.task
    const all = await this.all()
    const found = all.find(task => task.id === id)
    if (found) return found
    const ids = all.map(task => task.id)
    const there = ids.length > 0 ? `There are: ${ids.join(', ')}.` : 'Nothing was started in the background.'
    throw new NoSuchTask(`There is no background task "${id}". ${there}`)
  }

  /** What a task has said: from a place in the file on, or without one its last part. */
  async read(id: string, from?: number): Promise<TaskOutput> {
    const { outputFile, status } = await this.get(id)
    return readOutput(outputFile, { from, growing: !isFinal(status) })
  }

  /** Ends a task; that it is cancelled is final at once. Returns when it has cleaned up. */
  async stop(id: string): Promise<BackgroundTask> {
    const here = this.#tasks.get(id)
    if (!here) return this.#records.stopElsewhere((await this.get(id)).id)
    here.cancel('it was stopped')
    await here.gone
    return here.task
  }

  /** Calls back once for each task that ends with news. Returns what takes the callback away. */
  onEnd(callback: (end: TaskEnd) => void): () => void {
    return listen(this.#onEnd, callback)
  }

  /** Calls back when a task begins to wait for an answer. */
  onQuestion(callback: (question: TaskQuestion) => void): () => void {
    return listen(this.#onQuestion, callback)
  }

  /** Calls back for every change of any task. */
  onChange(callback: (task: BackgroundTask) => void): () => void {
    return listen(this.#onChange, callback)
  }

  /**
   * Marks what processes that are gone have left, and drops the oldest records; to be called at a start. Returns those
   * of this conversation that were lost, once, whoever has marked them.
   */
  async recover(): Promise<BackgroundTask[]> {
    await this.#records.recover(this.#now())
    return this.#session === undefined ? [] : this.#records.takeUntold(this.#session)
  }

  /** Ends what runs. To be awaited before this process ends. */
  async close(): Promise<void> {
    this.#closed = true
    const ending = [...this.#tasks.values()]
    for (const live of ending) live.cancel('the conversation ended')
    const cleaned = Promise.all(ending.map(({ gone }) => gone))
    await within(cleaned, CLEANING_TAKES_MS)
    await Promise.all(ending.map(({ recorded }) => recorded))
    await this.#stopRequests.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #ended(live: LiveTask, end: TaskEnd, isNews: boolean): void {
    if (isNews) for (const tell of this.#onEnd) tell(end)
    this.#beginNext()
    if (this.#someLive()) return
    void this.#stopRequests.close()
    // Whoever ends the process now is not to cut off what is being written.
    void live.recorded.finally(() => {
      if (this.#someLive()) return
      process.off('exit', this.#atExit)
      this.#watchesExit = false
    })
  }

  #beginNext(): void {
    for (const id of toBegin(this.list(), this.#most)) this.#tasks.get(id)?.begin()
  }

  #someLive(): boolean {
    return [...this.#tasks.values()].some(live => !live.isFinal)
  }

  #stopHere(id: string): boolean {
    const live = this.#tasks.get(id)
    live?.cancel('it was stopped')
    return live !== undefined
  }

  #atExit = (): void => {
    for (const live of this.#tasks.values()) {
      try {
        live.writeLast()
      } catch {
        // Nobody is left to be told; the next start finds that this process is gone.
      }
    }
  }

  #forgetOldest(): void {
    const ended = [...this.#tasks.values()].filter(live => live.isFinal)
    for (const { task } of ended.slice(0, -ENDED_KEPT)) this.#tasks.delete(task.id)
  }
}

/** Where the records of a project's background tasks are. */
export function backgroundDirectory(home: Home, { slug }: Pick<Project, 'slug'>): string {
  return join(home.projects, slug, 'background')
}

export function newTaskId(kind: BackgroundKind): string {
  return `${PREFIX[kind]}_${randomBytes(4).toString('hex')}`
}

function listen<T>(callbacks: Set<T>, callback: T): () => void {
  callbacks.add(callback)
  return () => callbacks.delete(callback)
}

async function within(work: Promise<unknown>, timeMs: number): Promise<void> {
  const enough = new AbortController()
  await Promise.race([work, sleep(timeMs, undefined, { signal: enough.signal }).catch(() => {})])
  enough.abort()
}
