import { isContinuation, wholeCharacters } from '../../work/index.ts'

/** Bytes that one character takes in UTF-8 at most. */
const BYTES_PER_CHARACTER = 4

/**
 * The beginning and the end of what a command printed, in memory that does not grow with it. Bytes are kept, and
 * decoded only when they are looked at: a character may arrive in two pieces.
 */
export class OutputWindow {
  #head: Buffer[] = []
  #headBytes = 0
  #tail: Buffer[] = []
  #tailBytes = 0
  #sideBytes: number
  bytes = 0

  /** `characters` of each side can be shown, whatever they are. */
  constructor(characters: number) {
    this.#sideBytes = characters * BYTES_PER_CHARACTER
  }

  add(chunk: Buffer): void {
    this.bytes += chunk.length
    const room = this.#sideBytes - this.#headBytes
    const first = chunk.subarray(0, room)
    if (first.length > 0) {
      this.#head.push(copyOf(first))
      this.#headBytes += first.length
    }
    // What does not fit is seen by its end alone.
    const rest = chunk.subarray(first.length).subarray(-this.#sideBytes)
    if (rest.length === 0) return
    this.#tail.push(copyOf(rest))
    this.#tailBytes += rest.length
    if (this.#tailBytes > 2 * this.#sideBytes || this.#tail.length > 1_000) this.#trim()
  }

  /** All of it where that is known, otherwise both sides of the gap. */
  sides(): { whole: string } | { head: string; tail: string; missingBytes: number } {
    this.#trim()
    const head = Buffer.concat(this.#head)
    const tail = Buffer.concat(this.#tail)
    const missingBytes = this.bytes - head.length - tail.length
    if (missingBytes === 0) return { whole: Buffer.concat([head, tail]).toString('utf8') }
    return { head: withoutTornEnd(head), tail: withoutTornStart(tail), missingBytes }
  }

  /** The last bytes as text. */
  end(bytes: number): string {
    let taken = 0
    const pieces: Buffer[] = []
    for (const list of [this.#tail, this.#head])
      for (let at = list.length - 1; at >= 0 && taken < bytes; at--) {
        const piece = list[at] as Buffer
        pieces.unshift(piece)
        taken += piece.length
      }
    const all = Buffer.concat(pieces)
    return withoutTornStart(all.subarray(Math.max(0, all.length - bytes)))
  }

  #trim(): void {
    if (this.#tail.length === 0) return
    const kept = Buffer.concat(this.#tail).subarray(-this.#sideBytes)
    this.#tail = [copyOf(kept)]
    this.#tailBytes = kept.length
  }
}

/** A view would keep alive all that was read with it. */
function copyOf(bytes: Buffer): Buffer {
  return Buffer.from(bytes)
}

/** Where the first whole character begins, in bytes cut out of UTF-8. */
function withoutTornStart(bytes: Buffer): string {
  let start = 0
  while (start < Math.min(3, bytes.length) && isContinuation(bytes[start])) start++
  return bytes.toString('utf8', start)
}

function withoutTornEnd(bytes: Buffer): string {
  return bytes.toString('utf8', 0, wholeCharacters(bytes))
}
