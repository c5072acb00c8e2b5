import type { IndexLayout, SearchDocument } from './document.ts'
import { filterWord } from './filter-clause.ts'
import type { DocumentTerms } from './term-counts.ts'
import { TermReader } from './term-reader.ts'

/** A document as it goes into the tables. Making one takes no lock, nor the database. */
export type PreparedDocument = Omit<SearchDocument, 'fields'> & DocumentTerms

const MOST_FILTER_WORDS_KEPT = 1_000

export class DocumentReader {
  #name: string
  #fields: readonly string[]
  #filters: readonly string[]
  #reader = new TermReader()
  /** Most documents share theirs with others. */
  #filterWordsKnown = new Map<string, Uint8Array>()

  constructor({ name, fields, filters = [] }: IndexLayout) {
    this.#name = name
    this.#fields = Object.keys(fields)
    this.#filters = filters
  }

  prepare({ fields, ...rest }: SearchDocument): PreparedDocument {
    for (const field in fields) {
      if (!this.#fields.includes(field))
        throw new RangeError(`The index ${this.#name} has no field "${field}"`)
    }
    const texts = this.#fields.map(field => fields[field] ?? '')
    return { ...rest, ...this.#reader.read(texts, this.#filterWords(rest.filters)) }
  }

  #filterWords(values: SearchDocument['filters'] = {}): Uint8Array {
    let key = ''
    for (const name of this.#filters) key += `${values[name]}\0`
    const known = this.#filterWordsKnown.get(key)
    if (known) return known
    const words = this.#filters.flatMap(name => {
      const value = values[name]
      return value === undefined ? [] : [filterWord(name, value)]
    })
    const bytes = Buffer.from(words.join(' '))
    if (this.#filterWordsKnown.size >= MOST_FILTER_WORDS_KEPT) this.#filterWordsKnown.clear()
    this.#filterWordsKnown.set(key, bytes)
    return bytes
  }
}
