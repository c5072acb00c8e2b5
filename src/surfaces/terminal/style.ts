import { printable } from '../text/printable.ts'

/** The base colours: a terminal's own theme says what they are, so they can be read on light and on dark. */
export type Colour = 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan'

export interface Style {
  colour?: Colour
  bold?: boolean
  dim?: boolean
  italic?: boolean
  underline?: boolean
  strike?: boolean
}

export interface Span {
  text: string
  style: Style
}

/** What stands in one row, or in several where the terminal breaks it. */
export type Line = readonly Span[]

const COLOUR_CODES: Record<Colour, number> = {
  red: 31,
  green: 32,
  yellow: 33,
  blue: 34,
  magenta: 35,
  cyan: 36,
}
const MARK_CODES = [
  ['bold', 1],
  ['dim', 2],
  ['italic', 3],
  ['underline', 4],
  ['strike', 9],
] as const

export const PLAIN: Style = {}
export const DIM: Style = { dim: true }
export const BOLD: Style = { bold: true }

export function span(text: string, style: Style = PLAIN): Span {
  return { text, style }
}

export function line(text: string, style: Style = PLAIN): Line {
  return [span(text, style)]
}

/** Text of several lines, which somebody else may have written. */
export function lines(text: string, style: Style = PLAIN): Line[] {
  return text.split('\n').map(row => line(row, style))
}

export function textOfLine(row: Line): string {
  return row.map(({ text }) => text).join('')
}

/** What goes to the terminal. This is the only way there, and nothing that steers a terminal gets through. */
export function paint(row: Line, colours: boolean): string {
  return row.map(({ text, style }) => paintSpan(safe(text), style, colours)).join('')
}

function paintSpan(text: string, style: Style, colours: boolean): string {
  if (!colours || text === '') return text
  const codes = [
    ...MARK_CODES.flatMap(([mark, code]) => (style[mark] ? [code] : [])),
    ...(style.colour ? [COLOUR_CODES[style.colour]] : []),
  ]
  return codes.length === 0 ? text : `\u001b[${codes.join(';')}m${text}\u001b[0m`
}

const TAB = '    '

/** In one row: what would break it or steer the terminal is shown, not obeyed. */
export function safe(text: string): string {
  return printable(text).replaceAll('\t', TAB).replaceAll('\n', '⏎')
}
