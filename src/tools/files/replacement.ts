/** Finding the text that is to be replaced: exactly, but for line endings, which a model does not see. */
import { type Ending, usualEnding, withEnding } from './line-endings.ts'

/** A text with plain line endings, and the way back. */
export interface Plain {
  text: string
  /** Positions in `text` of each newline that had a carriage return before it. */
  returns: readonly number[]
}

export function plainOf(raw: string): Plain {
  if (!raw.includes('\r\n')) return { text: raw, returns: [] }
  const returns: number[] = []
  for (let at = raw.indexOf('\r\n'); at >= 0; at = raw.indexOf('\r\n', at + 2))
    returns.push(at - returns.length)
  return { text: raw.replaceAll('\r\n', '\n'), returns }
}

/** Where a position of the plain text is in the raw one. */
function rawPosition({ returns }: Plain, position: number): number {
  let [low, high] = [0, returns.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((returns[middle] ?? 0) < position) low = middle + 1
    else high = middle
  }
  return position + low
}

/** Where `wanted` is, without overlaps. */
export function placesOf({ text }: Plain, wanted: string): number[] {
  const places: number[] = []
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) places.push(at)
  return places
}

/** The raw text with what stands at these places replaced; new lines end as those that they replace. */
export function replaceAt(
  raw: string,
  plain: Plain,
  places: readonly number[],
  old: string,
  by: string,
): string {
  const pieces: string[] = []
  let from = 0
  for (const place of places) {
    const start = rawPosition(plain, place)
    const end = rawPosition(plain, place + old.length)
    pieces.push(raw.slice(from, start), withEnding(by, endingAround(raw, start, end)))
    from = end
  }
  return [...pieces, raw.slice(from)].join('')
}

function endingAround(raw: string, start: number, end: number): Ending {
  const replaced = raw.slice(start, end)
  if (replaced.includes('\n')) return usualEnding(replaced)
  const next = raw.indexOf('\n', end)
  if (next > 0) return raw[next - 1] === '\r' ? '\r\n' : '\n'
  return usualEnding(raw)
}

/** The line, from 1 on, that a position is in. */
export function lineAt(text: string, position: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < position; at = text.indexOf('\n', at + 1)) line++
  return line
}
