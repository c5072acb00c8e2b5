/** One stretch of a text, and what is to stand there instead. */
export interface Rewrite {
  start: number
  end: number
  to: string
}

/** How far to look around for the sentence a date stands in: long enough for prose, bounded for walls of text. */
const SENTENCE_REACH = 200

/** What is quoted exactly and must stay as it is: code, addresses, link targets, tags, wiki links. */
const VERBATIM =
  /^[ \t]*(```|~~~)[^\n]*(?:\n(?![ \t]*\1)[^\n]*)*(?:\n[ \t]*\1[^\n]*|$(?![\s\S]))|(?<!`)(`{1,3})(?!`)[^`\n]{1,500}\2(?!`)|\bhttps?:\/\/[^\s)>\]]+|\bwww\.[^\s)>\]]+|\]\([^)\n]{1,500}\)|\[\[[^\]\n]{1,200}\]\]|<[a-z/!][^>\n]{0,200}>/gim

/** Which characters of a text no rewrite may touch any more. */
export class TakenPlaces {
  readonly #taken: Uint8Array

  constructor(text: string) {
    this.#taken = new Uint8Array(text.length)
    for (const match of text.matchAll(VERBATIM)) this.take(match.index, match.index + match[0].length)
  }

  take(start: number, end: number): void {
    this.#taken.fill(1, start, end)
  }

  isFree(start: number, end: number): boolean {
    return !this.#taken.subarray(start, end).includes(1)
  }
}

/** Part of a longer name (`last-week.csv`, `#today`, `today()`) rather than a word of a sentence. */
export function isPartOfName(text: string, start: number, end: number): boolean {
  return (
    /[_/\\@#$=~]$|[\w*-]-$|\w\.$/.test(text.slice(Math.max(0, start - 2), start)) ||
    /^(?:[_/\\@=]|\(\)|-\w|\.\w)/.test(text.slice(end, end + 2))
  )
}

/** "yesterday (2026-04-07)": whoever wrote it has already said which day. */
export function isAlreadyDated(text: string, end: number): boolean {
  return /^,?\s?[([（【=:,，]?\s?\d{4}(?:[-/.]\d{1,2}|年\d)/.test(text.slice(end, end + 16))
}

/** The parts of the sentence before and after a stretch of text. */
export function sentenceAround(text: string, start: number, end: number): { before: string; after: string } {
  const reachBefore = text.slice(Math.max(0, start - SENTENCE_REACH), start)
  const reachAfter = text.slice(end, end + SENTENCE_REACH)
  return {
    before: reachBefore.split(/[.!?;](?=\s)|[\n。！？；]/).at(-1) ?? '',
    after: reachAfter.split(/[.!?;](?=\s|$)|[\n。！？；]/)[0] ?? '',
  }
}
