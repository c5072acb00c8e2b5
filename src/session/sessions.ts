import { existsSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import { type Home, prepareHome } from '../config/index.ts'
import {
  because,
  ensureDirectory,
  fileNameProblem,
  ReverieError,
  readJsonl,
  readJsonlBackwards,
  syncDirectory,
  systemCode,
  writeFileAtomic,
} from '../store/index.ts'
import { newSessionId } from './ids.ts'
import { type ListedSession, listSession } from './list.ts'
import { type LoadedSession, loadSession, readHeader } from './load.ts'
import type { Message } from './message.ts'
import {
  type HeaderRecord,
  type MoreRecord,
  parseRecord,
  SESSION_FORMAT,
  type SessionMeta,
} from './record.ts'
import {
  lockSession,
  type ResumeOptions,
  SessionBusy,
  Transcript,
  type TranscriptPlace,
} from './transcript.ts'

export class NoSuchSession extends ReverieError {}
export class AmbiguousSession extends ReverieError {}

export interface SessionDraft
  extends Pick<HeaderRecord, 'source' | 'forkedFrom'>,
    Pick<SessionMeta, 'title'> {
  id?: string
}

const SUFFIX = '.jsonl'
/** How long a deleted session can be brought back (2-memory.md gives memories the same). */
const TRASH_DAYS = 30
const DAY_MS = 24 * 60 * 60 * 1000

/** The sessions of one project: a file each. */
export class Sessions {
  readonly directory: string
  /** What the project's directory below `projects/` is called. */
  readonly slug: string
  #home: Home
  #trash: string
  #locks: string
  #root: string | undefined
  #now: () => Date

  constructor(
    home: Home,
    { slug, root, main = root }: { slug: string; root?: string; main?: string },
    { now = () => new Date(), directory }: { now?: () => Date; directory?: string } = {},
  ) {
    const project = join(home.projects, slug)
    this.#home = home
    this.slug = slug
    this.directory = directory ?? join(project, 'sessions')
    this.#trash = join(project, 'trash', 'sessions')
    this.#locks = join(project, 'locks')
    this.#root = main
    this.#now = now
  }

  /** The sessions of the helpers that a session has called: beside it, and gone with it. */
  helpersOf(id: string): Sessions {
    const root = this.#root === undefined ? {} : { root: this.#root }
    const directory = this.pathOf(id).replace(/\.jsonl$/, '.agents')
    return new Sessions(this.#home, { slug: this.slug, ...root }, { now: this.#now, directory })
  }

  /** A new session. Nothing is on the disk before its first message. */
  create({ id, title, ...rest }: SessionDraft = {}): Transcript {
    const header: HeaderRecord = {
      kind: 'session',
      format: SESSION_FORMAT,
      id: id ?? newSessionId(this.#now()),
      at: this.#now().toISOString(),
      ...(this.#root !== undefined && { project: this.#root }),
      ...rest,
    }
    return Transcript.create(this.#place(header.id), header, title === undefined ? {} : { title })
  }

  /** Takes a session up where it ended. */
  resume(id: string, options: ResumeOptions = {}): ReturnType<typeof Transcript.resume> {
    return this.#existing(id, header => Transcript.resume(this.#place(id), header, options))
  }

  /** What is live of a session, without taking it up. */
  load(id: string): Promise<LoadedSession> {
    return this.#existing(id, header => loadSession(this.pathOf(id), header))
  }

  /**
   * Every message of a session from its first, one at a time. A reply that was written in pieces comes in
   * pieces of the same id.
   */
  async *messages(id: string): AsyncGenerator<Message> {
    const path = this.pathOf(id)
    if (!existsSync(path)) throw this.#missing(id)
    const seen = new Set<string>()
    for await (const { value, problem } of readJsonl(path)) {
      const parsed = problem === undefined ? parseRecord(value) : undefined
      if (!parsed || !('record' in parsed)) continue
      const { record } = parsed
      if (record.kind === 'more' && seen.has(record.of)) yield asMessage(record)
      if (record.kind !== 'message') continue
      const { kind: _, ...message } = record
      if (!seen.has(message.id)) yield message
      seen.add(message.id)
    }
  }

  /** The messages of a session from its last, as far back as they are asked for, summed up by now or not. */
  async *newestFirst(id: string): AsyncGenerator<Message> {
    for await (const lines of readJsonlBackwards(this.pathOf(id)))
      for (const { value, problem } of lines) {
        const parsed = problem === undefined ? parseRecord(value) : undefined
        if (!parsed || !('record' in parsed) || parsed.record.kind !== 'message') continue
        const { kind: _, ...message } = parsed.record
        yield message
      }
  }

  /** The newest first. What cannot be read is listed with the reason. */
  async list(): Promise<ListedSession[]> {
    const ids = await this.ids()
    const listed = await inBatches(ids, id => listSession(this.pathOf(id), id, this.slug))
    return listed
      .filter(session => session !== undefined)
      .sort((a, b) => (a.lastAt < b.lastAt ? 1 : a.lastAt > b.lastAt ? -1 : a.id < b.id ? 1 : -1))
  }

  /** The ids of sessions that were written to since a time: one directory listing, and no file is opened. */
  async touchedSince(since: Date, except?: string): Promise<string[]> {
    const ids = (await this.ids()).filter(id => id !== except)
    const touched = await inBatches(ids, async id => {
      const stats = await fs.stat(this.pathOf(id)).catch(ignoreMissing)
      return stats && stats.mtimeMs > since.getTime() ? id : undefined
    })
    return touched.filter(id => id !== undefined)
  }

  async ids(): Promise<string[]> {
    const names = await fs.readdir(this.directory).catch(ignoreMissing)
    return (names ?? [])
      .filter(name => name.endsWith(SUFFIX) && fileNameProblem(name) === undefined)
      .map(name => name.slice(0, -SUFFIX.length))
  }

  /** The id that a beginning of it names. */
  async find(beginning: string): Promise<string> {
    const ids = await this.ids()
    if (ids.includes(beginning)) return beginning
    const matching = beginning === '' ? [] : ids.filter(id => id.startsWith(beginning))
    const [only] = matching
    if (only === undefined) throw this.#missing(beginning)
    if (matching.length > 1)
      throw new AmbiguousSession(
        `${matching.length} sessions begin with "${beginning}": ${matching.slice(0, 5).join(', ')}${matching.length > 5 ? '…' : ''}. Give more of the id.`,
      )
    return only
  }

  pathOf(id: string): string {
    const problem = fileNameProblem(id + SUFFIX)
    if (problem) throw new NoSuchSession(`"${id}" is not the id of a session: ${problem}.`)
    return join(this.directory, id + SUFFIX)
  }

  async rename(id: string, title: string): Promise<void> {
    const { transcript } = await this.resume(id, { mend: false })
    await using renamed = transcript
    await renamed.note({ title: title.replaceAll(/\s+/g, ' ').trim() })
  }

  /**
   * A new session that begins with what is live of another, up to a message of it and what its tools returned;
   * returns its id.
   */
  async fork(id: string, upTo?: string): Promise<string> {
    const { header, messages, summary, meta, inFlight } = await this.load(id)
    const told = upTo === undefined ? messages.length - 1 : messages.findIndex(message => message.id === upTo)
    if (upTo !== undefined && told < 0)
      throw new NoSuchSession(`Session ${id} has no message ${upTo} in what is live of it.`)
    const next = messages.findIndex(({ role }, at) => at > told && role !== 'tool')
    const kept = next < 0 ? messages : messages.slice(0, next)
    const forkId = newSessionId(this.#now())
    const at = this.#now().toISOString()
    const from = kept.at(-1)?.id
    const forkHeader: HeaderRecord = {
      ...header,
      id: forkId,
      at,
      forkedFrom: { session: id, ...(from !== undefined && { message: from }) },
    }
    const { usage: _, imported: __, ...about } = meta
    const records = [
      forkHeader,
      ...(summary === undefined ? [] : [{ kind: 'boundary', at, summary, meta: about }]),
      ...kept.map(message => ({ kind: 'message', ...message })),
      // What is running there may be done here too when somebody looks.
      ...inFlight.flatMap(({ call, tool, started }) =>
        started ? [{ kind: 'checkpoint', at, call, tool }] : [],
      ),
      { kind: 'meta', at, ...about },
    ]
    const text = records.map(record => `${JSON.stringify(record)}\n`).join('')
    await ensureDirectory(this.directory)
    await writeFileAtomic(this.pathOf(forkId), text, { expected: null })
    return forkId
  }

  /** Moves a session, and what belongs to it, to the trash for 30 days; also one that cannot be read. */
  async delete(id: string): Promise<void> {
    const path = this.pathOf(id)
    if (!existsSync(path)) throw this.#missing(id)
    // Whoever is writing it would go on writing into the trash.
    const lock = await lockSession(path, this.#lockOf(id))
    try {
      await this.emptyTrash()
      await ensureDirectory(this.#trash)
      const now = this.#now().getTime()
      for (const name of belongings(id).filter(name => existsSync(join(this.directory, name))))
        await fs.rename(join(this.directory, name), join(this.#trash, `${now}~${name}`))
      await syncDirectory(this.directory)
      await syncDirectory(this.#trash)
    } catch (error) {
      throw new ReverieError(`Could not delete the session ${id}: ${because(error)}.`, { cause: error })
    } finally {
      await lock.release()
      await fs.rm(this.#lockOf(id), { recursive: true, force: true })
    }
  }

  /** Moves those to the trash in which nothing was said for so many days; gives back their ids. */
  async letGoAfter(days: number, except?: string): Promise<string[]> {
    const touched = await this.touchedSince(new Date(this.#now().getTime() - days * DAY_MS))
    const kept = new Set([...touched, except])
    const gone: string[] = []
    for (const id of (await this.ids()).filter(id => !kept.has(id)))
      try {
        await this.delete(id)
        gone.push(id)
      } catch (error) {
        // Open, though nothing is said in it; or another process was quicker.
        if (!(error instanceof SessionBusy) && !(error instanceof NoSuchSession)) throw error
      }
    return gone
  }

  /** Removes a session for good, and what belongs to it. Only for those that nobody has talked in. */
  async discard(id: string): Promise<void> {
    const lock = await lockSession(this.pathOf(id), this.#lockOf(id))
    try {
      for (const name of belongings(id))
        await fs.rm(join(this.directory, name), { recursive: true, force: true })
    } finally {
      await lock.release()
      await fs.rm(this.#lockOf(id), { recursive: true, force: true })
    }
  }

  async isTrashed(id: string): Promise<boolean> {
    const trashed = (await fs.readdir(this.#trash).catch(ignoreMissing)) ?? []
    return trashed.some(name => trashedName(name) === id + SUFFIX)
  }

  /** Brings a deleted session back. */
  async restore(id: string): Promise<void> {
    const trashed = (await fs.readdir(this.#trash).catch(ignoreMissing)) ?? []
    if (!trashed.some(name => trashedName(name) === id + SUFFIX))
      throw new NoSuchSession(`The trash has no session ${id}.`)
    if (existsSync(this.pathOf(id)))
      throw new ReverieError(`There is a session ${id} already; it is not replaced.`)
    await ensureDirectory(this.directory)
    for (const name of belongings(id)) {
      const newest = trashed.toSorted().findLast(each => trashedName(each) === name)
      if (newest !== undefined) await fs.rename(join(this.#trash, newest), join(this.directory, name))
    }
    await syncDirectory(this.directory)
  }

  /** Removes what has been in the trash for too long. */
  async emptyTrash(): Promise<void> {
    const oldest = this.#now().getTime() - TRASH_DAYS * DAY_MS
    for (const name of (await fs.readdir(this.#trash).catch(ignoreMissing)) ?? []) {
      const deletedAt = Number(name.split('~', 1)[0])
      if (deletedAt > 0 && deletedAt < oldest)
        await fs.rm(join(this.#trash, name), { recursive: true, force: true })
    }
  }

  #place(id: string): TranscriptPlace {
    const prepare = () => prepareHome(this.#home)
    return { path: this.pathOf(id), lock: this.#lockOf(id), prepare, now: this.#now }
  }

  #lockOf(id: string): string {
    return join(this.#locks, `session-${id}`)
  }

  async #existing<T>(id: string, work: (header: HeaderRecord) => Promise<T>): Promise<T> {
    const path = this.pathOf(id)
    if (!existsSync(path)) throw this.#missing(id)
    try {
      // Before anything is opened for writing: what is not a session is left alone.
      return await work(await readHeader(path))
    } catch (error) {
      if (systemCode(error) === undefined) throw error
      throw new ReverieError(`Could not read the session ${id}: ${because(error)}.`, { cause: error })
    }
  }

  #missing(id: string): NoSuchSession {
    return new NoSuchSession(
      `There is no session ${id} here. \`reverie sessions list\` shows those there are.`,
    )
  }
}

/** Every project that has sessions. */
export async function everySessions(home: Home, options?: { now?: () => Date }): Promise<Sessions[]> {
  const slugs = (await fs.readdir(home.projects).catch(ignoreMissing)) ?? []
  return slugs
    .filter(slug => existsSync(join(home.projects, slug, 'sessions')))
    .map(slug => new Sessions(home, { slug }, options))
}

function asMessage({ of, at, parts }: MoreRecord): Message {
  return { id: of, role: 'assistant', origin: 'model', at, parts }
}

/** The session itself, its notes, its helpers', and what its tools returned that was too long for it. */
function belongings(id: string): string[] {
  return [id + SUFFIX, `${id}.notes.md`, `${id}.learnt.json`, `${id}.outputs`, `${id}.agents`]
}

function trashedName(name: string): string {
  return name.slice(name.indexOf('~') + 1)
}

const FILES_AT_ONCE = 32

/** Many files, some at a time: as fast as the disk, and never too many open. */
async function inBatches<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let at = 0; at < items.length; at += FILES_AT_ONCE)
    results.push(...(await Promise.all(items.slice(at, at + FILES_AT_ONCE).map(work))))
  return results
}

function ignoreMissing(error: unknown): undefined {
  if (!['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) throw error
}
