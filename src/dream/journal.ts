/** Looking back at dreams, and taking one back. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Memory, Undone } from '../memory/index.ts'
import { History } from '../session/index.ts'
import { type JournalEntry, ReverieError, readSmallFile } from '../store/index.ts'
import { placeOf } from './dream.ts'
import { DreamLock } from './dream-lock.ts'
import { type DreamNote, NOTED, readNote } from './note.ts'

export interface LoggedDream extends Pick<JournalEntry, 'id' | 'at' | 'message'> {
  files: number
  /** Taken back, and not given again since. */
  undone: boolean
}

class NoSuchDream extends ReverieError {}

const UNDO = /^Undo ([0-9a-f]+)/

/** Newest first. */
export async function dreamLog(memory: Memory, limit = 20): Promise<LoggedDream[]> {
  const dreams: LoggedDream[] = []
  const undone = await undoneIn(memory)
  for await (const { id, at, message, kind } of memory.notedEntries(NOTED)) {
    if (dreams.length >= limit) break
    if (kind !== 'dream') continue
    const files = (await changesOf(memory, id)).length
    dreams.push({ id, at, message, files, undone: undone.has(id) })
  }
  return dreams
}

/** The entries that were taken back, and not given again since. */
async function undoneIn(memory: Memory): Promise<Set<string>> {
  const undone = new Set<string>()
  for await (const { id, kind, message } of memory.log()) {
    const [, target] = (kind === 'undo' && UNDO.exec(message)) || []
    if (target !== undefined && !undone.has(id)) undone.add(target)
  }
  return undone
}

/** What one dream changed, and the reasons that it gave. */
export async function showDream(
  memory: Memory,
  id: string,
): Promise<{ entry: JournalEntry; diff: string; note: DreamNote }> {
  const entry = await dreamEntry(memory, id)
  const parts = (await memory.diff(entry.id)).split(/^(?=--- )/m)
  const diff = parts.filter(part => !new RegExp(`^\\+\\+\\+ .*/${NOTED}\\t?$`, 'm').test(part)).join('')
  return { entry, diff, note: readNote(await memory.noted(entry.id, NOTED)) }
}

/**
 * Takes one dream back and keeps what came after it. What it did is not done again; with `again` the history and the
 * sessions that it read are read once more.
 */
export async function restoreDream(
  memory: Memory,
  id: string,
  { again = false }: { again?: boolean } = {},
): Promise<Undone> {
  const entry = await dreamEntry(memory, id)
  if (!again) return await memory.undo(entry.id)
  const place = placeOf(memory)
  // Whoever dreams meanwhile would put the time of it back, and the cursor.
  await using lock = await DreamLock.acquire(place, new Date())
  const undone = await memory.undo(entry.id, { again })
  await new History(place.directory).rewind((await cursorBefore(memory, entry.id)) ?? 0)
  const { since } = readNote(await memory.noted(entry.id, NOTED))
  // One that does not say from when on it read was dreamt by an older version.
  if (since !== undefined) lock.rewind(since === null ? undefined : new Date(since))
  return undone
}

/** What people read of dreams: newest first. */
export async function readDiary(memory: Memory, limit = 10): Promise<string[]> {
  const directory = join(placeOf(memory).state, 'diary')
  const names = await readdir(directory).catch((): string[] => [])
  return names
    .toSorted()
    .reverse()
    .slice(0, limit)
    .map(name => readSmallFile(join(directory, name)) ?? '')
}

async function changesOf(memory: Memory, id: string) {
  return (await memory.changesOf(id)).filter(({ file }) => file !== NOTED)
}

async function dreamEntry(memory: Memory, id: string): Promise<JournalEntry> {
  const entry = await memory.entry(id)
  if (entry.kind !== 'dream')
    throw new NoSuchDream(
      `${id} is no dream but "${entry.message}"; take it back with: reverie memory undo ${id}`,
    )
  return entry
}

/** Where the dream before this one had read to. */
async function cursorBefore(memory: Memory, id: string): Promise<number | undefined> {
  let isOlder = false
  for await (const entry of memory.notedEntries(NOTED)) {
    if (isOlder && entry.kind === 'dream') {
      return readNote(await memory.noted(entry.id, NOTED)).cursor
    }
    if (entry.id === id) isOlder = true
  }
  return undefined
}
