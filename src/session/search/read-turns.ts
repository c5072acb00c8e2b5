/** A session file to turns that can be put into the index, some at a time. */
import { crc32 } from 'node:zlib'
import type { FtsIndex, PreparedDocument } from '../../search/index.ts'
import { textOf } from '../message.ts'
import {
  type MessageRecord,
  parseRecord,
  SESSION_FORMAT,
  type SessionMeta,
  type SessionRecord,
} from '../record.ts'
import { titleFrom } from '../title.ts'
import { type FileStamp, type FileState, fingerprints, settled, UNREAD, UNSURE } from './file-state.ts'
import { type Line, LineReader } from './line-reader.ts'
import { turnDocument } from './turn-document.ts'
import { turnText } from './turn-text.ts'

export interface Batch {
  documents: PreparedDocument[]
  /** The months in which these were said. */
  months: ReadonlySet<number>
  /** How things stand when these are in the index. */
  after: FileState
  /** How many bytes of the file were read for it. */
  bytes: number
}

/** A file in which hardly anything is said is not read in one go. */
const MOST_BYTES_AT_ONCE = 16 * 1024 * 1024

/** No index has places for more in one session, and nobody so much to say. */
const MOST_TURNS = 4_000_000

export interface TurnSource {
  /** The open file, and what it is called in the index. */
  file: number
  group: string
  project: number
  stamp: FileStamp
  index: FtsIndex
  now: bigint
  /** About how many bytes of words are wanted at a time. */
  wanted: number
}

/** The turns from where `before` ends to the last whole line; the last batch says that all was read. */
export function* readTurns(source: TurnSource, before: FileState): Generator<Batch> {
  const { file, stamp } = source
  const lines = new LineReader(file, before.consumed, stamp.size)
  const turns = new TurnMaker(source, before)
  let counted = 0
  let begun = before.consumed
  for (let line = lines.next(); line !== undefined; line = lines.next()) {
    turns.take(line)
    if (turns.isNewer) {
      // Looked at again when it grows, which costs its first line.
      const after = { ...UNREAD, ...settled(stamp, source.now) }
      yield { documents: [], months: new Set(), after, bytes: lines.bytes }
      return
    }
    if (turns.wordBytes < source.wanted && lines.consumed - begun < MOST_BYTES_AT_ONCE) continue
    yield turns.batch(lines.consumed, { ...stamp, mtimeNs: UNSURE }, lines.bytes - counted)
    counted = lines.bytes
    begun = lines.consumed
  }
  yield turns.batch(lines.consumed, settled(stamp, source.now), lines.bytes - counted)
}

class TurnMaker {
  wordBytes = 0
  /** Of a later Reverie: its records may mean something else. */
  isNewer = false
  #source: TurnSource
  #documents: PreparedDocument[] = []
  #months = new Set<number>()
  #lines: number
  #turns: number
  #title: string

  constructor(source: TurnSource, { lines, turns, title }: FileState) {
    this.#source = source
    this.#lines = lines
    this.#turns = turns
    this.#title = title
  }

  take(line: Line): void {
    this.#lines++
    const record = recordIn(line)
    if (record?.kind === 'message') this.#message(record, line)
    else if (record?.kind === 'meta') this.#name(record)
    else if (record?.kind === 'boundary') this.#name(record.meta)
    else if (record?.kind === 'session') this.isNewer = record.format > SESSION_FORMAT
  }

  batch(consumed: number, stamp: FileStamp, bytes: number): Batch {
    const after = {
      ...stamp,
      consumed,
      lines: this.#lines,
      turns: this.#turns,
      title: this.#title,
      ...fingerprints(this.#source.file, consumed),
    }
    const batch = { documents: this.#documents, months: this.#months, after, bytes }
    this.#documents = []
    this.#months = new Set()
    this.wordBytes = 0
    return batch
  }

  /** What else is told of a session is not checked when its records are: it may be anything. */
  #name({ title }: SessionMeta): void {
    if (typeof title === 'string') this.#title = title
  }

  #message(record: MessageRecord, { offset, bytes }: Line): void {
    if (this.#title === '' && record.role === 'user' && record.origin === 'person')
      this.#title = titleFrom(textOf(record))
    const said = this.#turns < MOST_TURNS ? turnText(record) : undefined
    if (!said) return
    const { group, project, index } = this.#source
    const order = this.#turns++
    const at = new Date(record.at)
    const when = timesOf(at)
    if (when.month !== undefined) this.#months.add(when.month)
    const prepared = index.prepare({
      ...turnDocument({ id: `${group}:${order}`, group, order, at, ...said }),
      filters: { role: record.role, project, ...when },
      carried: { offset, bytes: bytes.length, line: this.#lines, check: crc32(bytes) },
    })
    this.wordBytes += prepared.words.length
    this.#documents.push(prepared)
  }
}

function timesOf(at: Date): { time?: number; month?: number } {
  return Number.isNaN(at.getTime()) ? {} : { time: at.getTime(), month: monthOf(at) }
}

/** Months are counted, so that a search in a time can be limited to them. */
export function monthOf(at: Date): number {
  return at.getUTCFullYear() * 12 + at.getUTCMonth()
}

/** The record on a line, if it is one that is known. */
export function recordIn({ bytes }: Pick<Line, 'bytes'>): SessionRecord | undefined {
  if (bytes.length === 0) return undefined
  try {
    const parsed = parseRecord(JSON.parse(bytes.toString('utf8')))
    return 'record' in parsed ? parsed.record : undefined
  } catch {
    return undefined // not JSON: a line that was cut short
  }
}
