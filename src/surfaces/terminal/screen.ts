import { displayWidth } from '../text/width.ts'
import { type Line, paint, safe, textOfLine } from './style.ts'

/** The part of a terminal that is written to. */
export interface Canvas {
  write(text: string): unknown
  readonly columns: number
  readonly rows: number
}

export interface Cursor {
  row: number
  column: number
}

const ESC = '\u001b['
/** Terminals that know these draw all of it at once; others ignore them. */
const [SYNC_BEGIN, SYNC_END] = [`${ESC}?2026h`, `${ESC}?2026l`]
const [HIDE, SHOW] = [`${ESC}?25l`, `${ESC}?25h`]
/** A row that turns out too wide is cut and not broken, so that rows can be counted. */
const [WRAP_OFF, WRAP_ON] = [`${ESC}?7l`, `${ESC}?7h`]
const [ERASE_LINE, ERASE_BELOW] = [`${ESC}2K`, `${ESC}J`]

/**
 * The end of what is on a terminal: rows that change stand below everything that was said, which scrolls away as the
 * output of any program does. Only rows that differ are written again.
 */
export class Screen {
  #canvas: Canvas
  #colours: boolean
  #drawn: { text: string; width: number }[] = []
  #cursor: Cursor = { row: 0, column: 0 }

  constructor(canvas: Canvas, { colours }: { colours: boolean }) {
    this.#canvas = canvas
    this.#colours = colours
  }

  get columns(): number {
    return this.#canvas.columns
  }

  get rows(): number {
    return this.#canvas.rows
  }

  /** Says what stays, and draws what changes below it. Without a cursor none is shown. */
  draw(said: readonly Line[], live: readonly Line[], cursor?: Cursor): void {
    const rows = live.map(row => ({
      text: paint(row, this.#colours),
      width: displayWidth(safe(textOfLine(row))),
    }))
    const isSame =
      said.length === 0 &&
      rows.length === this.#drawn.length &&
      rows.every(({ text }, at) => text === this.#drawn[at]?.text)
    const place = cursor ?? { row: Math.max(0, rows.length - 1), column: 0 }
    const isThere = place.row === this.#cursor.row && place.column === this.#cursor.column
    if (isSame && isThere) return
    const parts = [SYNC_BEGIN, HIDE]
    if (!isSame) parts.push(...this.#redraw(said, rows))
    else parts.push(up(this.#cursor.row))
    // Now at the beginning of the first row.
    parts.push(down(place.row), right(place.column))
    if (cursor) parts.push(SHOW)
    parts.push(SYNC_END)
    this.#canvas.write(parts.join(''))
    this.#drawn = rows
    this.#cursor = place
  }

  /** Takes the changing rows away; what follows stands where they began. */
  clear(): void {
    this.#canvas.write(`${up(this.#cursor.row)}\r${ERASE_BELOW}${SHOW}`)
    this.#forget()
  }

  /** The whole screen is empty, or in an unknown state: the next time all is drawn from the top. */
  wipe(): void {
    this.#canvas.write(`${ESC}2J${ESC}H`)
    this.#forget()
  }

  /** The window has another size: rows that were wider than it is now have been broken by the terminal. */
  resized(): void {
    const columns = Math.max(1, this.#canvas.columns)
    const heights = this.#drawn.map(({ width }) => Math.max(1, Math.ceil(width / columns)))
    const above = heights.slice(0, this.#cursor.row).reduce((sum, height) => sum + height, 0)
    this.#cursor = { row: above + Math.floor(this.#cursor.column / columns), column: 0 }
    this.clear()
  }

  #forget(): void {
    this.#drawn = []
    this.#cursor = { row: 0, column: 0 }
  }

  #redraw(said: readonly Line[], rows: ReadonlyArray<{ text: string }>): string[] {
    const parts = [up(this.#cursor.row), '\r']
    let drawn: ReadonlyArray<{ text: string }> = this.#drawn
    if (said.length > 0) {
      parts.push(ERASE_BELOW, ...said.map(row => `${paint(row, this.#colours)}\r\n`))
      drawn = []
    }
    parts.push(WRAP_OFF)
    for (const [at, { text }] of rows.entries()) {
      if (at > 0) parts.push('\r\n')
      if (text !== drawn[at]?.text) parts.push(drawn[at] ? ERASE_LINE : '', text)
    }
    const surplus = drawn.length - rows.length
    if (rows.length === 0) parts.push(ERASE_BELOW)
    else if (surplus > 0) parts.push('\r\n', ERASE_BELOW, up(1))
    parts.push(WRAP_ON, up(Math.max(0, rows.length - 1)), '\r')
    return parts
  }
}

function up(rows: number): string {
  return rows > 0 ? `${ESC}${rows}A` : ''
}

function down(rows: number): string {
  return rows > 0 ? `${ESC}${rows}B` : ''
}

function right(columns: number): string {
  return columns > 0 ? `${ESC}${columns}C` : ''
}
