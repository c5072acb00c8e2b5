/** What a task prints: a file that grows, and that anybody can read along in. */
import { type FileHandle, open } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { because, PRIVATE_FILE, systemCode } from '../../store/index.ts'

/** What is read of an output at once, in bytes: it is for the model, and fits its limit. */
const READ_BYTES = 28_000
/** Kept of what one task says. Helpers and dreams say far less; a command has a limit of its own. */
const MOST_BYTES = 16 * 1024 * 1024
const FOLLOW_EVERY_MS = 250

/** Appends to a file up to a limit, in the order of the calls. */
export class OutputFile {
  readonly path: string
  /** Why the file does not hold what it should, if it does not: the disk may be full. */
  problem: string | undefined
  #file: Promise<FileHandle> | undefined
  #written: Promise<void> = Promise.resolve()
  #left: number

  constructor(path: string, limit = MOST_BYTES) {
    this.path = path
    this.#left = limit
  }

  add(text: string): void {
    const bytes = Buffer.from(text)
    if (this.#left <= 0 || bytes.length === 0) return
    const fits = bytes.length <= this.#left
    const kept = fits ? bytes : Buffer.concat([wholeStart(bytes, this.#left), Buffer.from(TOO_MUCH)])
    this.#left = fits ? this.#left - bytes.length : 0
    this.#written = this.#written.then(() => this.#write(kept))
  }

  /** Makes the file if nothing has been said yet, so that it can be followed from the beginning. */
  async begin(): Promise<void> {
    this.#written = this.#written.then(() => this.#write(Buffer.alloc(0)))
    await this.#written
  }

  async close(): Promise<void> {
    await this.#written
    await (await this.#file)?.close()
    this.#file = undefined
  }

  async #write(bytes: Buffer): Promise<void> {
    if (this.problem !== undefined) return
    try {
      this.#file ??= open(this.path, 'a', PRIVATE_FILE)
      await (await this.#file).appendFile(bytes)
    } catch (error) {
      this.problem = because(error)
      this.#file = undefined
    }
  }
}

const TOO_MUCH = '\n[More was said than is kept.]\n'

/** A part of a task's output. */
export interface TaskOutput {
  text: string
  /** Where in the file it begins, in bytes. */
  from: number
  /** Where to read on. */
  next: number
  /** Bytes in the file by now. */
  size: number
}

export interface ReadOptions {
  /** The last part, unless given. */
  from?: number | undefined
  /** More may follow: of a character that is still being printed, the rest comes with the next reading. */
  growing: boolean
}

/** Nothing, where nothing was printed yet. */
export async function readOutput(path: string, { from, growing }: ReadOptions): Promise<TaskOutput> {
  const opened = await open(path, 'r').catch(error => {
    if (systemCode(error) !== 'ENOENT') throw error
    return undefined
  })
  if (!opened) return { text: '', from: 0, next: 0, size: 0 }
  await using file = opened
  const { size } = await file.stat()
  const start = Math.min(from ?? Math.max(0, size - READ_BYTES), size)
  const bytes = Buffer.alloc(Math.min(READ_BYTES, size - start))
  const { bytesRead } = await file.read(bytes, 0, bytes.length, start)
  const read = bytes.subarray(0, bytesRead)
  const whole = !growing && start + bytesRead === size ? read.length : wholeCharacters(read)
  const text = read.toString('utf8', 0, whole)
  // Without a place to begin at, it may begin within a character.
  return {
    text: from === undefined && start > 0 ? text.replace(/^\ufffd+/, '') : text,
    from: start,
    next: start + whole,
    size,
  }
}

/** What is in a file and what comes into it, until nothing more will. */
export async function* followOutput(
  path: string,
  isOver: () => Promise<boolean>,
  { from = 0, signal }: { from?: number; signal?: AbortSignal } = {},
): AsyncGenerator<string> {
  for (let next = from; !signal?.aborted; ) {
    // Asked before reading: what was printed before the end is still read.
    const over = await isOver()
    const output = await readOutput(path, { from: next, growing: !over })
    next = output.next
    if (output.text !== '') yield output.text
    if (output.next < output.size && output.text !== '') continue
    if (over) return
    await sleep(FOLLOW_EVERY_MS, undefined, { signal }).catch(() => {})
  }
}

/** How many of the bytes make whole characters; what follows may be the beginning of one. */
export function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number
    if (isContinuation(byte)) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}

export function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}

function wholeStart(bytes: Buffer, most: number): Buffer {
  const start = bytes.subarray(0, most)
  return start.subarray(0, wholeCharacters(start))
}
