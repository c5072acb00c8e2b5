import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { PRIVATE_FILE, syncDirectory, WriteFailed } from './atomic-file.ts'
import { because } from './error.ts'

export interface AppendOptions {
  /** Return only when the bytes are on the disk. */
  sync?: boolean
}

/** What was found, and mended, at the end of a file whose last write was cut short. */
export interface TornLine {
  offset: number
  bytes: number
}

const NEWLINE = 0x0a

/**
 * An append-only file of one JSON value per line. Nothing in it is ever rewritten: a torn last line is
 * closed with a newline and stays as a line that readers report and pass over, so that two processes
 * mending or appending at once cannot destroy each other's records.
 */
export class JsonlFile implements AsyncDisposable {
  readonly path: string
  readonly torn: TornLine | undefined
  #file: FileHandle
  #lastWriteFailed = false
  #queue: Promise<unknown> = Promise.resolve()
  /** What was there when it was opened, and what we have added: others may have added more. */
  #leastSize: number

  private constructor(path: string, file: FileHandle, torn: TornLine | undefined, size: number) {
    this.path = path
    this.#file = file
    this.torn = torn
    this.#leastSize = size
  }

  static async open(path: string): Promise<JsonlFile> {
    try {
      const file = await open(path, 'a+', PRIVATE_FILE)
      try {
        // Who made an empty one may have been killed before its name was on the disk.
        const { size } = await file.stat()
        if (size === 0) await syncDirectory(dirname(path))
        const torn = await tornLine(file)
        if (torn) await file.appendFile('\n')
        return new JsonlFile(path, file, torn, size)
      } catch (error) {
        await file.close()
        throw error
      }
    } catch (error) {
      throw new WriteFailed(`Could not open ${path} for appending: ${because(error)}.`, { cause: error })
    }
  }

  /**
   * Appends records in one write, after those of earlier calls; rejects if they are not all in the file. Tells
   * an offset that they do not stand before: right at it, unless somebody else appends to the file as well.
   */
  append(records: readonly unknown[], options: AppendOptions = {}): Promise<number> {
    const lines = records.map(toLine).join('')
    const done = this.#queue.then(() => this.#write(lines, options.sync ?? false))
    this.#queue = done.catch(() => {})
    return done
  }

  async #write(lines: string, sync: boolean): Promise<number> {
    const offset = this.#leastSize
    const bytes = Buffer.from(this.#lastWriteFailed ? `\n${lines}` : lines)
    this.#lastWriteFailed = true
    try {
      for (let written = 0; written < bytes.length; ) {
        written += (await this.#file.write(bytes, written)).bytesWritten
      }
      if (sync) await this.#file.datasync()
    } catch (error) {
      throw new WriteFailed(`Could not append to ${this.path}: ${because(error)}.`, { cause: error })
    }
    this.#lastWriteFailed = false
    this.#leastSize += bytes.length
    return offset
  }

  async close(): Promise<void> {
    await this.#queue
    await this.#file.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

function toLine(record: unknown): string {
  const text = JSON.stringify(record)
  if (text === undefined) throw new TypeError('This value has no JSON form and cannot be appended.')
  return `${text}\n`
}

const CHUNK_BYTES = 64 * 1024

/** The unfinished last line, if there is one; reads backwards, so the size of the file does not matter. */
async function tornLine(file: FileHandle): Promise<TornLine | undefined> {
  const { size } = await file.stat()
  const chunk = Buffer.alloc(CHUNK_BYTES)
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - CHUNK_BYTES)
    const { bytesRead } = await file.read(chunk, 0, end - start, start)
    const newline = chunk.lastIndexOf(NEWLINE, bytesRead - 1)
    if (newline >= 0 && newline < bytesRead) {
      const offset = start + newline + 1
      return offset === size ? undefined : { offset, bytes: size - offset }
    }
    end = start
  }
  return size === 0 ? undefined : { offset: 0, bytes: size }
}

export interface JsonlLine {
  /** Byte offset of the line's start, and of the byte after its newline. */
  offset: number
  end: number
  /** 1-based. When reading from an offset, counted from there. */
  line: number
  value?: unknown
  /** Why the line has no value. */
  problem?: string
}

/**
 * The lines of a file from a byte offset on, one at a time, in bounded memory. An unfinished last line is
 * given with a problem unless it is a whole JSON value. Empty lines are passed over.
 */
export async function* readJsonl(path: string, from = 0): AsyncGenerator<JsonlLine> {
  let rest: Buffer[] = []
  let offset = from
  let line = 0
  const toEntry = (bytes: Buffer, end: number): JsonlLine | undefined => {
    line++
    const entry = { offset, end, line }
    offset = end
    const read = readLine(bytes)
    return read && { ...entry, ...read }
  }
  for await (const data of createReadStream(path, { start: from })) {
    const chunk = data as Buffer
    let start = 0
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, start)) {
      const bytes = Buffer.concat([...rest, chunk.subarray(start, at)])
      rest = []
      start = at + 1
      const entry = toEntry(bytes, offset + bytes.length + 1)
      if (entry) yield entry
    }
    if (start < chunk.length) rest.push(chunk.subarray(start))
  }
  const bytes = Buffer.concat(rest)
  if (bytes.length === 0) return
  const entry = toEntry(bytes, offset + bytes.length)
  if (entry) yield entry.problem ? { ...entry, problem: `unfinished last line: ${entry.problem}` } : entry
}

/** A line's value, or why it has none; nothing when it is empty. */
function readLine(bytes: Buffer): Pick<JsonlLine, 'value' | 'problem'> | undefined {
  try {
    const text = bytes.toString('utf8').trim()
    return text === '' ? undefined : { value: JSON.parse(text) }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

const BACKWARD_CHUNK_BYTES = 1024 * 1024

/** A line beyond this is passed over when reading backwards, so that it cannot fill the memory. */
const LONGEST_LINE_BYTES = 64 * 1024 * 1024

export type BackwardLine = Omit<JsonlLine, 'line'>

/**
 * The lines of a file from its end to its beginning: what is at the end of a file of any size is read at the
 * cost of just that. They come in batches, a chunk of the file at a time, because waiting for each line by itself
 * takes longer than parsing it. A line is parsed when it is taken from its batch; whoever leaves some of a batch
 * takes no further one.
 */
export async function* readJsonlBackwards(
  path: string,
  { chunkBytes = BACKWARD_CHUNK_BYTES } = {},
): AsyncGenerator<Iterable<BackwardLine>> {
  await using file = await open(path, 'r')
  const { size } = await file.stat()
  const lines = new BackwardLines(size)
  for (let chunkEnd = size; chunkEnd > 0; ) {
    const start = Math.max(0, chunkEnd - chunkBytes)
    const chunk = Buffer.allocUnsafe(chunkEnd - start)
    const { bytesRead } = await file.read(chunk, 0, chunk.length, start)
    if (bytesRead < chunk.length) return // somebody cut the file off meanwhile
    yield lines.take(chunk, start)
    chunkEnd = start
  }
}

/** Puts lines together again from chunks that come last first. */
class BackwardLines {
  #size: number
  /** Where the line ends that is being gathered. */
  #end: number
  /** Pieces of it, the last one first. */
  #pieces: Buffer[] = []
  #gathered = 0

  constructor(size: number) {
    this.#size = size
    this.#end = size
  }

  /** The lines that begin in a chunk, which is the one before those that were taken. */
  *take(chunk: Buffer, start: number): Generator<BackwardLine> {
    let taken = chunk.length
    for (let at = chunk.lastIndexOf(NEWLINE); at >= 0; at = lastBefore(chunk, at)) {
      this.#gather(chunk.subarray(at + 1, taken))
      yield* this.#finish(start + at + 1)
      taken = at + 1
    }
    this.#gather(chunk.subarray(0, taken))
    if (start === 0) yield* this.#finish(0)
  }

  #gather(bytes: Buffer): void {
    this.#gathered += bytes.length
    if (this.#gathered > LONGEST_LINE_BYTES) this.#pieces = []
    else if (bytes.length > 0) this.#pieces.push(bytes)
  }

  /** The line that has been gathered, if it is one. */
  #finish(offset: number): BackwardLine[] {
    if (this.#gathered === 0) return []
    const end = this.#end
    const bytes = this.#gathered > LONGEST_LINE_BYTES ? undefined : joinReversed(this.#pieces)
    const read = bytes ? readLine(bytes) : { problem: `the line is longer than ${LONGEST_LINE_BYTES} bytes` }
    this.#pieces = []
    this.#gathered = 0
    this.#end = offset
    if (!read) return []
    const unfinished = read.problem !== undefined && end === this.#size && bytes?.at(-1) !== NEWLINE
    const problem = unfinished ? `unfinished last line: ${read.problem}` : read.problem
    return [problem === undefined ? { offset, end, value: read.value } : { offset, end, problem }]
  }
}

function lastBefore(chunk: Buffer, at: number): number {
  return at === 0 ? -1 : chunk.lastIndexOf(NEWLINE, at - 1)
}

function joinReversed(pieces: Buffer[]): Buffer {
  const [only] = pieces
  return pieces.length === 1 && only ? only : Buffer.concat(pieces.toReversed())
}
