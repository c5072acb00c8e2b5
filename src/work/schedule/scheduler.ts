import { acquireLock, becauseOf, type Lock, LockBusy, LockLost, SILENT_AFTER_MS } from '../../store/index.ts'
import { isLive, perform, type RunEnd, type RunLedger, type Trigger } from '../runs/index.ts'
import { type Decision, decide, type LastRun } from './decide.ts'
import type { HeartbeatFile } from './heartbeat-file.ts'
import { type Job, nameOf, nextStart } from './job.ts'
import { advanceJob, missJob, offeredJob, settleJob } from './progress.ts'
import type { Schedule } from './schedule.ts'
import { sayWhen } from './when.ts'
import { sayMoment } from './zone.ts'

/** What is to be done now, and why. */
export interface DueRun {
  source: string
  /** As it is called where somebody reads of it. */
  name: string
  trigger: Trigger
  prompt: string
  /** Of the run, in the ledger. */
  run: string
}

export interface SchedulerOptions {
  schedule: Schedule
  ledger: RunLedger
  /** Answers a prompt; an error is a failed run. */
  run(due: DueRun, signal: AbortSignal): Promise<void>
  /** A line for the log, or for whoever looks on; with the id of a job when its owner has to hear it. */
  tell(text: string, source?: string): void
  /** Only for who runs for longer than a conversation. */
  heartbeats?: HeartbeatFile | undefined
}

/** Jobs are looked at once a second (5-work.md). */
const TICK_MS = 1_000
/** Runs that one look begins; the others follow with the next (5-work.md, the ledger's rule 7). */
const MOST_STARTS = 5
/** Runs at a time; what is due beyond them waits. */
const MOST_LIVE = 10
/** A run that hangs must not keep its job from ever running again. */
const LONGEST_RUN_MS = 30 * 60 * 1_000
const TOOK_TOO_LONG = 'it took longer than 30 minutes'
/** Looks between two attempts to take over from another process. */
const ATTEMPT_EVERY = 5
const LOCKING = { waitMs: 0, note: 'begins scheduled jobs', silentAfterMs: SILENT_AFTER_MS }
/** How long a job waits whose run could not be written down: on a disk that is full it would fail every second. */
const REST_MS = 60 * 1_000

interface LiveRun {
  controller: AbortController
  done: Promise<void>
  /** The job counts on: its next start is another one. */
  advanced: boolean
}

/** Begins jobs when their time has come. Of all processes that have one, one at a time does so for a project. */
export class Scheduler implements AsyncDisposable {
  #options: SchedulerOptions
  #locks = new Map<string, Lock>()
  #ticks = 0
  #ticking: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #stopped = false
  #live = new Map<string, LiveRun>()
  /** Starts that found another run in their way. */
  #skipped = new Map<string, string>()
  /** Until when jobs wait whose last start came to nothing. */
  #resting = new Map<string, number>()
  #starts = new Map<string, { of: string; start: Date | undefined }>()
  /** What is wrong with the places that jobs come from. */
  #problems = new Map<string, string>()

  constructor(options: SchedulerOptions) {
    this.#options = options
  }

  /** Whether this process begins the project's jobs. */
  get isOwner(): boolean {
    return this.#locks.has(this.#projectLock)
  }

  /** Sources of what runs now. */
  get live(): readonly string[] {
    return [...this.#live.keys()]
  }

  /** Looks once a second from now on; nothing of it keeps the process alive. */
  start(): void {
    this.#timer ??= setInterval(() => void this.tick(), TICK_MS).unref()
  }

  /** Looks once. Never throws, and never twice at a time. */
  tick(): Promise<void> {
    this.#ticking ??= this.#look()
      .then(() => void this.#problems.delete(''))
      .catch(error => this.#complain('', error))
      .finally(() => {
        this.#ticking = undefined
      })
    return this.#ticking
  }

  /** Waits until nothing runs any more. */
  async settled(): Promise<void> {
    while (this.#live.size > 0) await Promise.all([...this.#live.values()].map(({ done }) => done))
  }

  /** Interrupts what runs, waits until that is written down, and lets others take over. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#stopped = true
    await this.#ticking
    for (const { controller } of this.#live.values()) controller.abort(new Error('the scheduler was stopped'))
    await this.settled()
    for (const lock of this.#locks.values()) await lock.release()
    this.#locks.clear()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  get #projectLock(): string {
    return this.#options.schedule.schedulerLock
  }

  async #look(): Promise<void> {
    if (this.#stopped) return
    const { schedule, ledger, heartbeats, tell } = this.#options
    const mayAttempt = this.#ticks++ % ATTEMPT_EVERY === 0
    const found = [
      await this.#jobsFrom('this session', { trigger: 'schedule' }, () => schedule.jobs({ durable: false })),
      await this.#jobsFrom('the project', { trigger: 'schedule' }, async () => {
        if (!(await this.#owns(this.#projectLock, mayAttempt))) return []
        for (const { source } of await ledger.recover())
          tell(`A run of ${source} was left by a process that has ended; it counts as failed.`)
        return schedule.jobs({ durable: true })
      }),
      heartbeats &&
        (await this.#jobsFrom('HEARTBEAT.md', { trigger: 'heartbeat', heartbeats }, async () =>
          (await this.#owns(heartbeats.lock, mayAttempt)) ? heartbeats.jobs(tell) : [],
        )),
    ].flatMap(jobs => jobs ?? [])
    let starts = 0
    // Where more is due than may begin, everybody gets a turn.
    for (const { job, kind } of found.toSorted((a, b) => a.since - b.since))
      if (starts < MOST_STARTS && (await this.#consider(job, kind))) starts++
    this.#forgetAllBut(new Set(found.map(({ job }) => job.id)))
  }

  /** What cannot be read keeps nothing else from being begun, and is told once. */
  async #jobsFrom(
    place: string,
    kind: Kind,
    read: () => Promise<readonly Job[]> | readonly Job[],
  ): Promise<{ job: Job; kind: Kind; since: number }[]> {
    try {
      const jobs = await read()
      const found = jobs.map(job => ({ job, kind, since: this.#startOf(job)?.getTime() ?? 0 }))
      this.#problems.delete(place)
      return found
    } catch (error) {
      this.#complain(place, error)
      return []
    }
  }

  /** Whether a lock is ours; taken when it is free, given up when somebody took it while we slept. */
  async #owns(path: string, mayAttempt: boolean): Promise<boolean> {
    const lock = this.#locks.get(path)
    if (!lock && !mayAttempt) return false
    try {
      if (lock) await lock.check()
      else this.#locks.set(path, await acquireLock(path, LOCKING))
      return true
    } catch (error) {
      if (!(error instanceof LockBusy || error instanceof LockLost)) throw error
      this.#locks.delete(path)
      await lock?.release()
      return false
    }
  }

  /** Whether a run was begun. What goes wrong with a job is its own. */
  async #consider(job: Job, kind: Kind): Promise<boolean> {
    try {
      const { schedule } = this.#options
      if (this.#rests(job)) return false
      const lastRun = () => this.#lastRunOf(job)
      const decision = decide(job, schedule.now(), { start: this.#startOf(job), lastRun })
      return decision === 'run' ? this.#begin(job, kind) : await this.#note(job, decision, kind)
    } catch (error) {
      this.#rest(job)
      this.#options.tell(`Job ${job.id} could not be begun: ${becauseOf(error)}.`)
      return false
    }
  }

  #lastRunOf({ id }: Job): LastRun {
    const run = this.#options.ledger.newest(id)
    if (this.#live.has(id) || (run && isLive(run))) return 'live'
    return run?.status === 'completed' ? 'completed' : 'other'
  }

  /** What is told of a job and remembered, without running it. */
  async #note(job: Job, decision: Exclude<Decision, 'run'>, { heartbeats }: Kind): Promise<false> {
    const { schedule, ledger, tell } = this.#options
    if (decision === 'miss') {
      await missJob(schedule, job, { isTold: false }) // the next look tells it, also when this process dies before
    } else if (decision === 'offer') {
      tell(
        `${this.#nameOf(job)} was ${ledger.newest(job.id) ? 'cut short' : 'missed'}. ${offer(job)}`,
        job.id,
      )
      await offeredJob(schedule, job)
    } else if (decision === 'over') {
      await schedule.update(job.id, () => undefined)
    } else if (decision === 'warn') {
      await schedule.update(job.id, found => ({ ...found, warned: true }))
      tell(
        `${this.#nameOf(job)} ends on ${this.#said(job.expiresAt)}; make it again if it is still wanted.`,
        job.id,
      )
    } else if (decision === 'expire') {
      await schedule.update(job.id, () => undefined)
      tell(`${this.#nameOf(job)} has ended: what an agent made does not last for ever.`, job.id)
    } else if (decision === 'rebase') {
      if (heartbeats) await heartbeats.advance(job.id)
      else {
        const now = schedule.now().toISOString()
        const createdAt = job.createdAt < now ? job.createdAt : now
        await schedule.update(job.id, found => ({ ...found, lastRunAt: now, createdAt }))
      }
    }
    return false
  }

  #begin(job: Job, { trigger, heartbeats }: Kind): boolean {
    const { schedule, ledger, run, tell } = this.#options
    const live = this.#live.get(job.id)
    if (live?.advanced) this.#skip(job)
    if (live || this.#live.size >= MOST_LIVE || this.#stopped) return false
    const controller = new AbortController()
    const { signal } = controller
    const limit = setTimeout(() => controller.abort(new Error(TOOK_TOO_LONG)), LONGEST_RUN_MS).unref()
    const entry: LiveRun = { controller, done: Promise.resolve(), advanced: false }
    const advance = async () => {
      await (heartbeats ? heartbeats.advance(job.id) : advanceJob(schedule, job))
      entry.advanced = true
    }
    const work = ({ id }: { id: string }) =>
      run({ source: job.id, name: this.#nameOf(job), trigger, prompt: job.prompt, run: id }, signal)
    entry.done = perform(ledger, { trigger, source: job.id, advance, work, signal })
      .then(async performed => {
        if ('inTheWay' in performed) return this.#skip(job)
        if (!entry.advanced) this.#rest(job)
        const { ending } = performed
        const isTold = !this.#stopped // else whoever looks next tells it
        if (!heartbeats) await settleJob(schedule, job, { ending, isTold })
        if (isTold) this.#tellEnd(job, ending)
      })
      .catch(error => {
        this.#rest(job)
        tell(`What became of job ${job.id} could not be written down: ${becauseOf(error)}.`)
      })
      .finally(() => {
        clearTimeout(limit)
        this.#live.delete(job.id)
      })
    this.#live.set(job.id, entry)
    return true
  }

  #tellEnd(job: Job, ending: RunEnd): void {
    if (!('error' in ending)) return
    const again = 'at' in job.when ? ` ${offer(job)}` : ''
    this.#options.tell(`${this.#nameOf(job)} ${ending.status}: ${ending.error}${again}`, job.id)
  }

  #nameOf(job: Job): string {
    return nameOf(job, this.#options.schedule.timeZone)
  }

  #said(moment: string | null): string {
    return moment === null ? '' : sayMoment(new Date(moment), this.#options.schedule.timeZone)
  }

  #rest({ id }: Job): void {
    this.#resting.set(id, this.#options.schedule.now().getTime() + REST_MS)
  }

  /** Not longer than that, also when the clock is set back. */
  #rests({ id }: Job): boolean {
    const left = (this.#resting.get(id) ?? 0) - this.#options.schedule.now().getTime()
    return left > 0 && left <= REST_MS
  }

  #skip(job: Job): void {
    const { schedule, tell } = this.#options
    this.#skipped.set(job.id, schedule.now().toISOString())
    tell(`${this.#nameOf(job)} is still running; this time it is skipped.`)
  }

  /** Finding the next slot is work, and its answer stays the same until the job has run. */
  #startOf(job: Job): Date | undefined {
    const skipped = this.#skipped.get(job.id) ?? ''
    const lastRunAt = skipped > (job.lastRunAt ?? '') ? skipped : job.lastRunAt
    const of = `${lastRunAt} ${job.createdAt} ${sayWhen(job.when)}`
    const known = this.#starts.get(job.id)
    if (known?.of === of) return known.start
    const start = nextStart({ ...job, lastRunAt }, this.#options.schedule.timeZone)
    this.#starts.set(job.id, { of, start })
    return start
  }

  /** What is known of jobs that are gone is let go of: a gateway runs for months. */
  #forgetAllBut(seen: ReadonlySet<string>): void {
    for (const known of [this.#skipped, this.#starts, this.#resting])
      for (const id of known.keys()) if (!seen.has(id)) known.delete(id)
  }

  /** The same trouble every second is told once. */
  #complain(place: string, error: unknown): void {
    const problem = becauseOf(error)
    const of = place === '' ? '' : ` of ${place}`
    if (problem !== this.#problems.get(place))
      this.#options.tell(`Jobs${of} could not be looked at: ${problem}.`)
    this.#problems.set(place, problem)
  }
}

interface Kind {
  trigger: Trigger
  heartbeats?: HeartbeatFile
}

function offer({ id }: Job): string {
  return `Still wanted? reverie cron run ${id}. Not any more? reverie cron remove ${id}`
}
