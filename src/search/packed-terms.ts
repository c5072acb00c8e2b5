/**
 * What is kept of a document for scoring it: of each field how long it is, and how often each term stands in it.
 * A term takes four bytes: 25 bits of its hash, whether it tells anything (it came from more than stop words),
 * and its count up to 63. Two different terms look the same once in 30 million times, which can lend a document
 * that was found by its other words a mention, and never finds one.
 */

/** Numbers before the terms, for each field: how many words it has, and how many different terms. */
export const NUMBERS_PER_FIELD = 2

export const MOST_COUNTED = 63
const TELLING = 64
const KEY_MASK = ~127

/** Two numbers from the letters of a word are as good as the word; this is the first, spread over all its bits. */
export function termKey(term: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < term.length; at++) hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) & KEY_MASK
}

export function packTerm(key: number, telling: boolean, count: number): number {
  return key | (telling ? TELLING : 0) | Math.min(count, MOST_COUNTED)
}

/** The packed terms of one document, as they were stored. */
export class PackedTerms {
  readonly lengths: number[]
  #numbers: Int32Array
  #ends: number[]

  constructor(stored: Uint8Array, fields: number) {
    const aligned = stored.byteOffset % 4 === 0 ? stored : stored.slice()
    this.#numbers = new Int32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength >> 2)
    this.lengths = []
    this.#ends = [fields * NUMBERS_PER_FIELD]
    for (let field = 0; field < fields; field++) {
      this.lengths.push(this.#numbers[field * NUMBERS_PER_FIELD] ?? 0)
      const terms = this.#numbers[field * NUMBERS_PER_FIELD + 1] ?? 0
      this.#ends.push((this.#ends[field] ?? 0) + terms)
    }
  }

  /** Calls `found` for every term of a field whose key is sought: with what it is sought as, and its count. */
  eachOf(sought: SoughtTerms, field: number, found: (which: number, count: number) => void): void {
    const end = this.#ends[field + 1] ?? 0
    for (let at = this.#ends[field] ?? 0; at < end; at++) {
      const packed = this.#numbers[at] as number
      if (!sought.mayHave(packed)) continue
      for (const which of sought.get(packed & KEY_MASK)) found(which, packed & MOST_COUNTED)
    }
  }

  /** The share of the telling terms of a field that is among those sought. */
  shareOf(sought: SoughtTerms, field: number): number {
    let telling = 0
    let named = 0
    const end = this.#ends[field + 1] ?? 0
    for (let at = this.#ends[field] ?? 0; at < end; at++) {
      const packed = this.#numbers[at] as number
      if ((packed & TELLING) === 0) continue
      telling++
      if (sought.mayHave(packed) && sought.get(packed & KEY_MASK).length > 0) named++
    }
    return named / Math.max(telling, 1)
  }
}

const NONE: readonly number[] = []
const SIEVE_BITS = 12

/** The terms of a question by key. A small sieve keeps nearly every other term from being looked up. */
export class SoughtTerms {
  #byKey = new Map<number, number[]>()
  #sieve = new Uint8Array(1 << SIEVE_BITS)

  /** Each entry has the terms that count as one. */
  constructor(alternatives: readonly (readonly string[])[]) {
    alternatives.forEach((terms, which) => {
      for (const key of new Set(terms.map(termKey))) {
        this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), which])
        this.#sieve[key >>> (32 - SIEVE_BITS)] = 1
      }
    })
  }

  mayHave(packed: number): boolean {
    return this.#sieve[packed >>> (32 - SIEVE_BITS)] === 1
  }

  get(key: number): readonly number[] {
    return this.#byKey.get(key) ?? NONE
  }
}
