import { basename, dirname } from 'node:path'
import {
  acquireLock,
  because,
  ensureDirectory,
  JsonlFile,
  type Lock,
  LockBusy,
  ReverieError,
  WriteFailed,
} from '../store/index.ts'
import { newMessageId } from './ids.ts'
import { type LoadedSession, loadSession } from './load.ts'
import { addUsage, type Message, NO_USAGE, textOf, type Usage } from './message.ts'
import { type InFlight, interruptedResult, paired } from './pairing.ts'
import {
  type BoundaryRecord,
  type CheckpointRecord,
  type HeaderRecord,
  type MessageRecord,
  type MetaRecord,
  type MoreRecord,
  SESSION_FORMAT,
  type SessionMeta,
} from './record.ts'
import { titleFrom } from './title.ts'

/** Somebody else is writing this session. */
export class SessionBusy extends ReverieError {}

export interface TranscriptPlace {
  path: string
  /** The lock that keeps two processes from writing one session. */
  lock: string
  /** Makes the home before the first write into it. */
  prepare?: () => Promise<void>
  now?: () => Date
  /** Nothing of it reaches the disk. */
  unkept?: boolean
}

export interface ResumeOptions {
  /** Whether calls without a result get one that says they were interrupted; they do unless told. */
  mend?: boolean
}

/** What was found when a session was taken up again. */
export interface Resumed {
  messages: Message[]
  summary: string | undefined
  /** Calls that had no result. Each has one now, which says so. */
  interrupted: InFlight[]
  /** Bytes of a last line that was cut short, if there was one. */
  tornBytes: number
  problems: LoadedSession['problems']
  cutOff: boolean
}

/**
 * One session, open for appending. A message is on the disk when `append` returns; nothing that was written is
 * ever written again, so that an append costs the same in a session of any size.
 */
export class Transcript implements AsyncDisposable {
  readonly header: HeaderRecord
  readonly path: string
  /** Set while memory is off: nothing is learnt later from what is said now. */
  offRecord = false
  #place: TranscriptPlace
  #meta: SessionMeta
  /** Where the messages stand that a boundary may still keep. */
  #offsets: Map<string, number>
  #open: Promise<Open> | undefined
  #written: Promise<unknown> = Promise.resolve()
  /** Goes with the first write. */
  #unwritten: HeaderRecord[] = []

  private constructor(
    place: TranscriptPlace,
    header: HeaderRecord,
    meta: SessionMeta = {},
    offsets = new Map<string, number>(),
  ) {
    this.#place = place
    this.path = place.path
    this.header = header
    this.#meta = meta
    this.#offsets = offsets
  }

  /** A new session. Nothing is on the disk before its first message. */
  static create(place: TranscriptPlace, header: HeaderRecord, meta: SessionMeta = {}): Transcript {
    const transcript = new Transcript(place, header, meta)
    transcript.#unwritten = [header]
    return transcript
  }

  /** Of a piece of work that nobody will look back at: only what it cost is known of it. */
  static unkept(): Transcript {
    const at = new Date().toISOString()
    const header: HeaderRecord = { kind: 'session', format: SESSION_FORMAT, id: 'unkept', at }
    return new Transcript({ path: '', lock: '', unkept: true }, header)
  }

  /** Takes a session up where it ended, however it ended. */
  static async resume(
    place: TranscriptPlace,
    header: HeaderRecord,
    { mend = true }: ResumeOptions = {},
  ): Promise<{ transcript: Transcript; resumed: Resumed }> {
    const opened = await openForWriting(place)
    try {
      const loaded = await loadSession(place.path, header)
      const transcript = new Transcript(place, loaded.header, loaded.meta, loaded.offsets)
      transcript.#open = Promise.resolve(opened)
      return { transcript, resumed: await transcript.#mend(loaded, opened.file.torn?.bytes ?? 0, mend) }
    } catch (error) {
      await closeBoth(opened)
      throw error
    }
  }

  get id(): string {
    return this.header.id
  }

  get meta(): SessionMeta {
    return this.#meta
  }

  /** On the disk when this returns. */
  async append(...messages: readonly Message[]): Promise<void> {
    const records: Array<MessageRecord | MetaRecord> = messages.map(message => ({
      kind: 'message',
      ...message,
      ...(this.offRecord && { offRecord: true }),
    }))
    const before = this.#meta
    this.#meta = messages.reduce(metaAfter, before)
    if (this.offRecord && !before.offRecord) this.#meta = { ...this.#meta, offRecord: true }
    if (this.#meta !== before) records.push(this.#metaRecord())
    const offset = await this.#write(records)
    for (const { id } of messages) this.#offsets.set(id, offset)
  }

  /** Adds to a reply whose beginning is on the disk already. */
  async extend(id: string, { parts, usage, stop }: Pick<Message, 'parts' | 'usage' | 'stop'>): Promise<void> {
    const at = this.#now()
    const more: MoreRecord = {
      kind: 'more',
      of: id,
      at,
      parts,
      ...(usage && { usage }),
      ...(stop && { stop }),
    }
    const before = this.#meta
    if (usage) this.#meta = { ...before, usage: addUsage(before.usage ?? NO_USAGE, usage), lastAt: at }
    await this.#write(this.#meta === before ? [more] : [more, this.#metaRecord()])
  }

  /** Counts what something else has cost that was done for this session. */
  async charge(usage: Usage): Promise<void> {
    await this.note({ usage: addUsage(this.#meta.usage ?? NO_USAGE, usage) })
  }

  /** Says that a tool is about to run; to be awaited before it does. */
  async checkpoint({ call, tool }: Pick<CheckpointRecord, 'call' | 'tool'>): Promise<void> {
    const record: CheckpointRecord = { kind: 'checkpoint', at: this.#now(), call, tool }
    await this.#write([record])
  }

  /** Lets a summary stand for everything before the message `keep`, or for all there is. */
  async boundary(summary: string, keep?: string): Promise<void> {
    const offset = keep === undefined ? undefined : this.#offsets.get(keep)
    if (keep !== undefined && offset === undefined)
      throw new RangeError(`Message ${keep} is not in what is live of session ${this.id}`)
    const record: BoundaryRecord = {
      kind: 'boundary',
      at: this.#now(),
      summary,
      ...(keep !== undefined && { keep }),
      ...(offset !== undefined && { offset }),
      meta: this.#meta,
    }
    await this.#write([record])
    const kept = [...this.#offsets].filter(([, at]) => offset !== undefined && at >= offset)
    this.#offsets = new Map(kept)
  }

  /** Writes down something about the session as a whole. */
  async note(patch: SessionMeta): Promise<void> {
    this.#meta = { ...this.#meta, ...patch }
    await this.#write([this.#metaRecord()])
  }

  async close(): Promise<void> {
    await this.#written
    const open = this.#open
    this.#open = undefined
    if (open) await closeBoth(await open)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #mend(loaded: LoadedSession, tornBytes: number, mend: boolean): Promise<Resumed> {
    const { inFlight, messages, summary, problems, cutOff } = loaded
    const results = (mend ? inFlight : []).map(
      (call): Message => ({
        id: newMessageId(),
        role: 'tool',
        origin: 'program',
        at: this.#now(),
        parts: [interruptedResult(call)],
      }),
    )
    if (results.length > 0) await this.append(...results)
    return {
      messages: paired([...messages, ...results]),
      summary,
      interrupted: inFlight,
      tornBytes,
      problems,
      cutOff,
    }
  }

  #metaRecord(): MetaRecord {
    return { kind: 'meta', at: this.#now(), ...this.#meta }
  }

  /** In the order of the calls. */
  #write(records: readonly unknown[]): Promise<number> {
    if (this.#place.unkept) return Promise.resolve(0)
    const written = this.#written.then(() => this.#writeNext(records))
    this.#written = written.catch(() => {})
    return written
  }

  async #writeNext(records: readonly unknown[]): Promise<number> {
    this.#open ??= openForWriting(this.#place).catch(error => {
      this.#open = undefined
      throw error
    })
    const { file, lock } = await this.#open
    // Whoever was stopped for hours may come back to a session that somebody else has taken up.
    await lock.check()
    const header = this.#unwritten
    this.#unwritten = []
    try {
      return await file.append([...header, ...records], { sync: true })
    } catch (error) {
      if (header.length > 0) this.#unwritten = header
      throw error
    }
  }

  #now(): string {
    return (this.#place.now?.() ?? new Date()).toISOString()
  }
}

interface Open {
  file: JsonlFile
  lock: Lock
}

async function openForWriting({ path, lock: lockPath, prepare }: TranscriptPlace): Promise<Open> {
  await prepare?.()
  await ensureDirectory(dirname(path)).catch(error => {
    throw new WriteFailed(`Could not make the directory ${dirname(path)}: ${because(error)}.`, {
      cause: error,
    })
  })
  const lock = await lockSession(path, lockPath)
  try {
    return { file: await JsonlFile.open(path), lock }
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function closeBoth({ file, lock }: Open): Promise<void> {
  try {
    await file.close()
  } finally {
    await lock.release()
  }
}

export async function lockSession(path: string, lockPath: string): Promise<Lock> {
  try {
    return await acquireLock(lockPath, { waitMs: 0, note: 'a session' })
  } catch (error) {
    if (!(error instanceof LockBusy)) throw error
    throw new SessionBusy(
      `The session ${basename(path, '.jsonl')} is open in process ${error.holder.pid}. End that one first, or fork it: reverie sessions fork ${basename(path, '.jsonl')}.`,
      { cause: error },
    )
  }
}

/** What a message changes about what is known of its session; the same object when nothing. */
function metaAfter(meta: SessionMeta, message: Message): SessionMeta {
  if (message.role === 'assistant')
    return {
      ...meta,
      ...(message.model !== undefined && { model: message.model }),
      ...(message.usage && { usage: addUsage(meta.usage ?? NO_USAGE, message.usage) }),
      lastAt: message.at,
    }
  if (message.role !== 'user' || message.origin !== 'person' || meta.title !== undefined) return meta
  const title = titleFrom(textOf(message))
  return title === '' ? meta : { ...meta, title, lastAt: message.at }
}
