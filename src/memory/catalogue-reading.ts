import type { SearchDocument } from '../search/index.ts'
import { fileNameProblem } from '../store/index.ts'
import { confirmedAt } from './age.ts'
import { type Entry, type EntryProblem, parseEntry } from './entry.ts'
import { splitLines } from './index-file.ts'
import { fileOfLine } from './index-line.ts'
import type { Scope, Shelf, Stamp, Unreadable } from './shelf.ts'

/** More of a body than this is not searched, in characters. */
const SEARCHED_BODY = 100_000
/** A file written this shortly before it was read may be written again within the same tick of the clock. */
const RACY_MS = 50

/** A Markdown file on a shelf that is no memory, and why. */
export interface NoMemory {
  scope: Scope
  file: string
  kind: EntryProblem['kind'] | Unreadable['kind']
  detail: string
}

/** A file as it was read for the catalogue. */
export interface ReadFile {
  file: string
  stamp: string
  bytes: number
  confirmed: number
  parsed: ({ ok: true } & Entry) | ({ ok: false } & Omit<NoMemory, 'scope' | 'file'>)
}

export async function readFile(shelf: Shelf, { file, stamp, mtimeMs, bytes }: Stamp): Promise<ReadFile> {
  const racy = Math.abs(Date.now() - mtimeMs) < RACY_MS
  const common = { file, stamp: racy ? '' : stamp, bytes, confirmed: mtimeMs }
  const problem = (kind: NoMemory['kind'], detail: string) => ({
    ...common,
    parsed: { ok: false as const, kind, detail },
  })
  const badName = fileNameProblem(file)
  if (badName) return problem('unreadable', `its name cannot be used: ${badName}`)
  const stored = await shelf.read(file)
  if (!stored) return { ...problem('unreadable', 'it has just vanished'), stamp: '' }
  if ('unreadable' in stored) return problem(stored.kind, stored.unreadable)
  const parsed = parseEntry(stored.text)
  if (!parsed.ok) return problem(parsed.problem.kind, parsed.problem.detail)
  const { entry } = parsed
  const name = entry.name || file.replace(/\.md$/i, '')
  const confirmed = confirmedAt(entry.updated, stored.mtimeMs)
  return { ...common, confirmed, parsed: { ok: true, ...entry, name } }
}

/** What of a file is searched; nothing of one that is no memory. */
export function toDocument(scope: Scope, { file, parsed }: ReadFile, hook: string): SearchDocument[] {
  if (!parsed.ok) return []
  const { name, description, body, type } = parsed
  const fields = { name, description, hook, body: body.slice(0, SEARCHED_BODY) }
  return [{ id: idOf(scope, file), fields, filters: { scope, type } }]
}

/** A line of the index without its link. */
export function inWords(line: string): string {
  return line.replace(/^\s*[-*+]\s+\[/, '').replace(/\]\([^)]*\)/, ' ')
}

/** The first line of the index for each file. */
export function linesByFile(index: string): Map<string, string> {
  const lines = new Map<string, string>()
  for (const line of splitLines(index)) {
    const file = fileOfLine(line)
    if (file !== undefined && !lines.has(file)) lines.set(file, line)
  }
  return lines
}

/** One name for a memory across scopes. */
export function idOf(scope: Scope, file: string): string {
  return `${scope}/${file}`
}
