/** Jobs of a project and who begins them: in a conversation, or in a process that stays. */
import { because } from '../store/index.ts'
import {
  advanceJob,
  type DueRun,
  HeartbeatFile,
  type News,
  nameOf,
  perform,
  type Run,
  type RunEnd,
  RunLedger,
  runFile,
  Schedule,
  type ScheduleOptions,
  Scheduler,
  settleJob,
} from '../work/index.ts'
import { answerDue, dropOldRunSessions, type RunPlace, type RunResult } from './scheduled-run.ts'

export interface SchedulingOptions extends Omit<RunPlace, 'ledger'> {
  /** Whether HEARTBEAT.md is followed here: by who runs for longer than a conversation. */
  heartbeats?: boolean
  /** What a run came to, and what the owner of a job has to know. */
  onNews(news: Omit<News, 'times'>): void | Promise<void>
  /** For a log: what is of no interest where somebody talks. */
  log?(text: string): void
}

/** What came of a job that somebody wanted now. */
export type ManualRun = { name: string } & (
  | { busy: Run }
  | { run: string; ending: RunEnd; result?: RunResult }
)

export class Scheduling implements AsyncDisposable {
  readonly schedule: Schedule
  readonly ledger: RunLedger
  readonly scheduler: Scheduler
  #options: SchedulingOptions
  /** News on its way to the disk, and jobs that somebody wanted now: nothing ends before them. */
  #pending = new Set<Promise<unknown>>()

  constructor(options: SchedulingOptions, { now, ...about }: ScheduleOptions = {}) {
    const { home, project, heartbeats = false, log = () => {} } = options
    this.#options = options
    this.schedule = new Schedule(home, project, { now, ...about })
    this.ledger = new RunLedger(runFile(home, project), { now })
    this.scheduler = new Scheduler({
      schedule: this.schedule,
      ledger: this.ledger,
      heartbeats: heartbeats ? new HeartbeatFile(home, { now: this.schedule.now }) : undefined,
      run: async (due, signal) => {
        const { text, session } = await answerDue(due, signal, { ...options, ledger: this.ledger })
        log(`${due.name} is done, session ${session}`)
        this.#news('result', due.source, due.name, text || 'It is done, and there was nothing to say.')
        await this.#sweep()
      },
      tell: (text, source) => {
        log(text)
        if (source !== undefined) this.#news('notice', source, source, text)
      },
    })
  }

  /** Answers a job now, whatever its time; a one-shot is over when it is done. */
  runNow(id: string, signal: AbortSignal): Promise<ManualRun> {
    return this.#untilEnd(this.#runNow(id, signal))
  }

  async #runNow(id: string, signal: AbortSignal): Promise<ManualRun> {
    const { job } = this.schedule.get(id)
    const name = nameOf(job, this.schedule.timeZone)
    let result: RunResult | undefined
    const performed = await perform(this.ledger, {
      trigger: 'manual',
      source: id,
      signal,
      advance: () => advanceJob(this.schedule, job),
      work: async ({ id: run }) => {
        const due: DueRun = { source: id, name, trigger: 'manual', prompt: job.prompt, run }
        result = await answerDue(due, signal, { ...this.#options, ledger: this.ledger })
      },
    })
    if ('inTheWay' in performed) return { name, busy: performed.inTheWay }
    // Who interrupted it may not be there to be told.
    await settleJob(this.schedule, job, { ending: performed.ending, isTold: !signal.aborted })
    await this.#sweep()
    return { name, run: performed.run.id, ending: performed.ending, ...(result && { result }) }
  }

  /** From now on. */
  start(): void {
    this.scheduler.start()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.scheduler.stop()
    await Promise.allSettled(this.#pending)
  }

  #untilEnd<T>(work: Promise<T>): Promise<T> {
    this.#pending.add(work)
    const over = () => void this.#pending.delete(work)
    work.then(over, over)
    return work
  }

  #news(kind: News['kind'], source: string, name: string, text: string): void {
    const at = this.schedule.now().toISOString()
    const told = this.#options.onNews({ kind, source, name, text, at })
    if (told) void this.#untilEnd(told)
  }

  async #sweep(): Promise<void> {
    const { home, project, log = () => {} } = this.#options
    await dropOldRunSessions(home, project, log).catch(error =>
      log(`Sessions of old runs could not be looked at: ${because(error)}`),
    )
  }
}
