import { stripVTControlCharacters } from 'node:util'
import type { OutputWindow } from './output-window.ts'

/** Control characters that say nothing to a reader, except tab and line feed. */
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/g

/**
 * Output as it would be read on a screen: no colours, of a line that was drawn over itself what stayed, and marks
 * in place of bytes that a message cannot hold. The file has the bytes as they came.
 */
export function readable(text: string): string {
  const plain = stripVTControlCharacters(text).replace(/\r+\n/g, '\n')
  const drawn = plain.includes('\r') ? plain.split('\n').map(lastDrawn).join('\n') : plain
  return drawn.replace(CONTROL, character => String.fromCodePoint(0x2400 + (character.codePointAt(0) ?? 0)))
}

function lastDrawn(line: string): string {
  return (
    line
      .split('\r')
      .filter(part => part !== '')
      .at(-1) ?? ''
  )
}

export interface Shown {
  text: string
  /** Nothing was left out. */
  whole: boolean
}

/** What is shown of the output in so many characters: all of it, or its beginning and its end. */
export function shownOutput(output: OutputWindow, limit: number, file: string): Shown {
  const sides = output.sides()
  const whole = 'whole' in sides ? readable(sides.whole).trimEnd() : undefined
  if (whole !== undefined && whole.length <= limit) return { text: whole, whole: true }
  const head = whole ?? readable((sides as { head: string }).head)
  const tail = whole ?? readable((sides as { tail: string }).tail).trimEnd()
  const note = `\n\n[… the middle is left out: ${output.bytes} bytes in all, in ${file} …]\n\n`
  const room = Math.max(0, limit - note.length)
  const first = cut(head, 0, Math.floor(room / 2))
  const last = cut(tail, tail.length - Math.ceil(room / 2), tail.length)
  return { text: `${first}${note}${last}`, whole: false }
}

/** A slice that leaves no half of a surrogate pair behind. */
function cut(text: string, from: number, to: number): string {
  return text
    .slice(Math.max(0, from), to)
    .replace(/^[\udc00-\udfff]/, '')
    .replace(/[\ud800-\udbff]$/, '')
}
