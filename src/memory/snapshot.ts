import { confirmedAt } from './age.ts'
import { type Entry, parseEntry } from './entry.ts'
import { INDEX_FILE } from './name.ts'
import type { Shelf } from './shelf.ts'

/** All memories of a scope with their texts, as they are at a moment. */
export interface Snapshot {
  memories: (Entry & { file: string; text: string; confirmed: Date })[]
  /** MEMORY.md. */
  index: string
  /** Files that are no memories, or cannot be read: they are left alone. */
  others: string[]
}

/** Files that are read at the same time. */
const AT_ONCE = 32

export async function takeSnapshot(shelf: Shelf): Promise<Snapshot> {
  const snapshot: Snapshot = { memories: [], index: '', others: [] }
  const files = (await shelf.list())
    .stamps()
    .map(({ file }) => file)
    .sort()
  for (let at = 0; at < files.length; at += AT_ONCE) {
    const batch = files.slice(at, at + AT_ONCE)
    const read = await Promise.all(batch.map(file => shelf.read(file).catch(() => undefined)))
    for (const [number, stored] of read.entries()) {
      const file = batch[number] ?? ''
      const parsed = stored && 'text' in stored ? parseEntry(stored.text) : undefined
      if (stored && 'text' in stored && parsed?.ok) {
        const confirmed = new Date(confirmedAt(parsed.entry.updated, stored.mtimeMs))
        snapshot.memories.push({ ...parsed.entry, file, text: stored.text, confirmed })
      } else snapshot.others.push(file)
    }
  }
  const index = await shelf.read(INDEX_FILE)
  if (index && 'text' in index) snapshot.index = index.text
  return snapshot
}
