import { readSync } from 'node:fs'

export interface Line {
  /** Where it begins and ends in the file, without its newline. Valid until the next one is asked for. */
  offset: number
  bytes: Buffer
}

const NEWLINE = 0x0a
const CHUNK_BYTES = 256 * 1024
/** A line beyond this is passed over, so that it cannot fill the memory. */
const LONGEST_LINE_BYTES = 64 * 1024 * 1024

/** The finished lines of a part of an open file, one at a time, in bounded memory. */
export class LineReader {
  /** Where the first line begins that was not given. */
  consumed: number
  /** How many bytes were read. */
  bytes = 0
  #file: number
  #end: number
  #chunk = Buffer.alloc(0)
  /** Where the chunk begins in the file, how much of it is filled, and where the next line begins in it. */
  #at: number
  #filled = 0
  #next = 0
  #passingOver = false

  constructor(file: number, from: number, end: number) {
    this.#file = file
    this.#at = from
    this.#end = end
    this.consumed = from
  }

  /** Empty and overlong lines come without bytes: they count as lines. Undefined when no whole line is left. */
  next(): Line | undefined {
    let unsearched: number | undefined = this.#next
    while (unsearched !== undefined) {
      const newline = this.#chunk.indexOf(NEWLINE, unsearched)
      if (newline >= 0 && newline < this.#filled) return this.#take(newline)
      unsearched = this.#readMore()
    }
    return undefined
  }

  #take(newline: number): Line {
    const line = { offset: this.consumed, bytes: this.#chunk.subarray(this.#next, newline) }
    if (this.#passingOver) line.bytes = line.bytes.subarray(0, 0)
    this.#passingOver = false
    this.#next = newline + 1
    this.consumed = this.#at + this.#next
    return line
  }

  /**
   * Keeps the unfinished line, at the beginning of the chunk, and reads on behind it; tells where that is, or
   * undefined when there is no more.
   */
  #readMore(): number | undefined {
    if (this.#filled - this.#next > LONGEST_LINE_BYTES) this.#passingOver = true
    const kept = this.#passingOver ? 0 : this.#filled - this.#next
    const from = this.#at + this.#filled
    const wanted = Math.min(CHUNK_BYTES, this.#end - from)
    if (wanted <= 0) return undefined
    const fits = kept + wanted <= this.#chunk.length
    const chunk = fits ? this.#chunk : Buffer.allocUnsafeSlow(kept * 2 + wanted)
    this.#chunk.copy(chunk, 0, this.#filled - kept, this.#filled)
    const read = readSync(this.#file, chunk, kept, wanted, from)
    this.#chunk = chunk
    this.#at = from - kept
    this.#filled = kept + read
    this.#next = 0
    this.bytes += read
    return read > 0 ? kept : undefined // nothing: somebody cut the file off meanwhile
  }
}
