/**
 * Bytes to text, so that nothing is lost on the way (the way back is in encode-text.ts). Imports nothing of ours: the
 * thread that searches files starts with it, and should start fast.
 */
import { isUtf8 } from 'node:buffer'

export type Encoding = 'UTF-8' | 'UTF-16 LE' | 'UTF-16 BE' | 'Latin-1'

export interface TextForm {
  encoding: Encoding
  /** Begins with a byte order mark, which is not part of the text. */
  bom: boolean
}

export interface Decoded {
  text: string
  form: TextForm
}

export const PLAIN_FORM: TextForm = { encoding: 'UTF-8', bom: false }

/** Where a NUL byte makes a file binary: git looks at as much. */
export const SAMPLE_BYTES = 8_000
/** More control characters than this share, and bytes that are not UTF-8 are no text either. */
const MOST_CONTROL = 0.05

export const BOMS: ReadonlyArray<[Encoding, readonly number[]]> = [
  ['UTF-8', [0xef, 0xbb, 0xbf]],
  ['UTF-16 LE', [0xff, 0xfe]],
  ['UTF-16 BE', [0xfe, 0xff]],
]

/** Told by the beginning of a file; UTF-16 is full of NUL bytes, but says what it is. */
export function isBinary(sample: Buffer): boolean {
  return markOf(sample) === undefined && sample.subarray(0, SAMPLE_BYTES).includes(0)
}

function markOf(sample: Buffer): Encoding | undefined {
  return BOMS.find(([, bom]) => bom.every((byte, at) => sample[at] === byte))?.[0]
}

/** The form that the beginning of a file tells; undefined when it is not text. `cut` when there may be more of it. */
export function formOf(sample: Buffer, { cut = true } = {}): TextForm | undefined {
  const marked = markOf(sample)
  if (marked) return { encoding: marked, bom: true }
  if (isBinary(sample)) return undefined
  const { valid, invalid } = countSequences(sample, cut)
  if (invalid === 0 || valid >= invalid) return PLAIN_FORM
  return looksLikeText(sample) ? { encoding: 'Latin-1', bom: false } : undefined
}

export function bomLength({ encoding, bom }: TextForm): number {
  return bom ? (encoding === 'UTF-8' ? 3 : 2) : 0
}

/** Undefined when the bytes are not text. */
export function decodeText(bytes: Buffer): Decoded | undefined {
  const form = isUtf8(bytes) ? formOf(bytes.subarray(0, SAMPLE_BYTES)) : formOf(bytes, { cut: false })
  if (!form) return undefined
  const body = bytes.subarray(bomLength(form))
  if (form.encoding.startsWith('UTF-16') && body.length % 2 === 1) return undefined
  return { text: decodeBody(body, form.encoding), form }
}

export function decodeBody(body: Buffer, encoding: Encoding): string {
  switch (encoding) {
    case 'UTF-8':
      return decodeUtf8(body)
    case 'UTF-16 LE':
      return body.toString('utf16le')
    case 'UTF-16 BE':
      return swapped(body).toString('utf16le')
    case 'Latin-1':
      return body.toString('latin1')
  }
}

export function swapped(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2))).swap16()
}

/** A byte that is no UTF-8 becomes the lone surrogate U+DC00 + byte, and that byte again when encoded. */
export function decodeUtf8(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  const pieces: string[] = []
  let validFrom = 0
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at)
    if (length > 0) {
      at += length
      continue
    }
    if (at > validFrom) pieces.push(bytes.toString('utf8', validFrom, at))
    pieces.push(String.fromCharCode(0xdc00 + (bytes[at] ?? 0)))
    validFrom = ++at
  }
  pieces.push(bytes.toString('utf8', validFrom))
  return pieces.join('')
}

/** Bytes of the valid UTF-8 sequence at a position; 0 when there is none. */
function sequenceLength(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0
  if (first < 0x80) return 1
  const length = first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : 4
  if (first < 0xc2 || first > 0xf4 || at + length > bytes.length) return 0
  const second = bytes[at + 1] ?? 0
  const lowest = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80
  const highest = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf
  if (second < lowest || second > highest) return 0
  for (let next = at + 2; next < at + length; next++) if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return 0
  return length
}

/** Sequences of several bytes that are valid UTF-8, and bytes that are not. */
function countSequences(bytes: Buffer, cut: boolean): { valid: number; invalid: number } {
  if (isUtf8(bytes)) return { valid: 0, invalid: 0 }
  let [valid, invalid] = [0, 0]
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at)
    if (length > 1) valid++
    if (length === 0) {
      if (cut && isBegunSequence(bytes, at)) break
      invalid++
    }
    at += length || 1
  }
  return { valid, invalid }
}

/** Whether what is left may be the beginning of a character. */
function isBegunSequence(bytes: Buffer, at: number): boolean {
  const first = bytes[at] ?? 0
  const rest = bytes.subarray(at + 1)
  return first >= 0xc2 && first <= 0xf4 && rest.length < 3 && rest.every(byte => (byte & 0xc0) === 0x80)
}

function looksLikeText(bytes: Buffer): boolean {
  let control = 0
  for (const byte of bytes)
    if (byte < 0x07 || (byte > 0x0d && byte < 0x20 && byte !== 0x1b) || byte === 0x7f) control++
  return control <= bytes.length * MOST_CONTROL
}
