import { displayWidth, graphemes } from '../text/width.ts'
import { type Line, type Span, type Style, span } from './style.ts'

/** What is not broken: a word, perhaps in several styles, or the space between two. */
interface Atom {
  spans: Span[]
  width: number
  isSpace: boolean
}

const WIDE = /[^\u0000-\u10ff\u2000-\u206f\u20a0-\u20cf]/

/** Breaks a line between words, and words that are wider than all there is between characters. */
export function wrap(row: Line, width: number): Line[] {
  const room = Math.max(1, width)
  const rows: Line[] = []
  let current: Span[] = []
  let used = 0
  const breakHere = () => {
    rows.push(withoutSpaceAtEnd(current))
    current = []
    used = 0
  }
  for (const atom of atoms(row)) {
    if (used + atom.width <= room) {
      if (atom.isSpace && used === 0 && rows.length > 0) continue
      current.push(...atom.spans)
      used += atom.width
      continue
    }
    if (atom.isSpace) {
      breakHere()
      continue
    }
    if (used > 0) breakHere()
    if (atom.width <= room) {
      current.push(...atom.spans)
      used = atom.width
      continue
    }
    for (const piece of brokenUp(atom)) {
      const pieceWidth = displayWidth(piece.text)
      if (used > 0 && used + pieceWidth > room) breakHere()
      current.push(piece)
      used += pieceWidth
    }
  }
  rows.push(joined(current))
  return rows.map(joined)
}

/** Every row begins with something: a bullet and then as much space, the bar of a quote. */
export function hang(rows: readonly Line[], first: Span, rest: Span): Line[] {
  return rows.map((row, at) => [at === 0 ? first : rest, ...row])
}

function* atoms(row: Line): Generator<Atom> {
  let word: Atom | undefined
  for (const { text, style } of row)
    for (const [piece] of text.matchAll(/[ \t\n]+|[^ \t\n]+/g)) {
      const isSpace = /^[ \t\n]/.test(piece)
      if (isSpace) {
        if (word) yield word
        word = undefined
        const blank = piece.replaceAll(/[\t\n]/g, ' ')
        yield { spans: [span(blank, style)], width: blank.length, isSpace }
        continue
      }
      for (const part of partsOf(piece)) {
        const isWide = WIDE.test(part)
        if (isWide && word) {
          yield word
          word = undefined
        }
        word ??= { spans: [], width: 0, isSpace: false }
        word.spans.push(span(part, style))
        word.width += displayWidth(part)
        if (isWide) {
          yield word
          word = undefined
        }
      }
    }
  if (word) yield word
}

/** Scripts without spaces may be broken after every character. */
function partsOf(word: string): string[] {
  if (!WIDE.test(word)) return [word]
  const parts: string[] = []
  for (const grapheme of graphemes(word)) {
    const isWide = displayWidth(grapheme) > 1
    const last = parts.at(-1)
    if (isWide || last === undefined || WIDE.test(last)) parts.push(grapheme)
    else parts[parts.length - 1] = last + grapheme
  }
  return parts
}

function* brokenUp({ spans }: Atom): Generator<Span> {
  for (const { text, style } of spans) for (const grapheme of graphemes(text)) yield span(grapheme, style)
}

function withoutSpaceAtEnd(spans: readonly Span[]): Span[] {
  const kept = [...spans]
  while (kept.length > 0 && /^ *$/.test(kept.at(-1)?.text ?? '')) kept.pop()
  return kept
}

/** Neighbours of one style are one span: a row is short, and a test can be read. */
function joined(row: Line): Line {
  const spans: { text: string; style: Style }[] = []
  for (const { text, style } of row) {
    const last = spans.at(-1)
    if (last && last.style === style) last.text += text
    else spans.push({ text, style })
  }
  return spans
}
