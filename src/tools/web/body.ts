import type { IncomingMessage } from 'node:http'
import { pipeline, Readable, type Transform } from 'node:stream'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib'
import { ReverieError } from '../../store/index.ts'
import type { Patience } from './patience.ts'

class UnknownEncoding extends ReverieError {}

/** How the reading of a body ended; except `whole`, with only its beginning. */
export type Ending = 'whole' | 'too long' | 'too slow' | 'broken'

export interface Body {
  bytes: Buffer
  ending: Ending
}

/** What `readBody` can undo, as a request says it. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br, zstd'

/** A window of 8 MB is the most that zstd may ask for on the web (RFC 9659). */
const ZSTD_WINDOW = { params: { [constants.ZSTD_d_windowLogMax]: 23 } }

/** At most so many bytes are taken from the wire, and at most so many come out of what was packed. */
export async function readBody(response: IncomingMessage, most: number, patience: Patience): Promise<Body> {
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  const chunks: Buffer[] = []
  let size = 0
  let taken = 0
  async function* fromWire() {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      patience.heard()
      taken += chunk.length
      yield chunk
      if (taken > most) return
    }
  }
  try {
    for await (const chunk of unpacked(fromWire(), encoding)) {
      chunks.push(chunk.subarray(0, most - size))
      size += chunk.length
      if (size > most) break
    }
    return { bytes: Buffer.concat(chunks), ending: size > most || taken > most ? 'too long' : 'whole' }
  } catch (error) {
    if (error instanceof UnknownEncoding) throw error
    const bytes = Buffer.concat(chunks)
    if (taken > most) return { bytes, ending: 'too long' }
    if (patience.ranOut) return { bytes, ending: 'too slow' }
    patience.signal.throwIfAborted()
    return { bytes, ending: 'broken' }
  } finally {
    response.destroy()
  }
}

async function* unpacked(source: AsyncGenerator<Buffer>, encoding: string): AsyncGenerator<Buffer> {
  if (encoding === 'identity' || encoding === '') return yield* source
  const first = await source.next()
  if (first.done) return
  async function* again() {
    yield first.value as Buffer
    yield* source
  }
  const unpacker = pipeline(Readable.from(again()), unpackerFor(encoding, first.value), () => {})
  yield* unpacker as AsyncIterable<Buffer>
}

function unpackerFor(encoding: string, first: Buffer): Transform {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'deflate':
      // With zlib's header as it should be, or without as many servers do it.
      return ((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw()
    case 'br':
      return createBrotliDecompress()
    case 'zstd':
      return createZstdDecompress(ZSTD_WINDOW)
    default:
      throw new UnknownEncoding('The answer is packed in a way that cannot be undone here.')
  }
}
