import { createReadStream } from 'node:fs'
import { createZstdDecompress } from 'node:zlib'
import type { Stamp } from './source.ts'

export interface SourceLine {
  /** 1-based. */
  line: number
  /** Byte offset of its beginning. */
  start: number
  value?: unknown
  /** Why it has no value. */
  problem?: string
  /** It is the last one, and nothing ends it. */
  unfinished?: true
}

const NEWLINE = 0x0a
/** A line beyond this is reported and passed over, so that it cannot fill the memory. */
const LONGEST_LINE_BYTES = 64 * 1024 * 1024

/** The bytes that a file had when its stamp was taken; what is being appended meanwhile comes with the next import. */
export async function* bytesOf(path: string, { bytes }: Stamp): AsyncGenerator<Buffer> {
  if (bytes === 0) return
  const stream = createReadStream(path, { end: bytes - 1 })
  if (!path.endsWith('.zst')) return yield* stream as AsyncIterable<Buffer>
  const plain = createZstdDecompress()
  stream.on('error', error => plain.destroy(error))
  try {
    yield* stream.pipe(plain) as AsyncIterable<Buffer>
  } finally {
    stream.destroy()
  }
}

/** The lines of a JSONL file, one at a time, in bounded memory. Empty ones are passed over. */
export async function* linesOf(
  chunks: AsyncIterable<Buffer>,
  longest = LONGEST_LINE_BYTES,
): AsyncGenerator<SourceLine> {
  let pieces: Buffer[] = []
  let gathered = 0
  let start = 0
  let line = 0
  const gather = (bytes: Buffer) => {
    gathered += bytes.length
    if (gathered <= longest) pieces.push(bytes)
    else pieces = []
  }
  const end = (): SourceLine | undefined => {
    line++
    const read = gathered > longest ? { problem: `it is longer than ${longest} bytes` } : readLine(pieces)
    const found = read && { line, start, ...read }
    start += gathered + 1
    pieces = []
    gathered = 0
    return found
  }
  for await (const chunk of chunks) {
    let from = 0
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      gather(chunk.subarray(from, at))
      from = at + 1
      const found = end()
      if (found) yield found
    }
    if (from < chunk.length) gather(chunk.subarray(from))
  }
  if (gathered === 0) return
  const last = end()
  // An object that is whole cannot be the beginning of a longer one.
  if (last) yield last.problem === undefined ? last : { ...last, unfinished: true }
}

function readLine(pieces: readonly Buffer[]): Pick<SourceLine, 'value' | 'problem'> | undefined {
  const text = Buffer.concat(pieces).toString('utf8').trim()
  if (text === '') return undefined
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (error) {
    return { problem: `it is not JSON (${error instanceof Error ? error.message : String(error)})` }
  }
}
