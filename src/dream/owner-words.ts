/** Whether what is said of the owner rests on the owner's own words. Pure: whoever asks finds the words. */

/** Words this short prove nothing. */
const LEAST_QUOTED = 8
/** In Chinese a sentence takes fewer characters. */
const LEAST_QUOTED_HAN = 4
/** So many words in a row that stand in what a tool returned were not put that way by chance. */
const COPIED_WORDS = 6
/** Five Chinese characters count as three words. */
const [WORD_WEIGHT, HAN_WEIGHT] = [5, 3]

export function isQuote(quote: string): boolean {
  const wanted = plain(quote)
  return wanted.length >= (/\p{Script=Han}/u.test(wanted) ? LEAST_QUOTED_HAN : LEAST_QUOTED)
}

/** The first of the texts in which the words stand, whatever stands between them. */
export function findQuote(quote: string, texts: Iterable<string>): string | undefined {
  if (!isQuote(quote)) return undefined
  const wanted = plain(quote)
  for (const text of texts) if (plain(text).includes(wanted)) return text
  return undefined
}

/** What a text that is to be the owner's holds though the owner never said it, and which could do harm. */
export function neverSaid(
  text: string,
  { said, foreign = [] }: { said: readonly string[]; foreign?: readonly string[] },
): string | undefined {
  const known = plain(said.join('\n'))
  const exact = [...text.matchAll(ADDRESS), ...text.matchAll(COMMAND)].map(match => match[1] ?? match[0])
  const unsaid = exact.find(each => plain(each) !== '' && !known.includes(plain(each)))
  return unsaid ?? copiedFrom(text, foreign, known)
}

/** Addresses, and what stands as code and has more than one word: what somebody could be made to visit or to run. */
const ADDRESS = /\bhttps?:\/\/[^\s)>"'`]+/g
const COMMAND = /`([^`\n]*\s[^`\n]*)`|^\s*\$ (.+)$/gm

function copiedFrom(text: string, foreign: readonly string[], known: string): string | undefined {
  const words = wordsOf(plain(text))
  const [others, own] = [spaced(foreign.map(plain).join('\n')), spaced(known)]
  for (let at = 0; at < words.length; at++) {
    const run = words.slice(at, at + runLength(words, at)).join(' ')
    if (run !== '' && others.includes(` ${run} `) && !own.includes(` ${run} `)) return unspaced(run)
  }
  return undefined
}

/** How many words from here on prove that they were copied; none when too few are left. */
function runLength(words: readonly string[], from: number): number {
  let weight = 0
  for (let at = from; at < words.length; at++) {
    weight += /^\p{Script=Han}$/u.test(words[at] ?? '') ? HAN_WEIGHT : WORD_WEIGHT
    if (weight >= COPIED_WORDS * WORD_WEIGHT) return at - from + 1
  }
  return 0
}

/** Chinese writes no spaces: each character counts by itself. */
function wordsOf(text: string): string[] {
  return text
    .replaceAll(/\p{Script=Han}/gu, ' $& ')
    .split(/\s+/)
    .filter(word => word !== '')
}

function spaced(text: string): string {
  return ` ${wordsOf(text).join(' ')} `
}

function unspaced(run: string): string {
  return run.replaceAll(/(?<=\p{Script=Han}) (?=\p{Script=Han})/gu, '')
}

function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
