/** What the owner has undone or forgotten: no later dream makes the same change again. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { readSmallFile } from '../store/index.ts'
import { parseEntry } from './entry.ts'
import { INDEX_FILE } from './name.ts'

interface UndoneChange {
  file: string
  /** Null where there was no file. */
  before: string | null
  /** Null removes it. */
  after: string | null
}

export interface Refusals {
  /** Hashes of changes. */
  keys: readonly string[]
}

const MOST_KEPT = 2_000

function refusalsPath(state: string): string {
  return join(state, 'dream-refusals.json')
}

export function readRefusals(state: string): Refusals {
  try {
    const { keys } = JSON.parse(readSmallFile(refusalsPath(state)) ?? '{}') as { keys?: unknown }
    return { keys: Array.isArray(keys) ? keys.filter(key => typeof key === 'string') : [] }
  } catch {
    return { keys: [] }
  }
}

/** The file with these changes refused from now on. */
export function withRefused(state: string, changes: readonly UndoneChange[]): { path: string; text: string } {
  const all = [...new Set([...readRefusals(state).keys, ...changes.flatMap(keysOf)])].slice(-MOST_KEPT)
  return { path: refusalsPath(state), text: `${JSON.stringify({ keys: all })}\n` }
}

/** The file without these, so that they may be done again; undefined when none of them is refused. */
export function withoutRefused(
  state: string,
  changes: readonly UndoneChange[],
): { path: string; text: string } | undefined {
  const { keys } = readRefusals(state)
  const lifted = new Set(changes.flatMap(keysOf))
  const left = keys.filter(key => !lifted.has(key))
  if (left.length === keys.length) return undefined
  return { path: refusalsPath(state), text: `${JSON.stringify({ keys: left })}\n` }
}

export function isRefused({ keys }: Refusals, change: UndoneChange): boolean {
  return keysOf(change).some(key => keys.includes(key))
}

/**
 * The same change is: this file saying this, the same lines of it going for the same others, this file as it is being
 * removed, or these words anywhere as a new memory.
 */
function keysOf({ file, before, after }: UndoneChange): string[] {
  // Of the index each line for itself: the others follow from the files.
  if (file === INDEX_FILE) return linesOnlyIn(after ?? '', before ?? '').map(line => hash('index line', line))
  if (after === null)
    return [hash('remove', file, plain(before ?? '')), hash('let go', file, plain(saidIn(before ?? '')))]
  const written = hash('write', file, plain(after))
  const parsed = parseEntry(after)
  if (before === null) return parsed.ok ? [written, hash('words', plain(parsed.entry.body))] : [written]
  const [gone, come] = [linesOnlyIn(before, after), linesOnlyIn(after, before)]
  return gone.length + come.length === 0
    ? [written]
    : [written, hash('lines', file, gone.join('\n'), come.join('\n'))]
}

/** What else was changed in the file since makes no other change of it. */
function linesOnlyIn(text: string, other: string): string[] {
  const known = new Set(saidIn(other).split('\n').map(plain))
  return saidIn(text)
    .split('\n')
    .map(plain)
    .filter(line => line !== '' && !known.has(line))
}

/** Without where it came from, and when it was confirmed. */
function saidIn(text: string): string {
  const parsed = parseEntry(text)
  if (!parsed.ok) return text
  const { type, name, description, body } = parsed.entry
  return [type, name, description, body].join('\n')
}

/** Dates of confirmation and spaces make no other change of it. */
function plain(text: string): string {
  return text
    .replaceAll(/^(?:updated|created|session|origin):.*$/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function hash(...parts: string[]): string {
  return createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 24)
}
