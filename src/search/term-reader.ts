/**
 * Documents to terms, about as fast as their letters can be looked at. Nearly every word of a text has been met
 * before, so what becomes of a word (folded, stemmed, the parts of an identifier beside it) is kept in a table
 * and found by hashes that are made while its letters go by. Nothing is allocated for a word that is known.
 */
import { HashTable } from './hash-table.ts'
import { stem } from './porter.ts'
import { isStopWord } from './stop-words.ts'
import {
  type DocumentTerms,
  enlarged,
  FIRST_HASH,
  FIRST_PRIME,
  FIRST_SIZE,
  MOST_BYTES_PER_UNIT,
  NO_WORDS,
  SECOND_PRIME,
  TermCounts,
} from './term-counts.ts'
import { CJK_RUN, charactersAndPairs, fold, identifierParts, plainForm, WORD } from './terms.ts'

/** Longer words are hardly ever met twice. */
const LONGEST_KEPT_WORD = 64

/** What a byte can be part of. */
const SEPARATOR = 0
const DIGIT = 1
const CAPITAL = 2
const SMALL = 4
const PLAIN = DIGIT | CAPITAL | SMALL
const FOREIGN = 8
const KINDS = Uint8Array.from({ length: 256 }, (_, code) => {
  if (code > 127) return FOREIGN
  if (code > 47 && code < 58) return DIGIT
  if (code > 64 && code < 91) return CAPITAL
  return code > 96 && code < 123 ? SMALL : SEPARATOR
})

const SPACE = 32

const encoder = new TextEncoder()

export class TermReader {
  #counts = new TermCounts()
  /** Of a word: its term, as `#termOf` tells it, plus 2; and where the parts of an identifier are listed. */
  #known = new HashTable()
  #parts = new Int32Array(FIRST_SIZE)
  #partsEnd = 1
  /** The field that is being read. */
  #text = Buffer.alloc(FIRST_SIZE)

  /** `more` are words that the index holds as they are, parted by spaces. */
  read(fields: readonly string[], more: Uint8Array = NO_WORDS): DocumentTerms {
    if (this.#counts.isFull) {
      this.#counts.forget()
      this.#known.clear()
      this.#partsEnd = 1
    }
    this.#counts.beginDocument(fields.length)
    for (const field of fields) {
      this.#counts.beginField()
      if (field !== '') this.#readField(field)
      this.#counts.endField()
    }
    return this.#counts.endDocument(more)
  }

  /** As bytes: asking a string for its letters one by one takes three times as long. */
  #readField(field: string): void {
    const most = field.length * MOST_BYTES_PER_UNIT + 1
    if (most > this.#text.length) this.#text = Buffer.alloc(most)
    const text = this.#text
    const { written } = encoder.encodeInto(field, text)
    text[written] = SPACE // ends the last word
    let at = 0
    while (at < written) {
      const start = at
      let byte = text[at++] as number
      let kind = KINDS[byte] as number
      if (kind === SEPARATOR) continue
      let first = FIRST_HASH
      let second = 0
      let kinds = 0
      while ((kind & PLAIN) !== 0) {
        first = Math.imul(first ^ byte, FIRST_PRIME)
        second = (Math.imul(second, SECOND_PRIME) + byte) | 0
        byte = text[at++] as number
        kind = KINDS[byte] as number
        kinds |= kind
      }
      if (kind === SEPARATOR) this.#word(start, at - 1, first, second, kinds)
      else at = this.#foreign(start, at)
    }
  }

  /** A word of plain letters and digits; `kinds` tells what follows its first letter. */
  #word(start: number, end: number, first: number, second: number, kinds: number): void {
    const { slots } = this.#known
    const at = this.#known.find(first, second)
    const own = slots[at + 2] as number
    if (own === 0) {
      const mayHaveParts = (kinds & (DIGIT | CAPITAL)) !== 0
      this.#newWord(this.#text.toString('latin1', start, end), mayHaveParts, first, second)
      return
    }
    this.#counts.mention((own >> 1) - 1, own & 1)
    const parts = slots[at + 3] as number
    if (parts !== 0) this.#mentionParts(parts)
  }

  #newWord(word: string, mayHaveParts: boolean, first: number, second: number): void {
    if (!this.#isKept(word)) {
      this.#counts.mentionUnnumbered(stem(fold(word)))
      return
    }
    const own = this.#termOf(word)
    this.#counts.mention(own >> 1, own & 1)
    const parts = mayHaveParts ? identifierParts(word) : []
    const listed = parts.length > 0 ? this.#list(parts) : 0
    this.#known.add(first, second, own + 2, listed)
    if (listed !== 0) this.#mentionParts(listed)
  }

  #isKept(word: string): boolean {
    return word.length <= LONGEST_KEPT_WORD && this.#counts.hasRoomFor(word.length)
  }

  /** Writes down the terms of an identifier's parts, after how many they are; returns where. */
  #list(parts: readonly string[]): number {
    const at = this.#partsEnd
    while (at + parts.length >= this.#parts.length) this.#parts = enlarged(this.#parts)
    this.#parts[this.#partsEnd++] = parts.length
    for (const part of parts) this.#parts[this.#partsEnd++] = this.#termOf(part)
    return at
  }

  #mentionParts(listed: number): void {
    const end = listed + (this.#parts[listed] as number)
    for (let at = listed + 1; at <= end; at++) {
      const part = this.#parts[at] as number
      this.#counts.mention(part >> 1, part & 1)
    }
  }

  /** Of a word: the number of its term, times two, plus whether it tells anything. */
  #termOf(word: string): number {
    const folded = fold(word)
    return this.#counts.numberOf(stem(folded)) * 2 + (isStopWord(folded) ? 0 : 1)
  }

  /**
   * A run with signs beyond ASCII in it, such as `don’t`, which is one word to a reader and two to the index. CJK
   * is taken as single characters and pairs. Returns where the run ends.
   */
  #foreign(start: number, from: number): number {
    let end = from
    while (KINDS[this.#text[end] as number] !== SEPARATOR) end++
    const before = this.#counts.wordsInField
    let spread = false
    for (const [letters] of plainForm(this.#text.toString('utf8', start, end)).matchAll(WORD)) {
      let done = 0
      for (const { 0: cjk, index } of letters.matchAll(CJK_RUN)) {
        spread = true
        this.#foreignWord(letters.slice(done, index))
        for (const piece of charactersAndPairs(fold(cjk))) this.#foreignWord(piece)
        done = index + cjk.length
      }
      this.#foreignWord(letters.slice(done))
    }
    if (!spread) this.#counts.wordsInField = before + 1
    return end
  }

  #foreignWord(word: string): void {
    if (word === '') return
    if (!this.#isKept(word)) {
      this.#counts.mentionUnnumbered(stem(fold(word)))
      return
    }
    for (const part of [word, ...identifierParts(word)]) {
      const term = this.#termOf(part)
      this.#counts.mention(term >> 1, term & 1)
    }
  }
}
