/** Reads the live part of a session from its end: what a session of any size costs is what is live of it. */
import { open } from 'node:fs/promises'
import { type BackwardLine, ReverieError, readJsonlBackwards } from '../store/index.ts'
import type { Message } from './message.ts'
import { type InFlight, paired, unanswered } from './pairing.ts'
import {
  type BoundaryRecord,
  type HeaderRecord,
  type MoreRecord,
  parseRecord,
  SESSION_FORMAT,
  type SessionMeta,
  type SessionRecord,
} from './record.ts'

export interface LineProblem {
  /** Byte offset of the line. */
  offset: number
  problem: string
}

export interface LoadedSession {
  header: HeaderRecord
  meta: SessionMeta
  /** What stands for everything before the first message. */
  summary: string | undefined
  /** Whole, in order, no result without its call; the calls in flight have no result yet. */
  messages: Message[]
  inFlight: InFlight[]
  /** Where each message stands in the file, at the earliest. */
  offsets: Map<string, number>
  /** Lines that could not be read. They stay in the file. */
  problems: LineProblem[]
  /** More was live than is ever loaded: what came before was left out. */
  cutOff: boolean
}

class SessionUnusable extends ReverieError {}

/**
 * The most that is loaded of a session that was never compacted, such as an imported one. No model takes more
 * than a few megabytes of text.
 */
const MOST_LIVE_BYTES = 24 * 1024 * 1024

export async function loadSession(path: string, header: HeaderRecord): Promise<LoadedSession> {
  const tail = new Tail()
  reading: for await (const lines of readJsonlBackwards(path)) {
    for (const line of lines) {
      if (tail.isComplete(line.offset)) break reading
      tail.read(line)
    }
  }
  return tail.toSession(header)
}

/** The part of a session that was read so far, going backwards. */
class Tail {
  #problems: LineProblem[] = []
  #boundary: BoundaryRecord | undefined
  #foundKeep = false
  #meta: SessionMeta = {}
  #backwards: Message[] = []
  #more = new Map<string, MoreRecord[]>()
  #offsets = new Map<string, number>()
  #started = new Set<string>()
  #end: number | undefined
  #cutOff = false

  read({ offset, end, value, problem }: BackwardLine): void {
    this.#end ??= end
    const parsed = problem === undefined ? parseRecord(value) : { problem }
    if ('record' in parsed) this.#take(parsed.record, offset)
    else if ('problem' in parsed) this.#problems.push({ offset, problem: parsed.problem })
  }

  #take(record: SessionRecord, offset: number): void {
    if (record.kind === 'message') {
      const { kind: _, ...message } = record
      this.#backwards.push(message)
      this.#offsets.set(message.id, offset)
      if (message.id === this.#boundary?.keep) this.#foundKeep = true
    } else if (record.kind === 'more') {
      this.#more.set(record.of, [record, ...(this.#more.get(record.of) ?? [])])
    } else if (record.kind === 'checkpoint') {
      this.#started.add(record.call)
    } else if (record.kind === 'meta' && !this.#boundary) {
      const { kind: _, at: __, ...meta } = record
      this.#meta = { ...meta, ...this.#meta }
    } else if (record.kind === 'boundary' && !this.#boundary) {
      this.#boundary = record
      this.#meta = { ...record.meta, ...this.#meta }
      this.#foundKeep = record.keep === undefined || this.#offsets.has(record.keep)
    }
  }

  /** Whether the line at an offset is no longer part of what is live. */
  isComplete(offset: number): boolean {
    if (this.#boundary && (this.#foundKeep || offset < (this.#boundary.offset ?? 0))) return true
    this.#cutOff = this.#end !== undefined && this.#end - offset > MOST_LIVE_BYTES
    return this.#cutOff
  }

  toSession(header: HeaderRecord): LoadedSession {
    const cutOff = this.#cutOff
    const whole = withoutRepeats(this.#backwards.reverse()).map(message =>
      (this.#more.get(message.id) ?? []).reduce(goOn, message),
    )
    const first = cutOff ? whole.findIndex(({ role }) => role === 'user') : 0
    const messages = paired(whole.slice(Math.max(first, 0)))
    return {
      header,
      meta: this.#meta,
      summary: this.#boundary?.summary,
      messages,
      inFlight: unanswered(messages, this.#started),
      offsets: this.#offsets,
      problems: this.#problems.reverse(),
      cutOff,
    }
  }
}

/** A message with the parts that were written after it. */
function goOn(message: Message, { parts, usage, stop }: MoreRecord): Message {
  return {
    ...message,
    parts: [...message.parts, ...parts],
    ...(usage && { usage }),
    ...(stop && { stop }),
  }
}

/** A write that failed and was tried again may have been there the first time. */
function withoutRepeats(messages: readonly Message[]): Message[] {
  const seen = new Set<string>()
  return messages.filter(({ id }) => !seen.has(id) && seen.add(id))
}

const HEAD_BYTES = 16 * 1024

/** What a session says about itself at its beginning. */
export async function readHeader(path: string): Promise<HeaderRecord> {
  await using file = await open(path, 'r')
  const chunk = Buffer.alloc(HEAD_BYTES)
  const { bytesRead } = await file.read(chunk, 0, HEAD_BYTES, 0)
  // Not always the first line: one that was cut short by a full disk stays where it is.
  const lines = chunk.toString('utf8', 0, bytesRead).split('\n')
  const header = lines.map(parseHeader).find(parsed => parsed !== undefined)
  if (!header) throw new SessionUnusable(`${path} is not a session: its first line should say so.`)
  if (header.format > SESSION_FORMAT)
    throw new SessionUnusable(
      `${path} was written by a newer Reverie (format ${header.format}; this version knows ${SESSION_FORMAT}). Update Reverie.`,
    )
  return header
}

function parseHeader(line: string): HeaderRecord | undefined {
  try {
    const parsed = parseRecord(JSON.parse(line))
    return 'record' in parsed && parsed.record.kind === 'session' ? parsed.record : undefined
  } catch {
    return undefined
  }
}
