import type { Tokens } from 'marked'
import { displayWidth } from '../text/width.ts'
import { inlineSpans } from './inline.ts'
import { BOLD, DIM, type Line, span, textOfLine } from './style.ts'
import { wrap } from './wrap.ts'

const [BETWEEN, CROSSING] = [' │ ', '─┼─']
/** A column that is narrower than this cannot be read. */
const NARROWEST = 6

type Alignment = Tokens.Table['align'][number]

/** A table in columns that fit; where they cannot, every row as a list of its cells. */
export function tableLines({ header, rows, align }: Tokens.Table, width: number): Line[] {
  const heads = header.map(({ tokens }) => inlineSpans(tokens, BOLD))
  const cells = rows.map(row => row.map(({ tokens }) => inlineSpans(tokens)))
  const widths = fittingWidths([heads, ...cells], width - BETWEEN.length * (heads.length - 1))
  if (!widths) return asLists(heads, cells, width)
  const ruler = [span(widths.map(width => '─'.repeat(width)).join(CROSSING), DIM)]
  return [...rowLines(heads, widths, align), ruler, ...cells.flatMap(row => rowLines(row, widths, align))]
}

/** As wide as they want to be; the widest give way first. */
function fittingWidths(rows: ReadonlyArray<readonly Line[]>, room: number): number[] | undefined {
  const columns = rows[0]?.length ?? 0
  const widths = Array.from({ length: columns }, (_, at) =>
    Math.max(1, ...rows.map(row => displayWidth(textOfLine(row[at] ?? [])))),
  )
  let total = widths.reduce((sum, width) => sum + width, 0)
  while (total > room) {
    const widest = Math.max(...widths)
    if (widest <= NARROWEST) return undefined
    const at = widths.indexOf(widest)
    const next = Math.max(NARROWEST, ...widths.filter(width => width < widest))
    const step = Math.min(widest - Math.min(next, widest - 1), total - room)
    widths[at] = widest - step
    total -= step
  }
  return widths
}

function rowLines(cells: readonly Line[], widths: readonly number[], align: readonly Alignment[]): Line[] {
  const columns = widths.map((width, at) => wrap(cells[at] ?? [], width))
  const height = Math.max(...columns.map(column => column.length))
  return Array.from({ length: height }, (_, row) =>
    columns.flatMap((column, at) => [
      ...(at > 0 ? [span(BETWEEN, DIM)] : []),
      ...padded(column[row] ?? [], widths[at] ?? 0, align[at] ?? null, at === columns.length - 1),
    ]),
  )
}

function padded(cell: Line, width: number, align: Alignment, isLast: boolean): Line {
  const free = Math.max(0, width - displayWidth(textOfLine(cell)))
  const before = align === 'right' ? free : align === 'center' ? Math.floor(free / 2) : 0
  const after = isLast ? 0 : free - before
  return [
    ...(before > 0 ? [span(' '.repeat(before))] : []),
    ...cell,
    ...(after > 0 ? [span(' '.repeat(after))] : []),
  ]
}

function asLists(heads: readonly Line[], rows: ReadonlyArray<readonly Line[]>, width: number): Line[] {
  return rows.flatMap((row, at) => [
    ...(at > 0 ? [[]] : []),
    ...row.flatMap((cell, column) => wrap([...(heads[column] ?? []), span(': ', BOLD), ...cell], width)),
  ])
}
