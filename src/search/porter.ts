/**
 * The Porter stemmer (M.F. Porter, 1980), in the reading of it that SQLite's FTS5 `porter` tokenizer
 * has, so that a word stemmed here equals the token FTS5 has stored for it.
 */

/** FTS5 leaves shorter tokens and longer tokens as they are (fts5_tokenize.c, FTS5_PORTER_MAX_TOKEN). */
const SHORTEST_STEMMED = 3
const LONGEST_STEMMED = 64

type Rule = readonly [suffix: string, replacement: string]

/** Rules by the last letter that they ask for: most words need not be compared with any. */
type Rules = ReadonlyMap<number, readonly Rule[]>

/** In every step the first suffix that fits decides, whether or not its condition then holds. */
const STEP_2 = byLastLetter([
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['logi', 'log'],
  ['bli', 'ble'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
])

const STEP_3 = byLastLetter([
  ['ical', 'ic'],
  ['ness', ''],
  ['icate', 'ic'],
  ['iciti', 'ic'],
  ['ful', ''],
  ['ative', ''],
  ['alize', 'al'],
])

const STEP_4 = byLastLetter(
  'al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize'
    .split(' ')
    .map(suffix => [suffix, '']),
)

/** The stem of one lower-case word. */
export function stem(word: string): string {
  if (word.length < SHORTEST_STEMMED || word.length > LONGEST_STEMMED) return word
  let result = plural(word)
  result = pastOrGerund(result)
  result = finalY(result)
  result = replaceSuffix(result, STEP_2)
  result = replaceSuffix(result, STEP_3)
  result = dropSuffix(result)
  return finalE(result)
}

function plural(word: string): string {
  if (!word.endsWith('s')) return word
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2)
  if (word.endsWith('ss')) return word
  return word.slice(0, -1)
}

function pastOrGerund(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word
  for (const suffix of ['ed', 'ing']) {
    if (!word.endsWith(suffix)) continue
    const rest = word.slice(0, -suffix.length)
    return hasVowel(rest) ? repaired(rest) : word
  }
  return word
}

/** What is left of "hoped", "hopped" and "filing" gets back the letters that "-ed" and "-ing" took. */
function repaired(rest: string): string {
  if (rest.endsWith('at') || rest.endsWith('bl') || rest.endsWith('iz')) return `${rest}e`
  if (endsInDoubleConsonant(rest) && !/[lsz]$/.test(rest)) return rest.slice(0, -1)
  if (measure(rest) === 1 && endsInShortSyllable(rest)) return `${rest}e`
  return rest
}

function finalY(word: string): string {
  return word.endsWith('y') && hasVowel(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word
}

function byLastLetter(rules: readonly Rule[]): Rules {
  return Map.groupBy(rules, ([suffix]) => suffix.charCodeAt(suffix.length - 1))
}

function rulesFor(word: string, rules: Rules): readonly Rule[] {
  return rules.get(word.charCodeAt(word.length - 1)) ?? []
}

function replaceSuffix(word: string, rules: Rules): string {
  for (const [suffix, replacement] of rulesFor(word, rules)) {
    if (!word.endsWith(suffix)) continue
    const rest = word.slice(0, -suffix.length)
    return measure(rest) > 0 ? rest + replacement : word
  }
  return word
}

function dropSuffix(word: string): string {
  for (const [suffix] of rulesFor(word, STEP_4)) {
    if (!word.endsWith(suffix)) continue
    const rest = word.slice(0, -suffix.length)
    if (suffix === 'ion' && !/[st]$/.test(rest)) return word
    return measure(rest) > 1 ? rest : word
  }
  return word
}

function finalE(word: string): string {
  let result = word
  if (result.endsWith('e')) {
    const rest = result.slice(0, -1)
    const count = measure(rest)
    if (count > 1 || (count === 1 && !endsInShortSyllable(rest))) result = rest
  }
  if (result.endsWith('ll') && measure(result.slice(0, -1)) > 1) result = result.slice(0, -1)
  return result
}

function isVowelAt(word: string, at: number): boolean {
  switch (word.charCodeAt(at)) {
    case 97: // a
    case 101: // e
    case 105: // i
    case 111: // o
    case 117: // u
      return true
    case 121: // y, a vowel after a consonant
      return at > 0 && !isVowelAt(word, at - 1)
    default:
      return false
  }
}

function hasVowel(word: string): boolean {
  for (let at = 0; at < word.length; at++) if (isVowelAt(word, at)) return true
  return false
}

/** How many times a vowel is followed by a consonant: Porter's m. */
function measure(word: string): number {
  let count = 0
  let afterVowel = false
  for (let at = 0; at < word.length; at++) {
    const vowel = isVowelAt(word, at)
    if (afterVowel && !vowel) count++
    afterVowel = vowel
  }
  return count
}

/** "y" always counts as a consonant here, as it does in FTS5. */
function endsInDoubleConsonant(word: string): boolean {
  const last = word.length - 1
  return last > 0 && word[last] === word[last - 1] && !/[aeiou]$/.test(word)
}

/** Consonant, vowel, consonant other than w, x, y: the "hop" of "hoping". */
function endsInShortSyllable(word: string): boolean {
  const last = word.length - 1
  return (
    last > 1 &&
    !isVowelAt(word, last) &&
    isVowelAt(word, last - 1) &&
    !isVowelAt(word, last - 2) &&
    !/[wxy]$/.test(word)
  )
}
