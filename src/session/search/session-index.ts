import { join } from 'node:path'
import type { Home } from '../../config/index.ts'
import type { FilterCondition } from '../../search/index.ts'
import { because, isDamaged, isStorageTrouble, ReverieError } from '../../store/index.ts'
import type { MessageOrigin, Role } from '../message.ts'
import type { FileStamp } from './file-state.ts'
import { followInProcess } from './follow-in-process.ts'
import { followInThreads } from './follow-in-threads.ts'
import { type FollowReport, NOTHING, type Trouble, troubleOf } from './follower.ts'
import { IndexTables } from './index-tables.ts'
import { planRefresh } from './plan-refresh.ts'
import { monthOf } from './read-turns.ts'
import { findSessionFiles, pathOf, projectNumber } from './session-files.ts'
import { type ReadHit, readHit, type SessionHit } from './session-hit.ts'

export interface RefreshOptions {
  /** Stops it; what was done by then stays. */
  signal?: AbortSignal
  /** Lets the process end although this is not done. */
  background?: boolean
}

export interface Refreshed {
  /** Session files there are, and how many of them (or that were there) had changed. */
  files: number
  changed: number
  /** Bytes of them that were read, and turns that were added. */
  bytes: number
  turns: number
  /** Files that could not be read, and why. */
  unreadable: { file: string; reason: string }[]
  /** Why the index is not up to date: a sentence for a person. */
  problem?: string
}

export interface SessionSearchOptions {
  /** The most hits wanted; 10 unless told. */
  limit?: number
  since?: Date
  before?: Date
  role?: Role
  /** What a project is called below `projects/`. */
  project?: string
  /** Without what was said while memory was off. */
  onRecord?: boolean
}

/** A turn that was found, whole. */
export interface FoundTurn {
  session: string
  at: string
  role: Role
  origin: MessageOrigin
  text: string
}

/** More than this is read in a thread of its own: it takes some 20 ms. In bytes. */
const READ_IN_PROCESS = 256 * 1024
/** Where nothing can be kept, the newest sessions up to this are searched in memory. In bytes. */
const MOST_IN_MEMORY = 64 * 1024 * 1024
const DEFAULT_LIMIT = 10
/** Below the cache of a home. */
export const SESSIONS_DATABASE = 'sessions.sqlite'
const HITS_PER_SESSION = 3
/** Some hits are gone when they are looked up, or are the same message in a fork of its session. */
const SPARE_SESSIONS = 10

/**
 * All that was said in all sessions of a home, found by words. It is derived and may be deleted at any time. What
 * was said after it was last refreshed is not found. A refresh keeps nothing waiting: much is read by threads, a
 * little at a time, and a search meanwhile finds what is there.
 */
export class SessionIndex implements Disposable {
  #path: string
  #projects: string
  #tables: IndexTables
  #closed = new AbortController()
  #queue: Promise<unknown> = Promise.resolve()

  private constructor(path: string, projects: string) {
    this.#path = path
    this.#projects = projects
    this.#tables = IndexTables.open(path)
  }

  static open(home: Pick<Home, 'cache' | 'projects'>): SessionIndex {
    return new SessionIndex(join(home.cache, SESSIONS_DATABASE), home.projects)
  }

  /** Reads what was written to sessions since the last time, by whomever. */
  refresh(options: RefreshOptions = {}): Promise<Refreshed> {
    const refreshed = this.#queue.then(() => this.#refresh(options))
    this.#queue = refreshed.catch(() => {})
    return refreshed
  }

  /** What was said about something: the best sessions first, and of each at most three hits. */
  async search(query: string, options: SessionSearchOptions = {}): Promise<SessionHit[]> {
    return (await this.#found(query, options)).map(({ hit }) => hit)
  }

  /** The same with all that was said, and who is behind it. */
  async turns(query: string, options: SessionSearchOptions = {}): Promise<FoundTurn[]> {
    const found = await this.#found(query, options)
    return found.map(({ hit: { session, at, role }, text, origin }) => ({ session, at, role, text, origin }))
  }

  async #found(query: string, options: SessionSearchOptions): Promise<ReadHit[]> {
    try {
      return await this.#search(query, options)
    } catch (error) {
      if (!isStorageTrouble(error)) throw error
      if (!isDamaged(error))
        throw new ReverieError(
          `The index of sessions in ${this.#path} could not be read: ${because(error)}.`,
          {
            cause: error,
          },
        )
      this.#reopen(IndexTables.openAnew)
      await this.refresh()
      return this.#search(query, options)
    }
  }

  [Symbol.dispose](): void {
    this.#closed.abort()
    this.#tables[Symbol.dispose]()
  }

  async #refresh({ signal, background = false }: RefreshOptions): Promise<Refreshed> {
    const stop = AbortSignal.any([this.#closed.signal, ...(signal ? [signal] : [])])
    const found = await findSessionFiles(this.#projects)
    let report = await this.#follow(found, stop, background)
    if (report.trouble && !stop.aborted && this.#mend(report.trouble))
      report = await this.#follow(found, stop, background)
    signal?.throwIfAborted()
    const { files, bytes, turns, unreadable, trouble } = report
    const problem = trouble ? notUpToDate(this.#path, trouble.reason) : this.#onlyInMemory(found)
    return {
      files: found.size,
      changed: files,
      bytes,
      turns,
      unreadable: unreadable.map(({ name, reason }) => ({ file: pathOf(this.#projects, name), reason })),
      ...(problem !== undefined && { problem }),
    }
  }

  async #follow(found: Found, stop: AbortSignal, background: boolean): Promise<FollowReport> {
    try {
      if (stop.aborted) return NOTHING
      if (this.#tables.isOutOfPlace) this.#reopen(IndexTables.open)
      const { mode } = this.#tables
      const plan = planRefresh(this.#tables.states(), mode === 'memory' ? newest(found) : found)
      if (plan.names.length === 0) return NOTHING
      if (mode === 'readonly')
        return { ...NOTHING, trouble: { kind: 'unwritable', reason: 'it is read-only' } }
      if (mode === 'memory' || plan.bytes <= READ_IN_PROCESS)
        return await followInProcess(this.#tables, this.#projects, plan.names, stop)
      const task = { database: this.#path, projects: this.#projects, names: plan.names }
      return await followInThreads(task, plan.bytes, { signal: stop, background })
    } catch (error) {
      return { ...NOTHING, trouble: troubleOf(error) }
    }
  }

  /** Whether it is worth another try. What is there is searched; where nothing is there, memory has to do. */
  #mend({ kind }: Trouble): boolean {
    if (kind === 'damaged') {
      this.#reopen(IndexTables.openAnew)
      return true
    }
    if (kind === 'busy' || this.#tables.states().size > 0) return false
    this.#reopen(IndexTables.inMemory)
    return true
  }

  #reopen(open: (path: string) => IndexTables): void {
    this.#tables[Symbol.dispose]()
    this.#tables = open(this.#path)
  }

  #onlyInMemory(found: Found): string | undefined {
    if (this.#tables.mode !== 'memory') return undefined
    const left = found.size - newest(found).size
    const most = `${MOST_IN_MEMORY / 2 ** 20} MB`
    return `The index of sessions cannot be kept in ${this.#path}, so it is made anew each time${left > 0 ? `, and only of the newest ${most}` : ''}.`
  }

  async #search(query: string, options: SessionSearchOptions): Promise<ReadHit[]> {
    const { limit = DEFAULT_LIMIT, project, onRecord = false } = options
    const groupLimit = limit + SPARE_SESSIONS
    const { hits } = this.#tables.index.search(query, {
      filter: filterOf(options, () => this.#tables.months()),
      groupLimit,
      hitsPerGroup: HITS_PER_SESSION,
      limit: groupLimit * HITS_PER_SESSION,
    })
    const shown: ReadHit[] = []
    const seen = new Set<number>()
    for (const found of hits) {
      if (shown.length >= limit) break
      const title = this.#tables.state(found.group ?? '')?.title ?? ''
      const read = await readHit(this.#projects, found, title)
      if (!read || seen.has(read.check) || (project !== undefined && read.hit.project !== project)) continue
      if (onRecord && read.offRecord) continue
      seen.add(read.check)
      shown.push(read)
    }
    return shown
  }
}

type Found = ReadonlyMap<string, FileStamp>

/** The sessions written to last, as many as memory is given for. */
function newest(found: Found): Found {
  const chosen: [string, FileStamp][] = []
  let bytes = 0
  for (const [name, stamp] of [...found].reverse()) {
    bytes += stamp.size
    if (bytes > MOST_IN_MEMORY) break
    chosen.push([name, stamp])
  }
  return new Map(chosen.reverse())
}

function filterOf(
  { since, before, role, project }: SessionSearchOptions,
  months: () => number[],
): Record<string, FilterCondition> {
  const from = since?.getTime()
  const end = before?.getTime()
  return {
    ...(role && { role }),
    ...(project !== undefined && { project: projectNumber(project) }),
    ...((since || before) && {
      time: { ...(from !== undefined && { from }), ...(end !== undefined && { before: end }) },
      // Of the turns that have the words, only those of these months need to be looked at for their time.
      month: months().filter(
        month => (!since || month >= monthOf(since)) && (!before || month <= monthOf(before)),
      ),
    }),
  }
}

function notUpToDate(path: string, reason: string): string {
  return `The search over sessions is not up to date, because ${path} could not be written: ${reason}.`
}
