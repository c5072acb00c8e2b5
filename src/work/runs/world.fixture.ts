/** Processes that share a ledger, stopped between any two writes and killed there: what the property tests play with. */
import type { Liveness, ProcessIdentity } from '../../store/index.ts'
import { RunLedger, type RunPlace } from './ledger.ts'
import { perform } from './perform.ts'
import { isLive, type Run } from './run.ts'

/** Where a process stands still: before a write of its, or in the middle of what it runs. */
interface Waiting {
  go(): void
  fail(error: Error): void
}

interface Work {
  controller: AbortController
  finish(error?: Error): void
}

class Process {
  readonly identity: ProcessIdentity
  readonly ledger: RunLedger
  /** Before its next write, by what wants to write. */
  readonly waiting: Waiting[] = []
  /** By source. */
  readonly working = new Map<string, Work>()
  isDead = false

  constructor(pid: number, world: World) {
    this.identity = { pid, startTime: `${pid}`, bootId: '', host: 'here' }
    this.ledger = new RunLedger(
      {
        read: () => world.place.read(),
        change: async decide => {
          await this.pause()
          return world.writing(() => world.place.change(decide))
        },
      },
      world.options(this.identity),
    )
  }

  /** Stands still until it is let on; when it was killed, for ever. */
  pause(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (!this.isDead) this.waiting.push({ go: resolve, fail: reject })
    })
  }
}

export class World {
  readonly place: RunPlace
  processes: Process[] = []
  /** How often "last run" of a source was moved on. */
  readonly advanced = new Map<string, number>()
  /** Runs whose prompt was injected, with what the ledger said of them then. */
  readonly injected: { id: string; status: string | undefined }[] = []
  readonly problems: string[] = []
  #seen: readonly Run[]
  #pids = 0
  #writes = 0
  #ids = 0
  #time = Date.UTC(2026, 3, 8)

  constructor(place: RunPlace, processes: number) {
    this.place = place
    this.#seen = place.read()
    this.#ids = this.#seen.length
    for (let count = 0; count < processes; count++) this.processes.push(this.#born())
  }

  options(identity: ProcessIdentity) {
    return {
      identity,
      livenessOf: (owner: ProcessIdentity): Liveness => (this.#isAlive(owner) ? 'alive' : 'dead'),
      now: () => {
        this.#time += 1000
        return new Date(this.#time)
      },
      newId: () => {
        this.#ids++
        return `r-${this.#ids}`
      },
    }
  }

  /** Somebody who is not stopped anywhere. */
  get outside(): RunLedger {
    return new RunLedger(this.place, this.options({ pid: 0, startTime: '', bootId: '', host: 'here' }))
  }

  tick(at: number, source: string): void {
    const process = this.#process(at)
    const controller = new AbortController()
    void perform(process.ledger, {
      trigger: 'schedule',
      source,
      signal: controller.signal,
      advance: async () => {
        await process.pause()
        this.advanced.set(source, (this.advanced.get(source) ?? 0) + 1)
        if (!this.place.read().some(run => run.source === source))
          this.problems.push(`last run of ${source} was moved on before a run was written`)
      },
      work: ({ id }) => this.#inject(process, { id, source, controller }),
    }).catch(() => {})
  }

  #inject(
    process: Process,
    { id, source, controller }: { id: string; source: string; controller: AbortController },
  ) {
    this.injected.push({ id, status: this.place.read().find(run => run.id === id)?.status })
    return new Promise<void>((resolve, reject) => {
      const finish = (error?: Error) => (error ? reject(error) : resolve())
      process.working.set(source, { controller, finish })
      controller.signal.addEventListener('abort', () => reject(controller.signal.reason as Error))
    })
  }

  /** Lets one of those that stand still before a write do it. */
  step(at: number, which: number): void {
    const { waiting } = this.#process(at)
    waiting.splice(which % Math.max(1, waiting.length), 1)[0]?.go()
  }

  /** The disk does not take it. */
  failWrite(at: number, which: number): void {
    const { waiting } = this.#process(at)
    waiting.splice(which % Math.max(1, waiting.length), 1)[0]?.fail(new Error('no space left'))
  }

  finish(at: number, source: string, how: 'well' | 'error' | 'abort' | 'closed'): void {
    const work = this.#process(at).working.get(source)
    this.#process(at).working.delete(source)
    if (how === 'well') work?.finish()
    if (how === 'error') work?.finish(new Error('broken'))
    if (how === 'abort') work?.controller.abort(new Error('stopped'))
    if (how === 'closed') work?.finish(Object.assign(new Error('closed'), { code: 'ERR_STREAM_DESTROYED' }))
  }

  /** Whatever it was about to do, it never does; another process takes its place. */
  kill(at: number): void {
    const process = this.#process(at)
    process.isDead = true
    process.waiting.length = 0
    this.processes[at % this.processes.length] = this.#born()
  }

  /** Lets everything come to its end, as nobody is killed any more; then each process looks once more. */
  async drain(): Promise<void> {
    await this.#letOn()
    for (const { ledger } of this.processes) void ledger.recover()
    await this.#letOn()
  }

  async #letOn(): Promise<void> {
    do {
      for (const [at, process] of this.processes.entries()) {
        for (const source of process.working.keys()) this.finish(at, source, 'well')
        for (const { go } of process.waiting.splice(0)) go()
      }
      await this.still()
    } while (this.processes.some(({ waiting, working }) => waiting.length > 0 || working.size > 0))
  }

  async writing<T>(write: () => Promise<T>): Promise<T> {
    this.#writes++
    try {
      return await write()
    } finally {
      this.#writes--
    }
  }

  /** Until nothing moves by itself. */
  async still(): Promise<void> {
    do await new Promise(resolve => setImmediate(resolve))
    while (this.#writes > 0)
  }

  #process(at: number): Process {
    const process = this.processes[at % this.processes.length]
    if (!process) throw new Error('there is no process')
    return process
  }

  #born(): Process {
    this.#pids++
    return new Process(this.#pids, this)
  }

  /** What the ledger may never say, and what may never become of what it said before. */
  check(kept: number): string[] {
    const [before, after] = [this.#seen, this.place.read()]
    this.#seen = after
    const problems = this.problems.splice(0)
    for (const { id, status } of this.injected.splice(0))
      if (status !== 'running') problems.push(`the prompt of ${id} was injected while it was ${status}`)
    if (after === before) return problems
    const live = after.filter(isLive)
    if (new Set(live.map(({ source }) => source)).size < live.length)
      problems.push('two live runs of one source')
    if (after.length > Math.max(kept, live.length)) problems.push(`${after.length} runs are kept`)
    return [...problems, ...after.flatMap(strangeness), ...this.#lostOrChanged(before, after)]
  }

  #lostOrChanged(before: readonly Run[], after: readonly Run[]): string[] {
    const problems: string[] = []
    const now = new Map(after.map(run => [run.id, run]))
    let olderKept: Run | undefined
    for (const run of before) {
      const found = now.get(run.id)
      // One that a dead process left is marked, and is then as any other.
      if (!found && isLive(run) && this.#isAlive(run.owner)) problems.push(`${run.id} lived and was dropped`)
      if (!found && olderKept) problems.push(`${run.id} was dropped before ${olderKept.id}`)
      if (found && !isLive(run)) olderKept = run
      if (!found || found === run) continue
      if (!isLive(run) && JSON.stringify(found) !== JSON.stringify(run))
        problems.push(`${run.id} was ${run.status} and is ${found.status}`)
      if (run.status === 'running' && found.status === 'queued') problems.push(`${run.id} runs backwards`)
    }
    return problems
  }

  #isAlive({ pid }: ProcessIdentity): boolean {
    return this.processes.some(process => process.identity.pid === pid && !process.isDead)
  }
}

function strangeness(run: Run): string[] {
  const isOdd = isLive(run) === (run.endedAt !== null) || (run.status === 'running' && run.startedAt === null)
  return isOdd ? [`a run that cannot be: ${JSON.stringify(run)}`] : []
}
