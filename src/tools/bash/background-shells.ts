import { open } from 'node:fs/promises'
import { ReverieError } from '../../store/index.ts'
import type { BackgroundTask, FinalStatus, TaskEnd, TaskQuestion } from './background-task.ts'
import { taskSummary } from './outcome.ts'
import { wholeCharacters } from './output-window.ts'
import type { Finish, RunningCommand } from './running-command.ts'

class NoSuchTask extends ReverieError {}

/** Tasks that have ended are remembered up to so many. */
const ENDED_KEPT = 100

/** What is read of a task's output at once, in bytes: it is for the model, and fits its limit. */
const READ_BYTES = 28_000

/** A part of a task's output. */
export interface TaskOutput {
  text: string
  /** Where in the file it begins, in bytes. */
  from: number
  /** Where to read on. */
  next: number
  /** Bytes in the file by now. */
  size: number
}

interface Entry {
  task: BackgroundTask
  command: RunningCommand
}

/** Owns the commands that run: those in the background by name, those in front only to end them. */
export class BackgroundShells {
  #entries = new Map<string, Entry>()
  #running = new Set<RunningCommand>()
  #onEnd = new Set<(end: TaskEnd) => void>()
  #onQuestion = new Set<(question: TaskQuestion) => void>()
  #atExit = () => {
    for (const command of this.#running) command.killNow()
  }

  /** From now on the command does not outlive this process. */
  own(command: RunningCommand): void {
    if (this.#running.size === 0) process.on('exit', this.#atExit)
    this.#running.add(command)
    void command.gone.finally(() => {
      this.#running.delete(command)
      if (this.#running.size === 0) process.off('exit', this.#atExit)
    })
  }

  /** Lets a command that is owned run in the background. It does not keep this process alive. */
  adopt(
    command: RunningCommand,
    { id, title, startedAt }: Pick<BackgroundTask, 'id' | 'title' | 'startedAt'>,
  ) {
    const outputFile = command.output.path
    const task: BackgroundTask = { id, title, startedAt, outputFile, status: 'running', exitCode: null }
    const entry: Entry = { task, command }
    this.#entries.set(id, entry)
    this.#forgetOldest()
    command.unref()
    command.onOutput = undefined
    command.onPrompt = ({ line, advice }) => {
      for (const tell of this.#onQuestion) tell({ id, question: line, advice, outputFile })
    }
    void command.finished.then(finish => this.#settle(entry, statusOf(finish), finish))
    return task
  }

  /** All that run and the last of those that ended, in the order of their start. */
  list(): BackgroundTask[] {
    return [...this.#entries.values()].map(({ task, command }) =>
      task.status === 'running' && command.prompt ? { ...task, waitingFor: command.prompt.line } : task,
    )
  }

  get(id: string): BackgroundTask {
    this.#find(id)
    return this.list().find(task => task.id === id) as BackgroundTask
  }

  /** What a task printed: from a place in the file on, or without one its last part. */
  async read(id: string, from?: number): Promise<TaskOutput> {
    const { task } = this.#find(id)
    await using file = await open(task.outputFile, 'r')
    const { size } = await file.stat()
    const start = Math.min(from ?? Math.max(0, size - READ_BYTES), size)
    const bytes = Buffer.alloc(Math.min(READ_BYTES, size - start))
    const { bytesRead } = await file.read(bytes, 0, bytes.length, start)
    const read = bytes.subarray(0, bytesRead)
    // Of a character that is still being printed, the rest comes with the next reading.
    const whole =
      this.#find(id).task.status !== 'running' && start + bytesRead === size
        ? read.length
        : wholeCharacters(read)
    const text = read.toString('utf8', 0, whole)
    // Without a place to begin at, it may begin within a character.
    return {
      text: from === undefined ? text.replace(/^\ufffd+/, '') : text,
      from: start,
      next: start + whole,
      size,
    }
  }

  /** Ends a task; that it is cancelled is final before its processes are. Returns when they are gone. */
  async stop(id: string): Promise<BackgroundTask> {
    const entry = this.#find(id)
    if (entry.task.status === 'running')
      this.#settle(entry, 'cancelled', { exitCode: null, signal: null, reason: 'stopped' })
    await entry.command.end('stopped')
    return entry.task
  }

  /** Calls back once for each task that ends. Returns what takes the callback away. */
  onEnd(callback: (end: TaskEnd) => void): () => void {
    this.#onEnd.add(callback)
    return () => this.#onEnd.delete(callback)
  }

  /** Calls back when a task begins to wait for an answer. Returns what takes the callback away. */
  onQuestion(callback: (question: TaskQuestion) => void): () => void {
    this.#onQuestion.add(callback)
    return () => this.#onQuestion.delete(callback)
  }

  /** Ends everything that runs, in front too. To be awaited before this process ends. */
  async close(): Promise<void> {
    for (const entry of this.#entries.values())
      if (entry.task.status === 'running')
        this.#settle(entry, 'cancelled', { exitCode: null, signal: null, reason: 'closed' })
    await Promise.all([...this.#running].map(command => command.end('closed')))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  #find(id: string): Entry {
    const entry = this.#entries.get(id)
    if (entry) return entry
    const ids = [...this.#entries.keys()]
    const there = ids.length > 0 ? `There are: ${ids.join(', ')}.` : 'Nothing was started in the background.'
    throw new NoSuchTask(`There is no background command "${id}". ${there}`)
  }

  /** The one place where a task gets its final state, and where that is told. */
  #settle(entry: Entry, status: FinalStatus, finish: Finish): void {
    if (entry.task.status !== 'running') return
    const { exitCode } = finish
    entry.task = { ...entry.task, status, exitCode, endedAt: new Date() }
    const { id, title, outputFile } = entry.task
    const summary = taskSummary(title, finish, entry.command.output.window)
    for (const tell of this.#onEnd) tell({ id, status, exitCode, summary, outputFile })
  }

  #forgetOldest(): void {
    const ended = [...this.#entries.values()].filter(({ task }) => task.status !== 'running')
    for (const { task } of ended.slice(0, -ENDED_KEPT)) this.#entries.delete(task.id)
  }
}

function statusOf({ exitCode, reason }: Finish): FinalStatus {
  if (reason === 'stopped' || reason === 'closed' || reason === 'interrupted') return 'cancelled'
  return reason === undefined && exitCode === 0 ? 'completed' : 'failed'
}
