import { displayWidth, fitTo } from './width.ts'

/** Columns side by side; the last one is cut to what the terminal has left. */
export function table(
  rows: ReadonlyArray<readonly string[]>,
  columns = process.stdout.columns ?? 100,
): string {
  const widths: number[] = []
  for (const row of rows)
    for (const [at, cell] of row.slice(0, -1).entries())
      widths[at] = Math.max(widths[at] ?? 0, displayWidth(cell))
  const room = Math.max(20, columns - widths.reduce((sum, width) => sum + width + 2, 0))
  return rows
    .map(row => {
      const last = row.at(-1) ?? ''
      const cells = row
        .slice(0, -1)
        .map((cell, at) => cell + ' '.repeat((widths[at] ?? 0) - displayWidth(cell)))
      return [...cells, fitTo(last, room)].join('  ').trimEnd()
    })
    .join('\n')
}
