/** The elements of a JSON array that is too large to be parsed at once. */

export interface ArrayElement {
  /** Byte offset of its beginning. */
  start: number
  bytes: number
  value?: unknown
  /** Why it has no value. */
  problem?: string
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
/** An element beyond this is reported and passed over, so that it cannot fill the memory. */
const LARGEST_ELEMENT_BYTES = 256 * 1024 * 1024

export class NotAnArray extends Error {}

/** Throws NotAnArray unless the file begins with `[`; what is wrong further on is told of its element. */
export async function* elementsOf(
  chunks: AsyncIterable<Buffer>,
  largest = LARGEST_ELEMENT_BYTES,
): AsyncGenerator<ArrayElement> {
  let depth = 0
  let inText = false
  let isEscaped = false
  let offset = 0
  let start = 0
  let pieces: Buffer[] = []
  let gathered = 0
  const gather = (bytes: Buffer) => {
    gathered += bytes.length
    if (gathered <= largest) pieces.push(bytes)
    else pieces = []
  }
  const end = (): ArrayElement | undefined => {
    const about = { start, bytes: gathered }
    const text = gathered > largest ? undefined : Buffer.concat(pieces).toString('utf8').trim()
    pieces = []
    gathered = 0
    if (text === '') return undefined
    return text === undefined
      ? { ...about, problem: `it is larger than ${largest} bytes` }
      : { ...about, ...parsed(text) }
  }
  for await (const chunk of chunks) {
    let from = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number
      if (inText) {
        if (isEscaped) isEscaped = false
        else if (byte === BACKSLASH) isEscaped = true
        else if (byte === QUOTE) inText = false
        continue
      }
      if (byte === QUOTE) inText = true
      else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
        if (depth++ > 0) continue
        if (byte !== OPEN_ARRAY) throw new NotAnArray()
        from = at + 1
        start = offset + from
      } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT || (byte === COMMA && depth === 1)) {
        if (byte !== COMMA) depth--
        if (byte !== COMMA && depth > 0) continue
        gather(chunk.subarray(from, at))
        const element = end()
        if (element) yield element
        if (depth <= 0) return
        from = at + 1
        start = offset + from
      } else if (depth === 0 && byte > 0x20 && byte < 0x80) {
        throw new NotAnArray()
      }
    }
    if (depth > 0) gather(chunk.subarray(from))
    offset += chunk.length
  }
  if (depth === 0) throw new NotAnArray()
  yield { start, bytes: gathered, problem: 'the file ends before it does' }
}

function parsed(text: string): Pick<ArrayElement, 'value' | 'problem'> {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (error) {
    return { problem: `it is not JSON (${error instanceof Error ? error.message : String(error)})` }
  }
}
