/** The part of a text that shows best why it was found. */
import { stem } from './porter.ts'
import { fold, identifierParts, isCjk } from './terms.ts'

/** Characters; about two lines of a terminal. */
const DEFAULT_LENGTH = 160

/** How much of the room stands before the first match, so that a reader sees what led to it. */
const LEAD_SHARE = 0.25

const WORD_OR_CHARACTER =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}々ー]|(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}々ー])[\p{L}\p{M}\p{N}\p{Co}])+/gu

export type Snippet = {
  text: string
  /** Where the matched words stand in `text`: start and end, in order. */
  marks: [start: number, end: number][]
}

type Match = { start: number; end: number; term: string }

/** `terms` are a hit's `matched`; the result is at most `length` characters long, ellipses included. */
export function snippet(text: string, terms: readonly string[], length: number = DEFAULT_LENGTH): Snippet {
  const flat = text.replace(/\s+/g, ' ').trim()
  const matches = findMatches(flat, new Set(terms))
  if (flat.length <= length) return { text: flat, marks: marksWithin(matches, 0, flat.length, 0) }
  const room = Math.max(0, length - 2)
  const first = bestStart(matches, room)
  const wanted = Math.max(0, Math.min(first - Math.floor(room * LEAD_SHARE), flat.length - room))
  const start = nextWordStart(flat, wanted, first)
  const end = lastWordEnd(flat, start, Math.min(flat.length, start + room))
  const before = start > 0 ? '…' : ''
  const after = end < flat.length ? '…' : ''
  return {
    text: (before + flat.slice(start, end) + after).slice(0, Math.max(0, length)),
    marks: marksWithin(matches, start, end, before.length - start),
  }
}

function findMatches(text: string, terms: ReadonlySet<string>): Match[] {
  const matches: Match[] = []
  let previous: { character: string; start: number; end: number } | undefined
  for (const found of text.matchAll(WORD_OR_CHARACTER)) {
    const [word] = found
    const start = found.index
    const end = start + word.length
    if (isCjk(word)) {
      const pair = previous?.end === start ? previous.character + fold(word) : undefined
      if (pair !== undefined && previous && terms.has(pair))
        matches.push({ start: previous.start, end, term: pair })
      else if (terms.has(fold(word))) matches.push({ start, end, term: fold(word) })
      previous = { character: fold(word), start, end }
      continue
    }
    previous = undefined
    const term = [word, ...identifierParts(word)].map(part => stem(fold(part))).find(part => terms.has(part))
    if (term !== undefined) matches.push({ start, end, term })
  }
  return matches
}

/** Where the window with the most different terms begins; of equals the one with most matches, then the first. */
function bestStart(matches: readonly Match[], room: number): number {
  let best = { start: 0, distinct: 0, count: 0 }
  matches.forEach(({ start }, at) => {
    const limit = start + room * (1 - LEAD_SHARE)
    const inside: Match[] = []
    for (let next = at; next < matches.length; next++) {
      const match = matches[next]
      if (!match || match.end > limit) break
      inside.push(match)
    }
    const distinct = new Set(inside.map(({ term }) => term)).size
    if (distinct > best.distinct || (distinct === best.distinct && inside.length > best.count)) {
      best = { start, distinct, count: inside.length }
    }
  })
  return best.start
}

/** Moves forward to where a word begins, never past the match that the window is for. */
function nextWordStart(text: string, from: number, first: number): number {
  if (from === 0) return 0
  const space = text.indexOf(' ', from - 1)
  if (space !== -1 && space < first) return space + 1
  return isLowSurrogate(text, from) ? from + 1 : from
}

function lastWordEnd(text: string, start: number, to: number): number {
  if (to === text.length) return to
  const space = text.lastIndexOf(' ', to)
  if (space > start + (to - start) / 2) return space
  return isLowSurrogate(text, to) ? to - 1 : to
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff
}

/** Overlapping pairs of one CJK word become one mark. */
function marksWithin(
  matches: readonly Match[],
  start: number,
  end: number,
  shift: number,
): [number, number][] {
  const marks: [number, number][] = []
  for (const match of matches) {
    if (match.start < start || match.end > end) continue
    const last = marks.at(-1)
    if (last && match.start + shift < last[1]) last[1] = match.end + shift
    else marks.push([match.start + shift, match.end + shift])
  }
  return marks
}
