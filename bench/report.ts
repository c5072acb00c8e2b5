import { cpus, totalmem } from 'node:os'

export type Row = Record<string, string | number>

/** Prints rows as an aligned table, with the machine below it. */
export function printTable(title: string, rows: readonly Row[]): void {
  const columns = Object.keys(rows[0] ?? {})
  const cells = [columns, ...rows.map(row => columns.map(column => String(row[column] ?? '')))]
  const widths = columns.map((_, at) => Math.max(...cells.map(row => (row[at] ?? '').length)))
  const lines = cells.map(row =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  console.log(`${title}\n\n${lines.join('\n')}\n\n${machine()}`)
}

function machine(): string {
  const [cpu] = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  return `Node ${process.version}, ${cpus().length} × ${cpu?.model.trim()}, ${memory} GiB, ${process.platform}`
}

/** The middle value, and others by their share: percentile(values, 0.5). */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function round(value: number, digits = 2): number {
  return Number(value.toFixed(digits))
}
