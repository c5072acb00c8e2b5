/** Whether what is said of the owner rests on the owner's own words. Pure: whoever asks finds the words. */

/** Words this short prove nothing. */
const LEAST_QUOTED = 8
/** In Chinese a sentence takes fewer characters. */
const LEAST_QUOTED_HAN = 4
/** So many words in a row that stand in what a tool returned were not put that way by chance. */
const COPIED_WORDS = 6

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
  const words = plain(text).split(' ')
  const others = foreign.map(plain).join('\n')
  for (let at = 0; at + COPIED_WORDS <= words.length; at++) {
    const run = words.slice(at, at + COPIED_WORDS).join(' ')
    if (others.includes(run) && !known.includes(run)) return run
  }
  return undefined
}

function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
