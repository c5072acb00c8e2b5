import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Home, machineTimeZone, prepareHome } from '../../config/index.ts'
import {
  because,
  ensureDirectory,
  inspectLock,
  type ProcessIdentity,
  readSmallFile,
  SILENT_AFTER_MS,
  withLock,
  writeFileAtomic,
} from '../../store/index.ts'
import { BadSchedule, MalformedSchedule, NoSuchJob, TooManyJobs } from './errors.ts'
import {
  isLeftBehind,
  isRecord,
  type Job,
  type ListedJob,
  LONGEST_PROMPT,
  listed,
  nextStart,
  readJob,
} from './job.ts'
import { isRecurring, readWhen, type SaidWhen, startAfter } from './when.ts'
import { sayMoment } from './zone.ts'

/** Jobs of a project, those of sessions that run now included (5-work.md). */
export const MOST_JOBS = 50
/** Recurring jobs that an agent made end after this many days unless told otherwise (5-work.md). */
const EXPIRE_DAYS = 7
const DAY_MS = 24 * 60 * 60 * 1_000
const WAIT_MS = 10_000

export interface JobDraft extends SaidWhen {
  prompt: string
  madeBy: Job['madeBy']
  /** Kept in the file; else it ends with this process. */
  durable: boolean
  /** Kept in the file until this process has ended: it begins jobs, and is not the one that makes this one. */
  livesWith?: ProcessIdentity | undefined
}

export interface ScheduleOptions {
  /** The owner's; the machine's unless told. */
  timeZone?: string | undefined
  expireDays?: number | undefined
  now?: (() => Date) | undefined
}

/** The jobs of a project: those in its file, and those that this process keeps for itself. */
export class Schedule {
  readonly path: string
  readonly timeZone: string
  readonly locks: string
  readonly now: () => Date
  #home: Home
  #root: string | undefined
  #expireDays: number
  #session: Job[] = []
  /** The file as it was read last: looked at every second, it hardly ever changes. */
  #read: { text: string; entries: readonly unknown[]; jobs: readonly Job[] } | undefined

  constructor(
    home: Home,
    { slug, root, main = root }: { slug: string; root?: string | undefined; main?: string | undefined },
    options: ScheduleOptions = {},
  ) {
    this.#home = home
    this.#root = main
    this.path = schedulePath(home, slug)
    this.locks = join(home.projects, slug, 'locks')
    this.timeZone = options.timeZone ?? machineTimeZone()
    this.#expireDays = options.expireDays ?? EXPIRE_DAYS
    this.now = options.now ?? (() => new Date())
  }

  async add({ prompt, madeBy, durable, livesWith, ...said }: JobDraft): Promise<ListedJob> {
    const now = this.now()
    const when = readWhen(said, now, this.timeZone)
    if (prompt.trim() === '')
      throw new BadSchedule('A job needs a prompt: what is to be done when its time comes.')
    if (prompt.length > LONGEST_PROMPT)
      throw new BadSchedule(
        `The prompt has ${prompt.length} characters, ${LONGEST_PROMPT} is the most. Put it in a file and name that.`,
      )
    const expires = madeBy === 'agent' && isRecurring(when)
    const job: Job = {
      id: randomBytes(4).toString('hex'),
      when,
      createdAt: now.toISOString(),
      prompt,
      madeBy,
      expiresAt: expires ? this.expiryFrom(now) : null,
      lastRunAt: null,
      // Whoever makes one that ends within a day is told of it just then.
      ...(expires && this.#expireDays <= 1 && { warned: true }),
      ...(livesWith && { livesWith: identityOf(livesWith) }),
    }
    checkItStarts(job, this.timeZone)
    const isFull = (jobs: number) => {
      if (jobs + this.#session.length >= MOST_JOBS)
        throw new TooManyJobs(
          `There are ${MOST_JOBS} jobs already, and that is the most. Remove one first: reverie cron list, reverie cron remove ID`,
        )
    }
    if (durable)
      await this.#change(entries => {
        isFull(entries.length)
        return [...entries, job]
      })
    else {
      isFull(this.#entries().length)
      this.#session.push(job)
    }
    return listed(job, { durable, timeZone: this.timeZone })
  }

  /** Every job, by when it starts next, and how many entries of the file are none. */
  list(): { jobs: ListedJob[]; problems: string[] } {
    const entries = this.#entries()
    const tell = (durable: boolean) => (job: Job) => listed(job, { durable, timeZone: this.timeZone })
    const jobs = [...this.#durable().map(tell(true)), ...this.#session.map(tell(false))]
    const unreadable = entries.length - (this.#read?.jobs.length ?? 0)
    const problems = [
      ...(unreadable > 0 ? [`${this.path}: ${unreadable} entries are no jobs and are left alone.`] : []),
      ...(entries.length - unreadable > MOST_JOBS
        ? [`${this.path}: there are ${entries.length - unreadable} jobs; only the first ${MOST_JOBS} count.`]
        : []),
    ]
    return { jobs: jobs.sort((a, b) => (a.nextAt ?? '').localeCompare(b.nextAt ?? '')), problems }
  }

  get(id: string): { job: Job; durable: boolean } {
    const own = this.#session.find(job => job.id === id)
    if (own) return { job: own, durable: false }
    const job = this.#durable().find(job => job.id === id)
    if (!job) throw new NoSuchJob(id)
    return { job, durable: true }
  }

  /** When a job starts until some moment, as far as can be said now; the first ones, not more than so many. */
  startsUntil(id: string, until: Date, most: number): Date[] {
    const { job } = this.get(id)
    const starts: Date[] = []
    if (job.missed || job.begun) return starts
    let after = this.now()
    if (!isRecurring(job.when)) {
      const start = startAfter(job, after, this.timeZone)
      return start && start <= until ? [start] : []
    }
    const expiry =
      job.expiresAt === null ? until : new Date(Math.min(Date.parse(job.expiresAt), until.getTime()))
    while (starts.length < most) {
      const start = startAfter(job, after, this.timeZone)
      if (!start || start > expiry) break
      starts.push(start)
      after = start
    }
    return starts
  }

  /** Those in the file, or those of this process alone. */
  jobs({ durable }: { durable: boolean }): readonly Job[] {
    return durable ? this.#durable() : this.#session
  }

  async remove(id: string): Promise<void> {
    this.get(id)
    await this.update(id, () => undefined)
  }

  /** The process that begins the jobs of this project now, if there is one. */
  async scheduler(): Promise<ProcessIdentity | undefined> {
    const { held, claim } = await inspectLock(this.schedulerLock, { silentAfterMs: SILENT_AFTER_MS })
    return held ? claim : undefined
  }

  /** Held by the process that begins the jobs. */
  get schedulerLock(): string {
    return join(this.locks, 'scheduler')
  }

  /** When a job of an agent's that is made, or was missed, at this moment ends. */
  expiryFrom(now: Date): string {
    return new Date(now.getTime() + this.#expireDays * DAY_MS).toISOString()
  }

  /** What has become of a job, undefined when it is over. One that was removed meanwhile stays so. */
  async update(id: string, change: (job: Job) => Job | undefined): Promise<void> {
    const apply = (entries: readonly unknown[]): unknown[] =>
      entries.flatMap(entry => {
        const job = readJob(entry)
        if (job?.id !== id) return [entry]
        const changed = change(job)
        return changed ? [changed] : []
      })
    if (this.#session.some(job => job.id === id)) this.#session = jobsOf(apply(this.#session))
    else await this.#change(apply)
  }

  async #change(decide: (entries: readonly unknown[]) => readonly unknown[]): Promise<void> {
    await prepareHome(this.#home)
    await withLock(
      join(this.locks, 'schedule-file'),
      async lock => {
        const next = decide(this.#entries().filter(entry => !isOver(entry)))
        await lock.check()
        await ensureDirectory(join(this.path, '..'))
        const content = { version: 1, ...(this.#root !== undefined && { root: this.#root }), jobs: next }
        await writeFileAtomic(this.path, `${JSON.stringify(content, null, 2)}\n`)
      },
      { waitMs: WAIT_MS, note: 'changing jobs' },
    )
  }

  #durable(): readonly Job[] {
    this.#entries()
    return (this.#read?.jobs ?? []).filter(job => !isLeftBehind(job)).slice(0, MOST_JOBS)
  }

  /** What stands in the file, jobs or not: what cannot be read is left alone. */
  #entries(): readonly unknown[] {
    const text = this.#text()
    if (text === undefined) this.#read = undefined
    else if (text !== this.#read?.text) {
      const entries = this.#parsed(text)
      this.#read = { text, entries, jobs: jobsOf(entries) }
    }
    return this.#read?.entries ?? []
  }

  #text(): string | undefined {
    let text: string | undefined
    try {
      text = readSmallFile(this.path)
    } catch (error) {
      throw this.#unusable(because(error), error)
    }
    if (text === undefined && existsSync(this.path)) text = readSmallFile(this.path) // it was made just now
    if (text === undefined && existsSync(this.path))
      throw this.#unusable('it is not a plain file of at most 1 MB')
    return text
  }

  #parsed(text: string): unknown[] {
    let found: unknown
    try {
      found = JSON.parse(text)
    } catch (error) {
      throw this.#unusable('it is not JSON', error)
    }
    if (!isRecord(found) || !Array.isArray(found.jobs)) throw this.#unusable('it has no list of jobs')
    if (found.version !== 1)
      throw this.#unusable(`its version is ${String(found.version)}, this program knows 1`)
    return found.jobs
  }

  #unusable(problem: string, cause?: unknown): MalformedSchedule {
    return new MalformedSchedule(`${this.path} cannot be used: ${problem}. Mend it, or move it away.`, {
      cause,
    })
  }
}

/** One that ends before it starts for the first time would be a promise that is not kept. */
function checkItStarts(job: Job, timeZone: string): void {
  const start = nextStart(job, timeZone)
  if (job.expiresAt === null || !start || start.toISOString() <= job.expiresAt) return
  throw new BadSchedule(
    `What an agent makes ends on ${sayMoment(new Date(job.expiresAt), timeZone)}, and this would start on ${sayMoment(start, timeZone)} for the first time. Give that moment with "at", or let the owner make the job: reverie cron add`,
  )
}

function isOver(entry: unknown): boolean {
  const job = readJob(entry)
  return job !== undefined && isLeftBehind(job)
}

function identityOf({ pid, startTime, bootId, host }: ProcessIdentity): ProcessIdentity {
  return { pid, startTime, bootId, host }
}

function schedulePath(home: Home, slug: string): string {
  return join(home.projects, slug, 'scheduled_tasks.json')
}

function jobsOf(entries: readonly unknown[]): Job[] {
  return entries.flatMap(entry => readJob(entry) ?? [])
}
