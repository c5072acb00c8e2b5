/**
 * What the terms of a text are. Words are what stands between anything that is neither letter nor digit. They are
 * folded to lower case without diacritics and stemmed; code identifiers are followed by their parts; CJK runs are
 * taken as single characters and pairs. `TermReader` does this to documents, `queryTerms` to questions.
 */
import { stem } from './porter.ts'
import { isStopWord } from './stop-words.ts'
import { formsOf } from './word-forms.ts'

export type TermForm = { term: string; surface: string }

export type QueryTerm = {
  /** What the index holds: folded and stemmed. */
  term: string
  /** The folded word before stemming (stemming twice is not stemming once), and its irregular forms. */
  forms: readonly TermForm[]
  /** Says how something is asked rather than what is asked about. */
  stop: boolean
  /** The term of the identifier this is only a part of. */
  partOf?: string
}

/** Hashes and encoded data are not identifiers: splitting them would fill the index with noise. */
const LONGEST_IDENTIFIER = 64
const MOST_IDENTIFIER_PARTS = 8
const MOST_NUMBERS_IN_IDENTIFIER = 2

const CJK_CLASS = '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}々ー'
const CJK = new RegExp(`[${CJK_CLASS}]`, 'u')
export const CJK_RUN = new RegExp(`[${CJK_CLASS}]+`, 'gu')
const HANGUL_WORD = /^\p{sc=Hangul}+$/u
export const WORD = /[\p{L}\p{N}\p{Co}]+/gu
const NOT_ASCII = /[^\x01-\x7f]/
const MAY_BE_IDENTIFIER = /\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}|\p{L}\p{N}/u
const IDENTIFIER_PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+\p{Ll}*|\p{Lo}+/gu

/** Lower case, no diacritics, compatibility forms made plain; kana and Hangul keep their marks. */
export function fold(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase()
  return text
    .toWellFormed()
    .replaceAll('\0', ' ')
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')
    .toLowerCase()
}

/** The distinct terms of a question, in its order. */
export function queryTerms(query: string): QueryTerm[] {
  const found = new Map<string, QueryTerm>()
  const taken = new Set<string>()
  const add = (surface: string, partOf?: string): void => {
    const term = stem(surface)
    if (surface === '' || taken.has(term)) return
    const forms = formsOf(surface).map(form => ({ term: stem(form), surface: form }))
    for (const form of forms) taken.add(form.term)
    const stop = isStopWord(surface) || (CJK.test(surface) && [...surface].every(isStopWord))
    found.set(term, partOf === undefined ? { term, forms, stop } : { term, forms, stop, partOf })
  }
  const words = [...plainForm(query).matchAll(WORD)].map(([word]) => word)
  for (const word of words) {
    if (CJK.test(word)) for (const piece of piecesOfMixedRun(word)) add(piece)
    else add(fold(word))
  }
  for (const word of words) {
    if (CJK.test(word)) continue
    for (const part of identifierParts(word)) add(fold(part), stem(fold(word)))
  }
  return [...found.values()]
}

export function isCjk(text: string): boolean {
  return CJK.test(text)
}

/** Case is kept, because it shows where an identifier's parts begin. */
export function plainForm(text: string): string {
  if (!NOT_ASCII.test(text)) return text
  return text
    .toWellFormed()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')
}

export function identifierParts(word: string): string[] {
  if (word.length > LONGEST_IDENTIFIER || !MAY_BE_IDENTIFIER.test(word)) return []
  const parts = word.match(IDENTIFIER_PART) ?? []
  if (parts.length < 2 || parts.length > MOST_IDENTIFIER_PARTS) return []
  const numbers = parts.filter(part => part <= '9').length
  return numbers > MOST_NUMBERS_IN_IDENTIFIER ? [] : parts
}

/**
 * Every character and every pair of neighbours, whatever the words are: a question's word is then
 * found wherever it stands, and no segmenter has to agree with itself across two texts.
 */
export function* charactersAndPairs(run: string): Generator<string> {
  const characters = [...run]
  for (const [at, character] of characters.entries()) {
    yield character
    const next = characters[at + 1]
    if (next !== undefined) yield character + next
  }
}

/** "用tab缩进" is one run of letters: its CJK stretches are segmented, the rest are words. */
function* piecesOfMixedRun(run: string): Generator<string> {
  let end = 0
  for (const match of run.matchAll(CJK_RUN)) {
    if (match.index > end) yield fold(run.slice(end, match.index))
    yield* cjkPieces(fold(match[0]))
    end = match.index + match[0].length
  }
  if (end < run.length) yield fold(run.slice(end))
}

/**
 * The segmenter only decides which pairs of a question count: those inside a word. Pairs that span
 * two words hardly ever stand in a text and would make every question look half unanswered. Words its
 * dictionary lacks (缩进, 制表符) come out of it as single characters in a row, and are put together again.
 */
function* cjkPieces(run: string): Generator<string> {
  let loose = ''
  for (const { segment } of new Intl.Segmenter('zh', { granularity: 'word' }).segment(run)) {
    const word = withoutKoreanParticle(segment)
    if ([...word].length === 1 && !isStopWord(word)) {
      loose += word
      continue
    }
    yield* charactersOrPairs(loose)
    loose = ''
    if (!isStopWord(word)) yield* charactersOrPairs(word)
    else yield word
  }
  yield* charactersOrPairs(loose)
}

function* charactersOrPairs(word: string): Generator<string> {
  const characters = [...word]
  if (characters.length === 1) yield word
  for (let at = 0; at + 1 < characters.length; at++) yield `${characters[at]}${characters[at + 1]}`
}

function withoutKoreanParticle(word: string): string {
  const stemmed = word.slice(0, -1)
  return HANGUL_WORD.test(stemmed) && isStopWord(word.slice(-1)) ? stemmed : word
}
