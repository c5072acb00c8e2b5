/**
 * Counts the terms of a document, field by field, and writes them down as the index takes them in. Terms are
 * numbers here; what belongs to one stands in arrays, side by side, because that is where the time goes: a gigabyte
 * of sessions has sixty million words.
 */
import { HashTable } from './hash-table.ts'
import { NUMBERS_PER_FIELD, packTerm, termKey } from './packed-terms.ts'

export type DocumentTerms = {
  /** Every term, parted by spaces: what FTS5 takes in. As bytes, which it takes for text. */
  words: Uint8Array
  packed: Uint8Array
  /** How many words each field has: its length, as BM25 measures it. */
  lengths: number[]
}

/** What is kept takes some 15 MB at most. Where the bytes of a term are is told in 24 bits, how many in 8. */
const MOST_TERMS = 1 << 18
const MOST_BYTES = 1 << 23
const LONGEST_TERM_BYTES = 255

/** All of the arrays grow as they are needed. */
export const FIRST_SIZE = 1 << 10
const NUMBERS_PER_TERM = 4
const SHEET_BYTES = 64 * 1024
const SPACE = 32

/** FNV-1a, and the hash that Java has for strings. */
export const FIRST_HASH = 0x811c9dc5
export const FIRST_PRIME = 0x01000193
export const SECOND_PRIME = 31

/** UTF-8 of one unit of a string. */
export const MOST_BYTES_PER_UNIT = 3

export const NO_WORDS = new Uint8Array(0)

export class TermCounts {
  /** How many words the field has so far. */
  wordsInField = 0
  /** Of a term: its number, plus 1. */
  #numbers = new HashTable()
  #termCount = 0
  /** Of a term: the field it was last seen in, its count there with whether it told anything, its bytes, its key. */
  #terms = new Int32Array(FIRST_SIZE)
  #bytes = new Uint8Array(FIRST_SIZE)
  #byteCount = 0
  /** Counts the fields since everything was forgotten. */
  #field = 0
  /** The terms of the field, in their order. */
  #seen = new Int32Array(FIRST_SIZE)
  #seenCount = 0
  /** Those that have no number. */
  #unnumbered = new Map<string, number>()
  #lengths: number[] = []
  #words = new Uint8Array(FIRST_SIZE)
  #wordsEnd = 0
  #packed = new Int32Array(FIRST_SIZE)
  #packedEnd = 0
  #sheet = NO_WORDS
  #sheetEnd = 0

  /** To be looked at between documents. */
  get isFull(): boolean {
    return this.#termCount > MOST_TERMS || this.#byteCount > MOST_BYTES
  }

  /** The numbers of all terms end with this. */
  forget(): void {
    this.#numbers.clear()
    this.#termCount = 0
    this.#terms.fill(0)
    this.#byteCount = 0
    this.#field = 0
  }

  beginDocument(fields: number): void {
    this.#lengths = []
    this.#wordsEnd = 0
    this.#packedEnd = fields * NUMBERS_PER_FIELD
  }

  beginField(): void {
    this.#field++
    this.#seenCount = 0
    this.wordsInField = 0
    if (this.#unnumbered.size > 0) this.#unnumbered.clear()
  }

  /** Whether a term of so many letters can have a number. One document may be longer than all that is kept. */
  hasRoomFor(letters: number): boolean {
    const bytes = letters * MOST_BYTES_PER_UNIT
    return bytes <= LONGEST_TERM_BYTES && this.#byteCount + bytes < 2 * MOST_BYTES
  }

  numberOf(term: string): number {
    let first = FIRST_HASH
    let second = 0
    for (let index = 0; index < term.length; index++) {
      const code = term.charCodeAt(index)
      first = Math.imul(first ^ code, FIRST_PRIME)
      second = (Math.imul(second, SECOND_PRIME) + code) | 0
    }
    const known = this.#numbers.slots[this.#numbers.find(first, second) + 2] as number
    if (known !== 0) return known - 1
    const number = this.#termCount++
    this.#numbers.add(first, second, number + 1, 0)
    this.#keep(term, number << 2)
    return number
  }

  #keep(term: string, at: number): void {
    if (at + NUMBERS_PER_TERM > this.#terms.length) this.#terms = enlarged(this.#terms)
    while (this.#byteCount + term.length * MOST_BYTES_PER_UNIT > this.#bytes.length)
      this.#bytes = enlarged(this.#bytes)
    const bytes = writeText(term, this.#bytes, this.#byteCount)
    this.#terms[at + 2] = (this.#byteCount << 8) | bytes
    this.#terms[at + 3] = termKey(term)
    this.#byteCount += bytes
  }

  /** `telling` is 1 for a word that says something, 0 for a stop word. */
  mention(number: number, telling: number): void {
    const at = number << 2
    const terms = this.#terms
    this.wordsInField++
    if (terms[at] === this.#field) {
      terms[at + 1] = ((terms[at + 1] as number) + 2) | telling
      return
    }
    terms[at] = this.#field
    terms[at + 1] = 2 | telling
    if (this.#seenCount === this.#seen.length) this.#seen = enlarged(this.#seen)
    this.#seen[this.#seenCount++] = number
  }

  mentionUnnumbered(term: string): void {
    this.wordsInField++
    this.#unnumbered.set(term, (this.#unnumbered.get(term) ?? 0) + 1)
  }

  endField(): void {
    const before = this.#packedEnd
    const terms = this.#terms
    while (this.#packedEnd + this.#seenCount + this.#unnumbered.size > this.#packed.length)
      this.#packed = enlarged(this.#packed)
    for (let seen = 0; seen < this.#seenCount; seen++) {
      const at = (this.#seen[seen] as number) << 2
      const counted = terms[at + 1] as number
      this.#packed[this.#packedEnd++] = packTerm(terms[at + 3] as number, (counted & 1) === 1, counted >> 1)
      const bytes = terms[at + 2] as number
      this.#copyWord(bytes >>> 8, bytes & LONGEST_TERM_BYTES)
    }
    for (const [term, count] of this.#unnumbered) {
      this.#packed[this.#packedEnd++] = packTerm(termKey(term), true, count)
      this.#writeWords(Buffer.from(term))
    }
    this.#packed[this.#lengths.length * NUMBERS_PER_FIELD] = this.wordsInField
    this.#packed[this.#lengths.length * NUMBERS_PER_FIELD + 1] = this.#packedEnd - before
    this.#lengths.push(this.wordsInField)
  }

  /** `more` are words that the index holds as they are, parted by spaces. */
  endDocument(more: Uint8Array): DocumentTerms {
    this.#writeWords(more)
    const packed = new Uint8Array(this.#packed.buffer, 0, this.#packedEnd * Int32Array.BYTES_PER_ELEMENT)
    const words = this.#words.subarray(0, this.#wordsEnd)
    return { words: this.#copy(words), packed: this.#copy(packed), lengths: this.#lengths }
  }

  /** Letter by letter: for a handful of bytes that is faster than any call. */
  #copyWord(from: number, length: number): void {
    if (this.#wordsEnd + length >= this.#words.length) this.#words = enlarged(this.#words)
    const words = this.#words
    let to = this.#wordsEnd
    for (let at = from; at < from + length; at++) words[to++] = this.#bytes[at] as number
    words[to++] = SPACE
    this.#wordsEnd = to
  }

  #writeWords(words: Uint8Array): void {
    if (words.length === 0) return
    while (this.#wordsEnd + words.length >= this.#words.length) this.#words = enlarged(this.#words)
    this.#words.set(words, this.#wordsEnd)
    this.#wordsEnd += words.length
    this.#words[this.#wordsEnd++] = SPACE
  }

  /** Many of them in one piece of memory: small pieces are costly to make and to get rid of. */
  #copy(bytes: Uint8Array): Uint8Array {
    if (this.#sheetEnd + bytes.length > this.#sheet.length) {
      this.#sheet = new Uint8Array(Math.max(SHEET_BYTES, bytes.length))
      this.#sheetEnd = 0
    }
    const copy = this.#sheet.subarray(this.#sheetEnd, this.#sheetEnd + bytes.length)
    copy.set(bytes)
    this.#sheetEnd += (bytes.length + 3) & ~3 // numbers begin at multiples of four
    return copy
  }
}

function writeText(text: string, into: Uint8Array, at: number): number {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code > 127) {
      const bytes = Buffer.from(text)
      into.set(bytes, at)
      return bytes.length
    }
    into[at + index] = code
  }
  return text.length
}

export function enlarged<T extends Int32Array | Uint8Array>(numbers: T): T {
  const larger = new (numbers.constructor as new (length: number) => T)(numbers.length * 2)
  larger.set(numbers)
  return larger
}
