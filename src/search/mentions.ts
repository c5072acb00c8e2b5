import { stem } from './porter.ts'
import type { TermForm } from './terms.ts'

const LETTER_OR_DIGIT = /[\p{L}\p{N}\p{Co}]/u

/**
 * Counts terms in prepared text without splitting it into words: a stem without its last letter begins
 * every word that it is the stem of, and looking for that is many times faster.
 */
export class MentionCounter {
  #forms: { term: string; beginning: string }[]
  #stems = new Map<string, string>()

  constructor(forms: readonly TermForm[]) {
    this.#forms = forms.map(({ term }) => ({ term, beginning: term.length > 2 ? term.slice(0, -1) : term }))
  }

  count(text: string): number {
    let count = 0
    for (const { term, beginning } of this.#forms) {
      let at = text.indexOf(beginning)
      while (at !== -1) {
        const end = endOfWord(text, at + beginning.length)
        if (!isLetterBefore(text, at) && this.#stemOf(text.slice(at, end)) === term) count++
        at = text.indexOf(beginning, end)
      }
    }
    return count
  }

  #stemOf(word: string): string {
    let stemmed = this.#stems.get(word)
    if (stemmed === undefined) {
      stemmed = stem(word)
      this.#stems.set(word, stemmed)
    }
    return stemmed
  }
}

function endOfWord(text: string, from: number): number {
  let end = from
  while (end < text.length && isLetterAt(text, end)) end += isHighSurrogate(text, end) ? 2 : 1
  return end
}

function isLetterBefore(text: string, at: number): boolean {
  if (at === 0) return false
  return isLetterAt(text, at > 1 && isHighSurrogate(text, at - 2) ? at - 2 : at - 1)
}

function isLetterAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code < 128) return (code > 96 && code < 123) || (code > 47 && code < 58)
  return LETTER_OR_DIGIT.test(String.fromCodePoint(text.codePointAt(at) ?? 0))
}

function isHighSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0xd800 && code <= 0xdbff
}
