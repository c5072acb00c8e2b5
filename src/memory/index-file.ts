import type { MemoryType } from './entry.ts'
import { fileOfLine, printLine } from './index-line.ts'

/** The caps of MEMORY.md, which is loaded into every conversation (2-memory.md). */
export const INDEX_LINES = 200
export const INDEX_BYTES = 25_000

export interface IndexEntry {
  file: string
  name: string
  description: string
  type: MemoryType
  /** How much it deserves a line; the least useful lose theirs first. */
  worth: number
}

export interface IndexState {
  /** What MEMORY.md holds now. */
  text: string
  entries: readonly IndexEntry[]
  /** Every Markdown file that is there, memory or not: a line that points to one does not dangle. */
  present: ReadonlySet<string>
  /** Lines that Reverie wrote, by file: such a line follows its entry, all others stay as they are. */
  ours?: ReadonlyMap<string, string>
}

export interface DerivedIndex {
  text: string
  lines: number
  bytes: number
  /** Files without a line because the caps leave no room; their memories are recalled all the same. */
  demoted: string[]
  /** Those of them that had a line before. */
  lostLine: string[]
  /** Files that no longer exist and lost their line, with what it said. */
  dropped: Array<{ file: string; line: string }>
}

const HEADINGS: Record<MemoryType, string> = {
  user: '## About the owner',
  feedback: '## How to work',
  project: '## The project',
  reference: '## Where to look',
}

/**
 * The index that follows from the files. Headings and lines that a person wrote stay where they are; an
 * entry that has a line keeps it; others are added to their group until the caps are reached.
 */
export function deriveIndex(state: IndexState): DerivedIndex {
  const newline = state.text.includes('\r\n') ? '\r\n' : '\n'
  const current = splitLines(state.text)
  const entries = new Map(state.entries.map(entry => [entry.file, entry]))
  const dropped: DerivedIndex['dropped'] = []
  const kept: string[] = []
  for (const line of current) {
    const file = fileOfLine(line)
    if (file !== undefined && !state.present.has(file)) {
      dropped.push({ file, line })
      continue
    }
    const entry = file === undefined ? undefined : entries.get(file)
    kept.push(entry && state.ours?.get(entry.file) === line ? printLine(entry) : line)
  }
  const { lines, demoted } = fit(kept, entries, newline)
  const listed = new Set(kept.map(fileOfLine))
  const text = lines.length === 0 ? '' : lines.join(newline) + newline
  return {
    text,
    lines: lines.length,
    bytes: Buffer.byteLength(text),
    demoted,
    lostLine: demoted.filter(file => listed.has(file)),
    dropped,
  }
}

/** As many entries as the caps allow, the most useful first. */
function fit(
  kept: string[],
  entries: ReadonlyMap<string, IndexEntry>,
  newline: string,
): { lines: string[]; demoted: string[] } {
  const all = entries.size > INDEX_LINES ? undefined : place(kept, [...entries.values()])
  if (all && fits(all, newline)) return { lines: all, demoted: [] }
  const ranked = [...entries.values()].sort((a, b) => b.worth - a.worth || (a.file < b.file ? -1 : 1))
  let [low, high] = [0, Math.min(ranked.length, INDEX_LINES)]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(withOnly(kept, ranked.slice(0, middle), entries), newline)) low = middle
    else high = middle - 1
  }
  return {
    lines: withOnly(kept, ranked.slice(0, low), entries),
    demoted: ranked.slice(low).map(({ file }) => file),
  }
}

function fits(lines: readonly string[], newline: string): boolean {
  const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line) + newline.length, 0)
  return lines.length <= INDEX_LINES && bytes <= INDEX_BYTES
}

/** The kept lines without those of entries that are not chosen, and with the chosen ones that have none yet. */
function withOnly(kept: string[], chosen: IndexEntry[], entries: ReadonlyMap<string, IndexEntry>): string[] {
  const files = new Set(chosen.map(({ file }) => file))
  const lines = kept.filter(line => {
    const file = fileOfLine(line)
    return file === undefined || !entries.has(file) || files.has(file)
  })
  return place(lines, chosen)
}

/** Adds a line for every entry that has none, in the group of its type. */
function place(lines: readonly string[], entries: readonly IndexEntry[]): string[] {
  const listed = new Set(lines.map(fileOfLine))
  const missing = entries.filter(({ file }) => !listed.has(file))
  const ours = lines.length === 0 || Object.values(HEADINGS).some(heading => lines.includes(heading))
  const result = [...lines]
  if (!ours) {
    const last = result.findLastIndex(line => fileOfLine(line) !== undefined)
    result.splice((last < 0 ? lastText(result) : last) + 1, 0, ...missing.map(printLine))
    return result
  }
  for (const [type, heading] of Object.entries(HEADINGS)) {
    const group = missing.filter(entry => entry.type === type).map(printLine)
    if (group.length > 0) addToGroup(result, heading, group)
  }
  return result
}

function addToGroup(lines: string[], heading: string, group: string[]): void {
  const start = lines.indexOf(heading)
  if (start < 0) {
    if (lines.length > 0 && lines.at(-1)?.trim() !== '') lines.push('')
    lines.push(heading, '', ...group)
    return
  }
  const next = lines.findIndex((line, at) => at > start && /^#{1,6}\s/.test(line))
  const end = next < 0 ? lines.length : next
  const last = lines.slice(start, end).findLastIndex(line => line.trim() !== '') + start
  // A group that was emptied keeps its heading; the first line below it is set off by a blank one.
  lines.splice(last + 1, 0, ...(last === start ? ['', ...group] : group))
}

function lastText(lines: readonly string[]): number {
  return lines.findLastIndex(line => line.trim() !== '')
}

export function splitLines(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** What of the index is loaded into a conversation: all, or what the caps allow with a warning that says so. */
export function loadIndex(text: string, most = INDEX_BYTES): string {
  const cap = Math.min(most, INDEX_BYTES)
  const lines = splitLines(text)
  const bytes = Buffer.byteLength(text)
  const shown: string[] = []
  let size = 0
  for (const line of lines.slice(0, INDEX_LINES)) {
    size += Buffer.byteLength(line) + 1
    if (size > cap) break
    shown.push(line)
  }
  if (shown.length === lines.length) return lines.join('\n')
  const over = [
    ...(lines.length > INDEX_LINES
      ? [`${lines.length} lines, ${lines.length - INDEX_LINES} over the cap of ${INDEX_LINES}`]
      : []),
    ...(bytes > cap ? [`${bytes} bytes, ${bytes - cap} over the cap of ${cap}`] : []),
  ]
  const missing = lines.length - shown.length
  return [
    ...shown,
    '',
    `> WARNING: MEMORY.md is too long (${over.join('; ')}). The last ${missing} ${missing === 1 ? 'line is' : 'lines are'} not shown here. Shorten its entries or move detail into the files.`,
  ].join('\n')
}
