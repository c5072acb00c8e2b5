import { type JournalEntry, ReverieError, type UndoStep, undoStep } from '../store/index.ts'
import { type Desk, shelfOf } from './desk.ts'
import { INDEX_FILE, isMemoryFileName } from './name.ts'
import { withoutRefused, withRefused } from './refusals.ts'
import { type Fence, placeOf, type RevisionDraft, revise } from './revision.ts'
import type { RevisionStep } from './revision-record.ts'
import { refusePinned } from './save.ts'
import type { Shelf } from './shelf.ts'

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

/** What goes with an undo: who asks, and what else is written when it is done. */
export interface UndoOptions extends Partial<Pick<RevisionDraft, 'noted' | 'companions'>> {
  by?: 'Owner' | 'Reverie'
  /** Dreams may do the same again; they do not unless told. */
  again?: boolean
  /** Between `Undo ID` and what it did, for whoever reads the journal. */
  remark?: string
  fence?: Fence
}

/** Takes back one change of memories, the newest unless told, without losing what came after it. */
export async function undoChange(desk: Desk, id?: string, options: UndoOptions = {}): Promise<Undone> {
  const { by = 'Owner', remark = '', noted = [], companions = [], again = false } = options
  const entry = id === undefined ? await newestUndoable(desk) : await desk.journal.entry(id)
  const parts = await partsOf(desk, entry)
  if (parts.size === 0 && noted.length === 0)
    throw new NothingToUndo(`Entry ${entry.id} changed no memory of this project or of yours.`)
  const result: Undone = {
    id: entry.id,
    message: entry.message,
    entry: undefined,
    files: [],
    conflicts: [],
    warnings: [],
  }
  if (parts.size === 0) parts.set(shelfOf(desk, 'project'), [])
  for (const [shelf, changes] of parts) {
    const revised = await revise(
      desk,
      shelf,
      async () => {
        const steps: RevisionStep[] = []
        const texts = changes.map(asTexts)
        const refused = by !== 'Owner' || again ? undefined : withRefused(shelf.state, texts)
        const lifted = again ? withoutRefused(shelf.state, texts) : undefined
        for (const change of changes) {
          const step = await takeBack(desk, shelf, change, by)
          // Where somebody else has changed those lines of the index since, it follows from the files all the same.
          if (step === 'conflict' && change.file === INDEX_FILE) continue
          if (step === 'conflict') result.conflicts.push(change.file)
          else if (step) steps.push(step)
        }
        if (steps.length === 0 && noted.length === 0 && !lifted) return undefined
        const message = `Undo ${entry.id}${remark}: ${entry.message}`
        const beside = [...companions, refused, lifted].filter(companion => companion !== undefined)
        return { message, kind: 'undo', by, steps, noted, companions: beside }
      },
      options.fence,
    )
    result.entry ??= revised?.entry
    const isMemory = (file: string) => file !== INDEX_FILE
    result.files.push(...(revised?.files ?? []).filter(isMemory))
    result.conflicts.push(...(revised?.dropped ?? []).filter(isMemory))
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
      const steps = await Promise.all(parts.map(async part => (await stepFor(desk, shelf, part)).step))
      if (steps.some(step => step.kind !== 'done')) return entry
    }
  }
  throw new NothingToUndo('Nothing has been changed that could be undone.')
}

interface Part extends Pick<RevisionStep, 'where'> {
  file: string
  before: Buffer | null
  after: Buffer | null
}

function asTexts({ file, before, after }: Part) {
  return { file, before: before?.toString('utf8') ?? null, after: after?.toString('utf8') ?? null }
}

/** The agent's own files: they are changed together with memories, and taken back with them. */
export function isOwnFile(path: string): boolean {
  return /^(?:(?:SOUL|USER)\.md|skills\/.+)$/.test(path)
}

/**
 * What an entry changed, by shelf. The index is left out, because it follows from the files; but a dream has mended lines
 * of it, and taken up in files what they said.
 */
async function partsOf(desk: Desk, { id, kind }: JournalEntry): Promise<Map<Shelf, Part[]>> {
  const parts = new Map<Shelf, Part[]>()
  const add = (shelf: Shelf, part: Part) => parts.set(shelf, [...(parts.get(shelf) ?? []), part])
  const own: Part[] = []
  for (const { path, before, after } of await desk.journal.changes(id)) {
    if (isOwnFile(path)) own.push({ where: 'home', file: path, before, after })
    for (const shelf of desk.shelves) {
      const prefix = shelf.journalPath('')
      const file = path.startsWith(prefix) ? path.slice(prefix.length) : ''
      // What is noted beside a change (a dream's reasons) is in the journal alone, so there is nothing to take back.
      const isOurs = file === INDEX_FILE ? kind === 'dream' : isMemoryFileName(file)
      if (!isOurs) continue
      add(shelf, { where: 'shelf', file, before, after })
    }
  }
  const [first = shelfOf(desk, 'project')] = parts.keys()
  for (const part of own) add(first, part)
  return parts
}

async function stepFor(
  desk: Desk,
  shelf: Shelf,
  { where, file, before, after }: Part,
): Promise<{ step: UndoStep; text: string | null }> {
  const found = await placeOf(desk, shelf, { where, file, before: null, after: null }).read()
  if (found === 'unreadable') return { step: { kind: 'conflict' }, text: null }
  const text = found?.text ?? null
  return { step: undoStep(before, after, text === null ? null : Buffer.from(text)), text }
}

async function takeBack(
  desk: Desk,
  shelf: Shelf,
  part: Part,
  by: 'Owner' | 'Reverie',
): Promise<RevisionStep | 'conflict' | undefined> {
  const { where, file } = part
  const { step, text: before } = await stepFor(desk, shelf, part)
  if (step.kind === 'conflict') return 'conflict'
  if (step.kind === 'done') return undefined
  if (by !== 'Owner' && before !== null) refusePinned(file, before)
  const after = step.content?.toString('utf8') ?? null
  const stored = where === 'shelf' && before !== null && after !== null ? await shelf.read(file) : undefined
  return {
    where,
    file,
    before,
    after,
    // Taken back, it was not confirmed: it is as old as it is.
    ...(stored && 'text' in stored && { mtimeMs: stored.mtimeMs }),
    ...(where === 'shelf' && before === null && { fromTrash: true }),
  }
}
