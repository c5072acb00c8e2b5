import { eastAsianWidth } from 'get-east-asian-width'

const ASCII = /^[\u0020-\u007e]*$/
/** Drawn on top of what stands before them, or not at all. */
const INVISIBLE = /^[\p{M}\p{Cf}\p{Cc}\u115f\u1160]$/u
/** Drawn as a picture, two columns wide, whatever their first character is alone. */
const PICTURE = /\p{Emoji_Presentation}|\ufe0f/u

let segmenter: Intl.Segmenter | undefined

/** What a person takes for one character: a letter with its accents, a family of four. */
export function graphemes(text: string): string[] {
  if (ASCII.test(text)) return text.split('')
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** How many columns a terminal draws a text in. */
export function displayWidth(text: string): number {
  if (ASCII.test(text)) return text.length
  let width = 0
  for (const grapheme of graphemes(text)) width += graphemeWidth(grapheme)
  return width
}

function graphemeWidth(grapheme: string): number {
  if (grapheme.length > 1 && PICTURE.test(grapheme)) return 2
  for (const character of grapheme)
    if (!INVISIBLE.test(character)) return eastAsianWidth(character.codePointAt(0) ?? 0)
  return 0
}

/** Cut to a width, with an ellipsis. */
export function fitTo(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  let kept = ''
  let used = 1
  for (const grapheme of graphemes(text)) {
    used += displayWidth(grapheme)
    if (used > width) break
    kept += grapheme
  }
  return `${kept}…`
}
