import { type JournalEntry, ReverieError, type UndoStep, undoStep } from '../store/index.ts'
import { type Desk, type FileChange, settle } from './desk.ts'
import { trashedCopies } from './forget.ts'
import { INDEX_FILE } from './name.ts'
import { refusePinned } from './save.ts'
import type { Shelf, StoredText } from './shelf.ts'

export interface Undone {
  /** The entry that was taken back, and the one that took it back. */
  id: string
  message: string
  entry: string | undefined
  files: string[]
  /** Files whose later changes touch the same lines; they stay as they are. */
  conflicts: string[]
  warnings: string[]
}

export class NothingToUndo extends ReverieError {}

const UNDO = /^Undo ([0-9a-f]+)/
/** What the owner found or undid is not undone by asking again. */
const NOT_UNDOABLE = new Set(['undo', 'found', 'purge', 'foreign'])

/** Takes back one change of memories, the newest unless told, without losing what came after it. */
export async function undoChange(
  desk: Desk,
  id?: string,
  by: 'Owner' | 'Reverie' = 'Owner',
): Promise<Undone> {
  const entry = id === undefined ? await newestUndoable(desk) : await desk.journal.entry(id)
  const parts = await partsOf(desk, entry)
  if (parts.size === 0)
    throw new NothingToUndo(`Entry ${entry.id} changed no memory of this project or of yours.`)
  const result: Undone = {
    id: entry.id,
    message: entry.message,
    entry: undefined,
    files: [],
    conflicts: [],
    warnings: [],
  }
  for (const [shelf, changes] of parts) {
    await shelf.exclusively(async () => {
      const done: FileChange[] = []
      for (const change of changes) {
        const outcome = await takeBack(shelf, change, by)
        if (outcome === 'conflict') result.conflicts.push(change.file)
        else if (outcome) done.push(outcome)
      }
      if (done.length === 0) return
      const message = `Undo ${entry.id}: ${entry.message}`
      const settled = await settle(desk, shelf, { message, kind: 'undo', by, changes: done })
      result.entry ??= settled.entry
      result.files.push(...done.map(({ file }) => file))
      result.warnings.push(...settled.warnings)
    })
  }
  return result
}

/** The newest change that is not undone yet, and of which something is left to undo. */
async function newestUndoable(desk: Desk): Promise<JournalEntry> {
  const undone = new Set<string>()
  for await (const entry of desk.journal.log()) {
    const takenBack = [entry.id, ...entry.formerly].some(id => undone.has(id))
    const [, target] = (entry.kind === 'undo' && UNDO.exec(entry.message)) || []
    // An undo that was undone itself has taken nothing back.
    if (target !== undefined && !takenBack) undone.add(target)
    if (NOT_UNDOABLE.has(entry.kind) || takenBack) continue
    for (const [shelf, parts] of await partsOf(desk, entry)) {
      const steps = await Promise.all(parts.map(async part => (await stepFor(shelf, part)).step))
      if (steps.some(step => step.kind !== 'done')) return entry
    }
  }
  throw new NothingToUndo('Nothing has been changed that could be undone.')
}

interface Part {
  file: string
  before: Buffer | null
  after: Buffer | null
}

/** What an entry changed, by shelf. The index is left out: it follows from the files. */
async function partsOf(desk: Desk, { id }: JournalEntry): Promise<Map<Shelf, Part[]>> {
  const parts = new Map<Shelf, Part[]>()
  for (const { path, before, after } of await desk.journal.changes(id)) {
    for (const shelf of desk.shelves) {
      const prefix = shelf.journalPath('')
      const file = path.startsWith(prefix) ? path.slice(prefix.length) : ''
      if (file === '' || file.includes('/') || file === INDEX_FILE) continue
      parts.set(shelf, [...(parts.get(shelf) ?? []), { file, before, after }])
    }
  }
  return parts
}

async function stepFor(
  shelf: Shelf,
  { file, before, after }: Part,
): Promise<{ step: UndoStep; stored: StoredText | undefined }> {
  const stored = await shelf.read(file)
  if (stored && 'unreadable' in stored) return { step: { kind: 'conflict' }, stored: undefined }
  return { step: undoStep(before, after, stored ? Buffer.from(stored.text) : null), stored }
}

async function takeBack(
  shelf: Shelf,
  part: Part,
  by: 'Owner' | 'Reverie',
): Promise<FileChange | 'conflict' | undefined> {
  const { file } = part
  const { step, stored } = await stepFor(shelf, part)
  if (step.kind === 'conflict') return 'conflict'
  if (step.kind === 'done') return undefined
  if (by !== 'Owner' && stored) refusePinned(file, stored.text)
  const text = step.content?.toString('utf8') ?? null
  if (text === null) await shelf.discard(file)
  else if (stored || !(await recovered(shelf, file, text)))
    await shelf.write(file, text, stored?.version ?? null)
  return { file, before: stored?.text ?? null, after: text }
}

/** What was forgotten comes back from the trash, as old as it was, if that is what it said. */
async function recovered(shelf: Shelf, file: string, text: string): Promise<boolean> {
  const [newest] = await trashedCopies(shelf, file)
  if (!newest) return false
  await shelf.recover(newest)
  const back = await shelf.read(file)
  if (back && 'text' in back && back.text === text) return true
  await shelf.discard(file)
  return false
}
