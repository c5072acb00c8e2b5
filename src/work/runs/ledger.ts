import { randomBytes } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { copyFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Home, prepareHome } from '../../config/index.ts'
import {
  ensureDirectory,
  livenessOf,
  ownIdentity,
  type ProcessIdentity,
  readSmallFile,
  withLock,
  writeFileAtomic,
} from '../../store/index.ts'
import { begin, end, noteSession, type RunEnd, recover, start } from './decide.ts'
import { isLive, type Run, readRuns, type Trigger, writeRuns } from './run.ts'

/** Where runs are kept: read and written whole, by one at a time. */
export interface RunPlace {
  read(): readonly Run[]
  /** What `decide` returns is kept when it has changed. */
  change<T>(decide: (runs: readonly Run[]) => { runs: readonly Run[]; result: T }): Promise<T>
}

export interface RunLedgerOptions {
  identity?: ProcessIdentity
  /** Whether a process is; false where that cannot be found out. */
  livenessOf?: typeof livenessOf
  now?: (() => Date) | undefined
  newId?: () => string
}

/** No run takes this long: one of a machine that cannot be asked is over by then, and must not block for ever. */
const OVER_AFTER_MS = 60 * 60 * 1_000

/** Every run of a project, and the rules that hold for them (5-work.md, "The run ledger"). */
export class RunLedger {
  #place: RunPlace
  #identity: ProcessIdentity
  #livenessOf: typeof livenessOf
  #now: () => Date
  #newId: () => string
  /** How runs ended that the disk did not take; told again with whatever is written next. */
  #untold = new Map<string, RunEnd>()

  constructor(place: RunPlace, options: RunLedgerOptions = {}) {
    this.#place = place
    this.#identity = options.identity ?? ownIdentity()
    this.#livenessOf = options.livenessOf ?? livenessOf
    this.#now = options.now ?? (() => new Date())
    this.#newId = options.newId ?? (() => `r-${randomBytes(6).toString('hex')}`)
  }

  /** Newest last. */
  runs(): readonly Run[] {
    return this.#place.read()
  }

  /** Of a source. */
  newest(source: string): Run | undefined {
    return this.runs().findLast(run => run.source === source)
  }

  /** The new run, queued, or the live one of the same source; what a dead process left is never in the way. */
  begin(trigger: Trigger, source: string): Promise<{ run: Run } | { inTheWay: Run }> {
    return this.#change<{ run: Run } | { inTheWay: Run }>(before => {
      const now = this.#now()
      const request = { id: this.#newId(), trigger, source, owner: this.#identity, now }
      const { runs, ...result } = begin(recover(before, this.#isGone, now), request)
      return { runs, result }
    })
  }

  /** False when it may not run any more: it was cancelled, or taken for dead. */
  start(id: string): Promise<boolean> {
    return this.#change(before => {
      const runs = start(before, id, this.#now())
      return { runs, result: runs.some(run => run.id === id && run.status === 'running') }
    })
  }

  noteSession(id: string, session: string): Promise<void> {
    return this.#change(before => ({ runs: noteSession(before, id, session), result: undefined }))
  }

  async end(id: string, ending: RunEnd): Promise<void> {
    this.#untold.set(id, ending)
    await this.#change(runs => ({ runs, result: undefined }))
  }

  /** Marks what dead processes left; those that were. */
  async recover(): Promise<Run[]> {
    if (this.#untold.size === 0 && !this.#place.read().some(run => isLive(run) && this.#isGone(run)))
      return []
    return this.#change(before => {
      const runs = recover(before, this.#isGone, this.#now())
      return { runs, result: runs.filter(run => !before.includes(run)) }
    })
  }

  /** What could not be written before comes first. */
  async #change<T>(decide: (runs: readonly Run[]) => { runs: readonly Run[]; result: T }): Promise<T> {
    const telling = [...this.#untold]
    const result = await this.#place.change(before => {
      const told = telling.reduce((runs, [id, ending]) => end(runs, id, ending, this.#now()), before)
      return decide(told)
    })
    for (const [id] of telling) this.#untold.delete(id)
    return result
  }

  #isGone = ({ owner, startedAt, createdAt }: Run): boolean => {
    const liveness = this.#livenessOf(owner)
    const age = this.#now().getTime() - Date.parse(startedAt ?? createdAt)
    return liveness === 'dead' || (liveness === 'unknown' && age > OVER_AFTER_MS)
  }
}

/**
 * `runs.json` of a project. Of one that is damaged a copy is put aside, and what can be read of it stays: the runs of the
 * past must not stop those to come, and those that go on must not begin twice.
 */
export function runFile(home: Home, { slug }: { slug: string }): RunPlace {
  const path = join(home.projects, slug, 'runs.json')
  const lock = join(home.projects, slug, 'locks', 'runs')
  const read = () => {
    const text = readSmallFile(path)
    return text === undefined ? { runs: [], whole: !existsSync(path) } : readRuns(text)
  }
  return {
    read: () => read().runs,
    async change(decide) {
      await prepareHome(home)
      return withLock(lock, async held => {
        const { runs: before, whole } = read()
        const { runs, result } = decide(before)
        if (runs === before) return result
        await held.check()
        await ensureDirectory(dirname(path))
        if (!whole) await putAside(path)
        await writeFileAtomic(path, writeRuns(runs))
        return result
      })
    },
  }
}

/** Copied, so that there is a ledger at every moment; a directory in its place cannot be. */
async function putAside(path: string): Promise<void> {
  const aside = `${path}.damaged-${Date.now()}`
  if (statSync(path, { throwIfNoEntry: false })?.isFile()) await copyFile(path, aside)
  else await rename(path, aside)
}
