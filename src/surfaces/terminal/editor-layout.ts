/** What is being typed, in rows of a width, and where the cursor stands in them. */
import { displayWidth, graphemes } from '../text/width.ts'
import { type Editor, pasteLabel } from './editor.ts'
import { type Line, PLAIN, type Span, type Style, safe, span } from './style.ts'

export interface EditorLayout {
  rows: Line[]
  cursor: { row: number; column: number }
}

interface Place {
  row: number
  column: number
  /** The code unit that stands there. */
  at: number
}

const PASTE: Style = { colour: 'cyan' }

export function layOut(editor: Editor, width: number): EditorLayout {
  const { rows, places } = placed(editor, width)
  const cursor = placeOf(places, editor.cursor)
  return { rows, cursor: { row: cursor.row, column: cursor.column } }
}

/** The editor with the cursor one row up or down; undefined where there is no such row. */
export function moveBetweenRows(editor: Editor, by: -1 | 1, width: number): Editor | undefined {
  const { rows, places } = placed(editor, width)
  const here = placeOf(places, editor.cursor)
  const row = here.row + by
  if (row < 0 || row >= rows.length) return undefined
  const column = editor.column ?? here.column
  const there = places.filter(place => place.row === row)
  const at = there.findLast(place => place.column <= column) ?? there[0]
  return at && { ...editor, cursor: at.at, column }
}

function placeOf(places: readonly Place[], cursor: number): Place {
  return places.findLast(({ at }) => at <= cursor) ?? { row: 0, column: 0, at: 0 }
}

/** Rows are broken where they are full, as a terminal would: what is typed is not a paragraph yet. */
function placed({ text, pastes }: Editor, width: number): { rows: Line[]; places: Place[] } {
  const rows: Span[][] = [[]]
  const places: Place[] = []
  let [row, column, at] = [0, 0, 0]
  const breakRow = () => {
    rows.push([])
    row++
    column = 0
  }
  for (const grapheme of graphemes(text)) {
    const label = pasteLabel(grapheme, pastes)
    const shown = label ?? (grapheme === '\n' ? '' : safe(grapheme))
    const needs = displayWidth(shown)
    // The cursor needs a place behind the last character of a full row.
    if (column > 0 && column + needs > width - 1 && grapheme !== '\n') breakRow()
    places.push({ row, column, at })
    append(rows[row] ?? [], shown, label === undefined ? PLAIN : PASTE)
    column += needs
    at += grapheme.length
    if (grapheme === '\n') breakRow()
  }
  places.push({ row, column, at })
  return { rows, places }
}

function append(row: Span[], text: string, style: Style): void {
  const last = row.at(-1)
  if (text === '') return
  if (last && last.style === style) last.text += text
  else row.push(span(text, style))
}
