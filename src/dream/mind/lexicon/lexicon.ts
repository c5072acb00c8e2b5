/** Words to what they mean, for telling whether two statements say the same. */
import { fold, formsOf, isStopWord, stem } from '../../../search/index.ts'
import { CONCEPTS, SORTS } from './concepts.ts'
import { CHINESE_NEGATORS, SLIGHT, SLIGHT_CHINESE } from './function-words.ts'
import { KINDRED } from './kindred.ts'

export interface Concept {
  /** What all words of its line have in common. */
  key: string
  /** The word says the opposite. */
  opposite: boolean
}

export interface Lexicon {
  /** What a word means; its stem when it is none that is known. */
  concept(word: string): Concept
  /** Whether any list has the word, so that it is hardly anybody's name. */
  isKnown(word: string): boolean
  /** Whether a word leaves a statement as it is. */
  isSlight(word: string): boolean
  /** The sort of things that a concept is one of. */
  sortOf(key: string): string | undefined
  /** The lines of kindred words that a concept is on. */
  kinOf(key: string): readonly number[]
  /** Chinese words of two characters or more, the longest first. */
  chineseWords: RegExp
  /** Phrases of more than one English word, by their first: `package manager`. */
  phrases: ReadonlyMap<string, readonly string[]>
}

const NO_KIN: readonly number[] = []
const HAN = /\p{sc=Han}/u

/** The stem that all forms of a word have in common. */
function baseOf(word: string): string {
  const forms = formsOf(word)
  // "flies" is a form of "fly", and so of "flown".
  const plain = forms.length > 1 ? undefined : /^(\w{2,})(?:s|ing)$/.exec(word)?.[1]
  const more =
    plain === undefined ? forms : ENDINGS.flatMap(([from, to]) => manyForms(plain.replace(from, to)))
  const [base = word] = [...(more.length > 0 ? more : forms)].map(stem).sort()
  return base
}

const ENDINGS: ReadonlyArray<readonly [RegExp, string]> = [
  [/$/, ''],
  [/ie$/, 'y'],
  [/e$/, ''],
  [/$/, 'e'],
]

function manyForms(word: string): readonly string[] {
  const forms = formsOf(word)
  return forms.length > 1 ? forms : []
}

let made: Lexicon | undefined

/** Made when the first dream comes, not at start. */
export function lexicon(): Lexicon {
  made ??= makeLexicon()
  return made
}

function makeLexicon(): Lexicon {
  const concepts = new Map<string, Concept>()
  const exact = new Map<string, Concept>()
  const chinese = new Set<string>()
  const phrases = new Map<string, string[]>()
  const learn = (word: string): string => {
    if (HAN.test(word)) {
      if (word.length > 1) chinese.add(word)
      return word
    }
    if (word.includes('-')) {
      const [first = ''] = word.split('-')
      phrases.set(first, [...(phrases.get(first) ?? []), word.replaceAll('-', ' ')])
    }
    return baseOf(word)
  }
  for (const line of linesOf(CONCEPTS)) {
    const [key = ''] = line
    for (const each of line) {
      const opposite = each.startsWith('!')
      const written = opposite ? each.slice(1) : each
      // As it is written first: what is responsible does not respond, though both have one stem.
      exact.set(written, { key, opposite })
      const word = learn(written)
      if (!concepts.has(word)) concepts.set(word, { key, opposite })
    }
  }
  const conceptOf = (word: string): Concept => {
    const folded = HAN.test(word) ? word : fold(word)
    const base = HAN.test(word) ? word : baseOf(folded)
    return (
      exact.get(folded) ??
      exact.get(folded.replace(/s$/, '')) ??
      concepts.get(base) ??
      // How something is done, by what it is then.
      exact.get(folded.replace(/ly$/, '')) ?? { key: base, opposite: false }
    )
  }
  const sorts = new Map<string, string>()
  for (const [sort = '', ...words] of linesOf(SORTS))
    for (const word of words) {
      learn(word)
      // `package manager` says of pnpm what it is.
      sorts.set(conceptOf(word).key, conceptOf(sort).key)
    }
  const kindred = new Map<string, number[]>()
  for (const [at, words] of linesOf(KINDRED).entries())
    for (const word of words) {
      learn(word)
      const { key } = conceptOf(word)
      kindred.set(key, [...(kindred.get(key) ?? []), at])
    }
  const slight = new Set([...SLIGHT.trim().split(/\s+/), ...SLIGHT_CHINESE.trim().split(/\s+/)])
  for (const word of [...slight, ...CHINESE_NEGATORS]) learn(word)
  // `every other week` before `every other`.
  for (const each of phrases.values()) each.sort((a, b) => b.split(' ').length - a.split(' ').length)
  return {
    concept: conceptOf,
    isKnown: word => {
      const base = baseOf(word)
      return exact.has(word) || concepts.has(base) || kindred.has(base)
    },
    isSlight: word =>
      slight.has(word) ||
      (!exact.has(word.replace(/s$/, '')) && slight.has(word.replace(/s$/, ''))) ||
      (!concepts.has(baseOf(word)) && isStopWord(word)),
    sortOf: key => sorts.get(key),
    kinOf: key => kindred.get(key) ?? NO_KIN,
    chineseWords: new RegExp([...chinese].sort((a, b) => b.length - a.length).join('|'), 'gu'),
    phrases,
  }
}

function linesOf(text: string): string[][] {
  return text
    .trim()
    .split('\n')
    .map(line => line.trim().split(/\s+/))
}
