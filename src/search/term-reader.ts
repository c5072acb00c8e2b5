/**
 * Documents to terms, about as fast as their letters can be looked at. Nearly every word of a text has been met
 * before, so what becomes of a word (folded, stemmed, the parts of an identifier beside it) is kept in a table
 * and found by hashes that are made while its letters go by. Nothing is allocated for a word that is known.
 */
import { NUMBERS_PER_FIELD, packTerm, termKey } from './packed-terms.ts'
import { stem } from './porter.ts'
import { isStopWord } from './stop-words.ts'
import { CJK_RUN, charactersAndPairs, fold, identifierParts, plainForm, WORD } from './terms.ts'

export type DocumentTerms = {
  /** Every term, parted by spaces: what FTS5 takes in. As bytes, which it takes for text. */
  words: Uint8Array
  packed: Uint8Array
  /** How many words each field has: its length, as BM25 measures it. */
  lengths: number[]
}

/** Longer words are hardly ever met twice. Their bytes would not fit where the table says how many there are. */
const LONGEST_KEPT_WORD = 64

/** What is kept takes a few megabytes at most; then it starts anew. */
const MOST_TERMS_KEPT = 1 << 18
const MOST_BYTES_KEPT = 1 << 23

const FIRST_SLOTS = 1 << 10
const NUMBERS_PER_SLOT = 4
const NUMBERS_PER_TERM = 4

const SEPARATOR = 0
const DIGIT = 1
const CAPITAL = 2
const SMALL = 3
const FOREIGN = 4
const KINDS = Uint8Array.from({ length: 256 }, (_, code) => {
  if (code > 127) return FOREIGN
  if (code > 47 && code < 58) return DIGIT
  if (code > 64 && code < 91) return CAPITAL
  return code > 96 && code < 123 ? SMALL : SEPARATOR
})

const SPACE = 32

/** UTF-8 of one unit of a string. */
const MOST_BYTES_PER_UNIT = 3

const encoder = new TextEncoder()

export class TermReader {
  /** Of a word: two hashes, the number of its term (+ 1) with whether it tells anything, where its parts are. */
  #slots = new Int32Array(FIRST_SLOTS * NUMBERS_PER_SLOT)
  #wordCount = 0
  #parts: number[][] = [[]]
  /** Of a term: the field it was last seen in, its count there with whether it told anything, its bytes, its key. */
  #terms = new Int32Array(FIRST_SLOTS * NUMBERS_PER_TERM)
  #numbers = new Map<string, number>()
  #bytes = new Uint8Array(FIRST_SLOTS * 8)
  #byteCount = 0
  /** The field that is being read. */
  #text = Buffer.alloc(FIRST_SLOTS)
  /** Counts the fields read since everything was forgotten. */
  #field = 0
  /** The terms of the field that is being read, in their order, and how many words it has. */
  #seen = new Int32Array(FIRST_SLOTS)
  #seenCount = 0
  #wordsInField = 0
  #long = new Map<string, number>()
  #words = new Uint8Array(FIRST_SLOTS)
  #wordsEnd = 0
  #packed = new Int32Array(FIRST_SLOTS)
  #packedEnd = 0

  /** `more` are words that the index holds as they are. */
  read(fields: readonly string[], more: readonly string[] = []): DocumentTerms {
    if (this.#numbers.size > MOST_TERMS_KEPT || this.#byteCount > MOST_BYTES_KEPT) this.#forget()
    this.#wordsEnd = 0
    this.#packedEnd = fields.length * NUMBERS_PER_FIELD
    const lengths = fields.map((text, at) => {
      const before = this.#packedEnd
      this.#readField(text)
      this.#writeField()
      this.#packed[at * NUMBERS_PER_FIELD] = this.#wordsInField
      this.#packed[at * NUMBERS_PER_FIELD + 1] = this.#packedEnd - before
      return this.#wordsInField
    })
    for (const word of more) this.#writeWord(Buffer.from(word))
    const packed = this.#packed.slice(0, this.#packedEnd)
    return { words: this.#words.slice(0, this.#wordsEnd), packed: new Uint8Array(packed.buffer), lengths }
  }

  #forget(): void {
    this.#slots.fill(0)
    this.#wordCount = 0
    this.#parts = [[]]
    this.#terms.fill(0)
    this.#numbers.clear()
    this.#byteCount = 0
    this.#field = 0
  }

  /** As bytes: asking a string for its letters one by one takes three times as long. */
  #readField(field: string): void {
    this.#field++
    this.#seenCount = 0
    this.#wordsInField = 0
    this.#long.clear()
    if (field.length * MOST_BYTES_PER_UNIT > this.#text.length)
      this.#text = Buffer.alloc(field.length * MOST_BYTES_PER_UNIT)
    const text = this.#text
    const { written } = encoder.encodeInto(field, text)
    let start = -1
    let first = 0
    let second = 0
    let kinds = 0
    for (let at = 0; at < written; at++) {
      const byte = text[at] as number
      const kind = KINDS[byte] as number
      if (kind === SEPARATOR) {
        if (start >= 0) this.#word(start, at, first, second, kinds)
        start = -1
      } else if (kind === FOREIGN) {
        let end = at + 1
        while (end < written && KINDS[text[end] as number] !== SEPARATOR) end++
        this.#foreign(text.toString('utf8', start >= 0 ? start : at, end))
        at = end - 1
        start = -1
      } else if (start < 0) {
        start = at
        first = Math.imul(0x811c9dc5 ^ byte, 0x01000193)
        second = byte
        kinds = 0
      } else {
        if (kind !== SMALL) kinds |= kind
        first = Math.imul(first ^ byte, 0x01000193)
        second = (Math.imul(second, 31) + byte) | 0
      }
    }
    if (start >= 0) this.#word(start, written, first, second, kinds)
  }

  /** A word of plain letters and digits; `kinds` tells whether it can have parts. */
  #word(start: number, end: number, first: number, second: number, kinds: number): void {
    if (end - start > LONGEST_KEPT_WORD) {
      this.#longWord(this.#text.toString('latin1', start, end))
      return
    }
    const slots = this.#slots
    const last = slots.length - NUMBERS_PER_SLOT
    let at = ((first ^ (second >>> 7)) << 2) & last
    for (;;) {
      const own = slots[at + 2] as number
      if (own === 0) break
      if (slots[at] === first && slots[at + 1] === second) {
        this.#mention((own >> 1) - 1, own & 1)
        const parts = slots[at + 3] as number
        if (parts !== 0) this.#mentionParts(parts)
        return
      }
      at = (at + NUMBERS_PER_SLOT) & last
    }
    this.#learn(this.#text.toString('latin1', start, end), kinds !== 0, at, first, second)
  }

  #learn(word: string, mayHaveParts: boolean, at: number, first: number, second: number): void {
    const own = this.#termOf(word)
    const parts = mayHaveParts ? identifierParts(word).map(part => this.#termOf(part)) : []
    if (parts.length > 0) this.#parts.push(parts)
    this.#slots[at] = first
    this.#slots[at + 1] = second
    this.#slots[at + 2] = own + 2
    this.#slots[at + 3] = parts.length > 0 ? this.#parts.length - 1 : 0
    this.#mention(own >> 1, own & 1)
    if (parts.length > 0) this.#mentionParts(this.#parts.length - 1)
    this.#wordCount++
    if (this.#wordCount * 2 * NUMBERS_PER_SLOT > this.#slots.length) this.#growSlots()
  }

  #growSlots(): void {
    const old = this.#slots
    this.#slots = new Int32Array(old.length * 2)
    const last = this.#slots.length - NUMBERS_PER_SLOT
    for (let from = 0; from < old.length; from += NUMBERS_PER_SLOT) {
      if (old[from + 2] === 0) continue
      const hash = (old[from] as number) ^ ((old[from + 1] as number) >>> 7)
      let at = (hash << 2) & last
      while (this.#slots[at + 2] !== 0) at = (at + NUMBERS_PER_SLOT) & last
      this.#slots.set(old.subarray(from, from + NUMBERS_PER_SLOT), at)
    }
  }

  /** Of a word: the number of its term, times two, plus whether it tells anything. */
  #termOf(word: string): number {
    const folded = fold(word)
    return this.#numberOf(stem(folded)) * 2 + (isStopWord(folded) ? 0 : 1)
  }

  #numberOf(term: string): number {
    const known = this.#numbers.get(term)
    if (known !== undefined) return known
    const number = this.#numbers.size
    this.#numbers.set(term, number)
    const at = number * NUMBERS_PER_TERM
    if (at === this.#terms.length) this.#terms = enlarged(this.#terms)
    while (this.#byteCount + term.length * 3 > this.#bytes.length) this.#bytes = enlarged(this.#bytes)
    const bytes = writeText(term, this.#bytes, this.#byteCount)
    this.#terms[at + 2] = (this.#byteCount << 8) | bytes
    this.#terms[at + 3] = termKey(term)
    this.#byteCount += bytes
    return number
  }

  #mention(term: number, telling: number): void {
    const at = term << 2
    this.#wordsInField++
    if (this.#terms[at] === this.#field) {
      this.#terms[at + 1] = ((this.#terms[at + 1] as number) + 2) | telling
      return
    }
    this.#terms[at] = this.#field
    this.#terms[at + 1] = 2 | telling
    if (this.#seenCount === this.#seen.length) this.#seen = enlarged(this.#seen)
    this.#seen[this.#seenCount++] = term
  }

  #mentionParts(parts: number): void {
    for (const part of this.#parts[parts] ?? []) this.#mention(part >> 1, part & 1)
  }

  #longWord(word: string): void {
    this.#wordsInField++
    const term = stem(fold(word))
    this.#long.set(term, (this.#long.get(term) ?? 0) + 1)
  }

  /**
   * A run with signs beyond ASCII in it, such as `don’t`, which is one word to a reader and two to the index. CJK
   * is taken as single characters and pairs.
   */
  #foreign(run: string): void {
    const before = this.#wordsInField
    let spread = false
    for (const [letters] of plainForm(run).matchAll(WORD)) {
      let end = 0
      for (const { 0: cjk, index } of letters.matchAll(CJK_RUN)) {
        spread = true
        this.#foreignWord(letters.slice(end, index))
        for (const piece of charactersAndPairs(fold(cjk)))
          this.#mention(this.#numberOf(piece), isStopWord(piece) ? 0 : 1)
        end = index + cjk.length
      }
      this.#foreignWord(letters.slice(end))
    }
    if (!spread) this.#wordsInField = before + 1
  }

  #foreignWord(word: string): void {
    if (word === '') return
    if (word.length > LONGEST_KEPT_WORD) {
      this.#longWord(word)
      return
    }
    for (const part of [word, ...identifierParts(word)]) {
      const term = this.#termOf(part)
      this.#mention(term >> 1, term & 1)
    }
  }

  #writeField(): void {
    const terms = this.#terms
    while (this.#packedEnd + this.#seenCount + this.#long.size > this.#packed.length)
      this.#packed = enlarged(this.#packed)
    for (let seen = 0; seen < this.#seenCount; seen++) {
      const at = (this.#seen[seen] as number) << 2
      const counted = terms[at + 1] as number
      this.#packed[this.#packedEnd++] = packTerm(terms[at + 3] as number, (counted & 1) === 1, counted >> 1)
      const bytes = terms[at + 2] as number
      this.#copyWord(bytes >>> 8, bytes & 255)
    }
    for (const [term, count] of this.#long) {
      this.#packed[this.#packedEnd++] = packTerm(termKey(term), true, count)
      this.#writeWord(Buffer.from(term))
    }
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

  #writeWord(word: Uint8Array): void {
    while (this.#wordsEnd + word.length >= this.#words.length) this.#words = enlarged(this.#words)
    this.#words.set(word, this.#wordsEnd)
    this.#wordsEnd += word.length
    this.#words[this.#wordsEnd++] = SPACE
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

function enlarged<T extends Int32Array | Uint8Array>(numbers: T): T {
  const larger = new (numbers.constructor as new (length: number) => T)(numbers.length * 2)
  larger.set(numbers)
  return larger
}
