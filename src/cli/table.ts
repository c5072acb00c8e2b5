/** What a terminal draws two columns wide. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u
const INVISIBLE = /[\p{M}\u200b-\u200f\u2060\ufeff]/u

export function displayWidth(text: string): number {
  let width = 0
  for (const character of text) width += INVISIBLE.test(character) ? 0 : WIDE.test(character) ? 2 : 1
  return width
}

/** Cut to a width, with an ellipsis. */
export function fitTo(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  let kept = ''
  let used = 1
  for (const character of text) {
    used += displayWidth(character)
    if (used > width) break
    kept += character
  }
  return `${kept}…`
}

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
