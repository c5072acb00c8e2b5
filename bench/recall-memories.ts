/** Memories that look like memories, as many as wanted and the same every time. */
import type { SearchDocument } from '../src/search/index.ts'
import { randomFrom } from '../torture/random.ts'

const VOCABULARY = 40_000
const TYPES = ['user', 'feedback', 'project', 'reference']
const FUNCTION_WORDS =
  'the of to and a in is for that with on it as be not this we by are from or when should use before after'.split(
    ' ',
  )
const ONSETS = 'b c d f g h k l m n p r s t v w br cl dr fl gr pl pr st tr sh ch'.split(' ')
const VOWELS = 'a e i o u ai ea ou'.split(' ')
const CODAS = ['', '', 'n', 'r', 's', 't', 'l', 'ck', 'nd', 'm']

type Random = () => number

export class MemoryWriter {
  #random: Random
  #words: string[]

  constructor(seed: number) {
    // The vocabulary is the same for memories and questions, whatever their seeds.
    const random = randomFrom(1)
    const words = new Set<string>()
    while (words.size < VOCABULARY) words.add(inventWord(random))
    this.#words = [...words]
    this.#random = randomFrom(seed)
  }

  memory(number: number): SearchDocument {
    const identifier =
      this.#random() < 0.3 ? ` ${this.#word()}${capital(this.#word())}${capital(this.#word())}()` : ''
    return {
      id: `${pick(TYPES, this.#random)}_${number}.md`,
      fields: {
        name: capital(this.#contentWords(2 + Math.floor(this.#random() * 3))),
        description: capital(this.#prose(8 + Math.floor(this.#random() * 8))),
        body: this.#sentences(2 + Math.floor(this.#random() * 5)) + identifier,
        hook: this.#prose(6),
      },
    }
  }

  /** Questions of every shape in turn: a rare word, two words, a sentence, a long message, an identifier. */
  question(number: number): string {
    switch (number % 5) {
      case 0:
        return this.#words[Math.floor(VOCABULARY * (0.2 + 0.8 * this.#random()))] ?? ''
      case 1:
        return this.#contentWords(2)
      case 2:
        return `how should we ${this.#word()} the ${this.#word()} when ${this.#word()} is in ${this.#word()}?`
      case 3:
        return this.#prose(15)
      default:
        return `where is ${this.#word()}${capital(this.#word())} used for ${this.#word()}`
    }
  }

  /** Zipf's law: the chance of a word falls with its rank. */
  #word(): string {
    return this.#words[Math.floor(VOCABULARY ** this.#random()) - 1] ?? 'word'
  }

  #contentWords(count: number): string {
    return Array.from({ length: count }, () => this.#word()).join(' ')
  }

  #prose(count: number): string {
    return Array.from({ length: count }, () =>
      this.#random() < 0.45 ? pick(FUNCTION_WORDS, this.#random) : this.#word(),
    ).join(' ')
  }

  #sentences(count: number): string {
    return Array.from({ length: count }, () => `${capital(this.#prose(12))}.`).join(' ')
  }
}

function inventWord(random: Random): string {
  const syllables = 1 + Math.floor(random() * 3)
  let word = ''
  for (let at = 0; at < syllables; at++)
    word += pick(ONSETS, random) + pick(VOWELS, random) + pick(CODAS, random)
  return word
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function pick(from: readonly string[], random: Random): string {
  return from[Math.floor(random() * from.length)] ?? ''
}
