import { because } from '../../store/index.ts'
import { OutputFile } from './output.ts'
import type { TaskRecords } from './records.ts'
import {
  advance,
  type BackgroundKind,
  type BackgroundTask,
  type FinalStatus,
  isFinal,
  type TaskChange,
  type TaskEnd,
  type TaskQuestion,
} from './task.ts'

/** Something to be done in the background. */
export interface Work {
  kind: BackgroundKind
  /** In a few words, for lists. */
  title: string
  /** Made here unless given. */
  id?: string
  /** The helper that started it, if one did. */
  by?: string
  /** Where the output stands, when `run` keeps it by itself; otherwise `task.output` writes into a file made here. */
  outputFile?: string
  /** Somebody waits for it in front, so its end is no news. */
  awaited?: boolean
  /**
   * Does it. What it returns is how it ended; what it throws is a failure, or a cancellation when it was stopped.
   * Work that has slow cleaning up to do says how it ended with `task.ended` first.
   */
  run(task: RunningTask): Promise<WorkEnd>
  /** How it is told that it was stopped, where more can be said than that. */
  stopped?(why: string): Omit<WorkEnd, 'status'>
}

export interface WorkEnd {
  /** Completed unless told. */
  status?: FinalStatus
  /** One or two sentences. */
  summary: string
  exitCode?: number | null
  /** All that is to be said, where that is more than the summary. */
  report?: string
  /** False when nobody needs to be told of it. */
  isNews?: boolean
}

/** What work is given to work with. */
export interface RunningTask {
  readonly id: string
  /** Aborted when it is to stop: that it was stopped is final by then. */
  readonly signal: AbortSignal
  readonly outputFile: string
  /** Adds to the output, up to a limit. */
  output(text: string): void
  /** What it does just now, for lists. */
  progress(text: string): void
  /** It waits for an answer; undefined when it does not any more. */
  waitsFor(question: { question: string; advice: string } | undefined): void
  /** It has ended, from now on; what `run` still does is cleaning up. */
  ended(end: WorkEnd): void
}

export interface LiveTaskOptions {
  records: TaskRecords
  now(): Date
  onChange(task: BackgroundTask): void
  onQuestion(question: TaskQuestion): void
  /** Called once; `isNews` when somebody wants to be told. */
  onEnd(end: TaskEnd, isNews: boolean): void
}

/** Between two writes of what a task does just now. */
const PROGRESS_EVERY_MS = 1_000

/** One task of this process: carries its work through the states, and its record after it. */
export class LiveTask {
  /** When its end is final; it never rejects. */
  readonly done: Promise<TaskEnd>
  /** When nothing of it is left. */
  readonly gone: Promise<void>
  #task: BackgroundTask
  #work: Work
  #options: LiveTaskOptions
  #controller = new AbortController()
  #output: OutputFile | undefined
  #done = Promise.withResolvers<TaskEnd>()
  #gone = Promise.withResolvers<void>()
  #recorded: Promise<void> = Promise.resolve()
  #saving = false
  #isBehind = false
  #nextProgress: NodeJS.Timeout | undefined

  constructor(task: BackgroundTask, work: Work, options: LiveTaskOptions) {
    this.#task = task
    this.#work = work
    this.#options = options
    this.#output = work.outputFile === undefined ? new OutputFile(task.outputFile) : undefined
    this.done = this.#done.promise
    this.gone = this.#gone.promise
    this.#save()
  }

  get task(): BackgroundTask {
    return this.#task
  }

  get isFinal(): boolean {
    return isFinal(this.#task.status)
  }

  /** When its record is on the disk as it stands now, or cannot be. */
  get recorded(): Promise<void> {
    return this.#recorded
  }

  begin(): void {
    this.#change({ to: 'running', at: this.#options.now() })
    void this.#run().finally(() => this.#gone.resolve())
  }

  /** That it was stopped is final when this returns; `gone` tells when it has cleaned up. */
  cancel(why: string): void {
    if (this.isFinal) return
    const begun = this.#task.status === 'running'
    const summary = `"${this.#task.title}" did not finish: ${why}.`
    this.#settle({ summary, ...this.#work.stopped?.(why), status: 'cancelled' })
    this.#controller.abort(new Error(why))
    if (!begun) this.#gone.resolve()
  }

  /** At the very end of this process, which waits for nothing: the record must not say that it runs. */
  writeLast(): void {
    const { now, records } = this.#options
    const summary = `"${this.#task.title}" did not finish: Reverie ended.`
    const last = advance(this.#task, { to: 'cancelled', at: now(), summary })
    if (last !== this.#task) records.writeNow({ ...last, untold: true })
    else if (this.#saving) records.writeNow(last)
  }

  async #run(): Promise<void> {
    const { id, outputFile, title } = this.#task
    const { signal } = this.#controller
    const running: RunningTask = {
      id,
      signal,
      outputFile,
      output: text => this.#output?.add(text),
      progress: text => this.#progress(text),
      waitsFor: question => this.#waitsFor(question),
      ended: end => this.#settle(end),
    }
    try {
      if (this.#output) {
        await this.#recorded // its directory, and what tells of it if this process dies
        await this.#output.begin()
      }
      // Stopped before it began: it never does.
      if (!this.isFinal) this.#settle(await this.#work.run(running))
    } catch (error) {
      const status = signal.aborted ? 'cancelled' : 'failed'
      this.#settle({ status, summary: `"${title}" failed: ${because(error)}` })
    } finally {
      await this.#output?.close()
    }
  }

  /** The one place where a task gets its final state, and where that is told. */
  #settle({ status = 'completed', summary, exitCode, report, isNews = true }: WorkEnd): void {
    if (this.isFinal) return
    clearTimeout(this.#nextProgress)
    const code = exitCode === undefined ? {} : { exitCode }
    this.#change({ to: status, at: this.#options.now(), summary, ...code })
    const { id, kind, by, title, outputFile } = this.#task
    const said = report === undefined ? {} : { report }
    const end: TaskEnd = {
      id,
      kind,
      ...(by && { by }),
      title,
      status,
      summary,
      outputFile,
      ...code,
      ...said,
    }
    this.#done.resolve(end)
    this.#options.onEnd(end, isNews && !this.#work.awaited)
  }

  #progress(text: string): void {
    if (this.isFinal || text === this.#task.progress) return
    this.#task = advance(this.#task, { progress: text })
    this.#options.onChange(this.#task)
    this.#nextProgress ??= setTimeout(() => {
      this.#nextProgress = undefined
      if (!this.isFinal) this.#save()
    }, PROGRESS_EVERY_MS).unref()
  }

  #waitsFor(asked: { question: string; advice: string } | undefined): void {
    if (this.isFinal || this.#task.waitingFor === asked?.question) return
    this.#change({ waitingFor: asked?.question })
    const { id, kind, by, outputFile } = this.#task
    if (asked) this.#options.onQuestion({ id, kind, ...(by && { by }), ...asked, outputFile })
  }

  #change(change: TaskChange): void {
    this.#task = advance(this.#task, change)
    this.#options.onChange(this.#task)
    this.#save()
  }

  /** One write at a time, always of the latest. What cannot be written is told where the task is listed. */
  #save(): void {
    this.#isBehind = true
    if (this.#saving) return
    this.#saving = true
    this.#recorded = this.#write()
  }

  async #write(): Promise<void> {
    await Promise.resolve() // what changes at the same moment is written at once
    while (this.#isBehind) {
      this.#isBehind = false
      try {
        await this.#options.records.write(this.#task)
      } catch (error) {
        this.#task = { ...this.#task, problem: `Its record could not be written: ${because(error)}` }
      }
    }
    this.#saving = false
  }
}
