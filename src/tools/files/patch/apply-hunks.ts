/** What a text becomes by a patch. Context has to be there exactly, and in one place only. */
import { type Ending, linesOf, usualEnding } from '../line-endings.ts'
import { BadPatch, type Hunk, oldLines } from './patch-form.ts'

interface FileLine {
  text: string
  ending: '' | Ending
}

/** Says more about lines that were not found. */
export type Advice = (lines: readonly string[], wanted: readonly string[]) => string

const MOST_PLACES_TOLD = 10

export function applyHunks(shown: string, text: string, hunks: readonly Hunk[], advice: Advice): string {
  const lines = fileLines(text)
  const plain = lines.map(({ text }) => text)
  const ending = usualEnding(text)
  const result: FileLine[] = []
  let next = 0
  for (const [index, hunk] of hunks.entries()) {
    const at = placeOf(shown, plain, hunk, next, index, advice)
    result.push(...lines.slice(next, at))
    next = at
    for (const { kind, text } of hunk.lines) {
      if (kind === 'add') result.push({ text, ending })
      else {
        const line = lines[next++]
        if (kind === 'keep' && line) result.push(line)
      }
    }
  }
  result.push(...lines.slice(next))
  return joined(result, ending, endsWithNewline(text, hunks.at(-1), next === lines.length))
}

/** Undefined leaves it as the lines have it. */
function endsWithNewline(text: string, last: Hunk | undefined, reached: boolean): boolean | undefined {
  if (!reached) return undefined
  if (last?.endsWithNewline !== undefined) return last.endsWithNewline
  // A form without numbers cannot say it: it stays as it was.
  return last?.line === undefined ? text === '' || text.endsWith('\n') : undefined
}

function fileLines(text: string): FileLine[] {
  const lines = linesOf(text)
  let position = 0
  return lines.map(line => {
    position += line.length
    const ending = text.startsWith('\r\n', position) ? '\r\n' : text.startsWith('\n', position) ? '\n' : ''
    position += ending.length
    return { text: line, ending }
  })
}

function joined(lines: readonly FileLine[], ending: Ending, newlineAtEnd: boolean | undefined): string {
  const last = lines.length - 1
  return lines
    .map((line, at) => {
      if (at < last) return line.text + (line.ending || ending)
      if (newlineAtEnd === undefined) return line.text + line.ending
      return line.text + (newlineAtEnd ? line.ending || ending : '')
    })
    .join('')
}

function placeOf(
  shown: string,
  lines: readonly string[],
  hunk: Hunk,
  from: number,
  index: number,
  advice: Advice,
): number {
  const wanted = oldLines(hunk)
  const which = `Part ${index + 1} of the patch of ${shown}`
  const starts = startsAfter(lines, hunk.headings, from)
  if (starts.length === 0)
    throw new BadPatch(
      `${which}: there is no line "${hunk.headings.join('" … "')}" after line ${from}. ${advice(lines, hunk.headings)}`,
    )
  if (wanted.length === 0) return placeOfAddition(which, lines, hunk, starts, from)
  const all = placesOf(lines, wanted, from).filter(at => !hunk.atEnd || at + wanted.length === lines.length)
  if (all.length === 0) throw new BadPatch(`${which} does not fit. ${advice(lines, wanted)}`)
  const places = hunk.headings.length === 0 ? all : firstAfterEach(starts, all)
  const [only] = places
  if (only !== undefined && places.length === 1) return only
  if (places.length === 0)
    throw new BadPatch(
      `${which} fits, but not below "${hunk.headings.join('" … "')}": only at line ${(all[0] ?? 0) + 1}.`,
    )
  const told = hunk.line === undefined ? undefined : nearestTo(places, hunk.line - 1)
  if (told !== undefined) return told
  const numbers = places.slice(0, MOST_PLACES_TOLD).map(at => at + 1)
  throw new BadPatch(
    `${which} fits at lines ${numbers.join(', ')}. Give more lines around it, or an "@@" line with what stands above it.`,
  )
}

function placeOfAddition(
  which: string,
  lines: readonly string[],
  hunk: Hunk,
  starts: readonly number[],
  from: number,
): number {
  if (hunk.headings.length > 0) {
    const [only] = starts
    if (only !== undefined && starts.length === 1) return only
    throw new BadPatch(
      `${which}: "${hunk.headings.at(-1)}" stands in ${starts.length} places. Give the lines around the new ones.`,
    )
  }
  if (hunk.line !== undefined && !hunk.atEnd) {
    if (hunk.line > lines.length)
      throw new BadPatch(`${which} adds after line ${hunk.line}, but there are only ${lines.length} lines.`)
    return Math.max(hunk.line, from)
  }
  return lines.length
}

/** Just below each place where the headings lead. */
function startsAfter(lines: readonly string[], headings: readonly string[], from: number): number[] {
  let starts = [from]
  for (const heading of headings) {
    const first = Math.min(...starts)
    starts = []
    for (let at = first; at < lines.length; at++)
      if (lines[at]?.trim() === heading.trim()) starts.push(at + 1)
    if (starts.length === 0) return []
  }
  return starts
}

function firstAfterEach(starts: readonly number[], places: readonly number[]): number[] {
  // The heading itself may be repeated as the first line of the context.
  const found = starts.map(start => places.find(place => place >= start - 1))
  return [...new Set(found.filter(place => place !== undefined))]
}

function placesOf(lines: readonly string[], wanted: readonly string[], from: number): number[] {
  const places: number[] = []
  for (let at = from; at + wanted.length <= lines.length; at++)
    if (wanted.every((line, offset) => lines[at + offset] === line)) places.push(at)
  return places
}

/** The one place that is nearest; undefined when two are. */
function nearestTo(places: readonly number[], wanted: number): number | undefined {
  const [best, second] = places.toSorted((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))
  if (best === undefined) return undefined
  return second !== undefined && Math.abs(second - wanted) === Math.abs(best - wanted) ? undefined : best
}
