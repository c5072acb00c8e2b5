/**
 * Several changes that happen together or not at all, whatever is killed when. What is to be done is written down
 * first, as a whole; from then on it is finished, by us or by whoever opens the memory next.
 */
import { existsSync } from 'node:fs'
import { rm, rmdir, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  contentHash,
  ensureDirectory,
  type JournalChange,
  LockLost,
  mergeText,
  PRIVATE_FILE,
  readIfThere,
  syncDirectory,
  writeFileAtomic,
} from '../store/index.ts'
import { type Desk, type FileChange, toJournalChange, updateIndex } from './desk.ts'
import { trashedCopies } from './forget.ts'
import {
  ENTRY_ID,
  type RevisionRecord,
  type RevisionStep,
  readRecord,
  recordPath,
  removeRecord,
  writeRecord,
} from './revision-record.ts'
import type { Held, Shelf, StoredText } from './shelf.ts'

export type RevisionDraft = Pick<RevisionRecord, 'message' | 'kind' | 'by' | 'steps'> &
  Partial<Pick<RevisionRecord, 'noted' | 'companions'>>

export interface Revised {
  /** Id of the journal entry; undefined when nothing differed. */
  entry: string | undefined
  /** The files that were changed. */
  files: string[]
  /** Files that somebody else changed meanwhile, on the same lines: they stay as they are. */
  dropped: string[]
}

/** Throws when the right to change anything has been lost. Asked before and between the changes. */
export type Fence = () => Promise<void>

/**
 * Carries out what `prepare` wants, which is asked while nobody else changes the shelf. Undefined when it wants
 * nothing.
 */
export async function revise(
  desk: Desk,
  shelf: Shelf,
  prepare: () => Promise<RevisionDraft | undefined>,
  fence: Fence = async () => {},
): Promise<Revised | undefined> {
  await desk.prepare()
  return shelf.exclusively(async held => {
    await finishRevision(desk, shelf, held)
    await fence()
    const draft = await prepare()
    if (!draft) return undefined
    const record: RevisionRecord = {
      format: 1,
      scope: shelf.scope,
      at: desk.now().toISOString(),
      noted: [],
      companions: [],
      ...draft,
      head: await recordFound(desk, shelf, draft),
    }
    await held.check()
    await fence()
    await writeRecord(shelf.state, record)
    try {
      return await carryOut(desk, shelf, record, async () => {
        await held.check()
        await fence()
      })
    } catch (error) {
      // Whoever took over finishes it; what else went wrong is taken back, if that can be.
      if (!(error instanceof LockLost)) await takeBack(desk, shelf, record).catch(() => {})
      throw error
    }
  })
}

export function hasUnfinishedRevision(shelf: Shelf): boolean {
  return existsSync(recordPath(shelf.state))
}

/** Finishes a revision whose process died. To be called while the shelf is held exclusively. */
export async function finishRevision(desk: Desk, shelf: Shelf, held: Held): Promise<Revised | undefined> {
  const record = hasUnfinishedRevision(shelf) ? await readRecord(shelf.state) : undefined
  if (!record) return undefined
  await shelf.tidy()
  return carryOut(desk, shelf, record, () => held.check())
}

/** What the owner changed by hand is recorded as theirs before ours. Fails if the journal cannot be written at all. */
async function recordFound(desk: Desk, shelf: Shelf, { steps }: RevisionDraft): Promise<string | undefined> {
  await desk.journal.commit({
    message: 'Found on disk',
    kind: 'found',
    by: 'Owner',
    at: desk.now(),
    changes: steps.map(({ where, file, before }) => ({
      path: where === 'shelf' ? shelf.journalPath(file) : file,
      after: before === null ? null : Buffer.from(before),
    })),
  })
  for await (const { id } of desk.journal.log()) return id
  return undefined
}

async function carryOut(desk: Desk, shelf: Shelf, record: RevisionRecord, fence: Fence): Promise<Revised> {
  const done: (FileChange & Pick<RevisionStep, 'where'>)[] = []
  const dropped: string[] = []
  for (const step of record.steps) {
    await fence()
    const outcome = dropped.includes(step.needs ?? '') ? 'dropped' : await takeStep(desk, shelf, step)
    if (outcome === 'dropped') dropped.push(step.file)
    else if (outcome) done.push({ ...outcome, where: step.where })
  }
  await fence()
  await desk.catalogue.refresh()
  const { change: index } = await updateIndex(desk, shelf)
  const entry = await commit(desk, shelf, record, [
    ...done.map(change => journalChange(shelf, change)),
    ...(index ? [toJournalChange(shelf, index)] : []),
    ...record.noted.map(({ file, text }) => ({ path: shelf.journalPath(file), after: Buffer.from(text) })),
  ])
  for (const { path, text, mtimeMs } of record.companions) {
    await fence()
    await ensureDirectory(dirname(path))
    await writeFileAtomic(path, text.replaceAll(ENTRY_ID, entry ?? ''))
    if (mtimeMs !== undefined) await utimes(path, new Date(mtimeMs), new Date(mtimeMs))
  }
  await removeRecord(shelf.state)
  return { entry, files: done.map(({ file }) => file), dropped }
}

function journalChange(shelf: Shelf, { where, ...change }: FileChange & Pick<RevisionStep, 'where'>) {
  const { path, ...contents } = toJournalChange(shelf, change)
  return { path: where === 'shelf' ? path : change.file, ...contents }
}

/** A process that died after its commit has said everything: saying it again would undo what came after. */
async function commit(
  desk: Desk,
  shelf: Shelf,
  { message, kind, by, at, head }: RevisionRecord,
  changes: readonly JournalChange[],
): Promise<string | undefined> {
  const said = message.trim() || kind
  for await (const entry of desk.journal.log()) {
    if ([entry.id, ...entry.formerly].includes(head ?? '')) break
    if (entry.kind === kind && entry.message === said && sameSecond(entry.at, at)) return entry.id
  }
  const request = { message, kind, by, at: new Date(at), changes }
  const entry = await desk.journal.commit(request)
  await shelf.tidy()
  return entry?.id
}

function sameSecond(a: Date, b: string): boolean {
  return Math.floor(a.getTime() / 1000) === Math.floor(Date.parse(b) / 1000)
}

/** What is there now decides: it may be done already, or somebody else may have been here, who wins. */
async function takeStep(
  desk: Desk,
  shelf: Shelf,
  step: RevisionStep,
): Promise<FileChange | 'dropped' | undefined> {
  const { file, before, after } = step
  const place = placeOf(desk, shelf, step)
  const found = await place.read()
  if (found === 'unreadable') return 'dropped'
  const now = found?.text ?? null
  if (now === after) return { file, before, after }
  const wanted = now === before ? after : merged(now, before, after)
  if (wanted === undefined) return 'dropped'
  if (wanted === now) return undefined
  if (wanted === null) await place.remove()
  else if (now !== null || !step.fromTrash || !(await fromTrash(shelf, file, wanted)))
    await place.write(wanted, found?.version ?? null)
  return { file, before: now === before ? before : now, after: wanted }
}

/** Theirs with ours in it; undefined where both touched the same lines. */
export function merged(
  theirs: string | null,
  before: string | null,
  after: string | null,
): string | null | undefined {
  if (theirs === before) return after
  if (theirs === after) return theirs
  if (theirs === null || before === null || after === null) return undefined
  return mergeText(Buffer.from(theirs), Buffer.from(before), Buffer.from(after))?.toString('utf8')
}

/** Back to what was there before the first step, in reverse; only where nobody else has been. */
async function takeBack(desk: Desk, shelf: Shelf, record: RevisionRecord): Promise<void> {
  for (const step of record.steps.toReversed()) {
    const place = placeOf(desk, shelf, step)
    const found = await place.read()
    if (found === 'unreadable' || (found?.text ?? null) !== step.after) continue
    if (step.before === null) await place.remove()
    else if (
      found !== undefined ||
      step.where === 'home' ||
      !(await fromTrash(shelf, step.file, step.before))
    )
      await place.write(step.before, found?.version ?? null)
  }
  await desk.catalogue.refresh()
  await updateIndex(desk, shelf)
  await removeRecord(shelf.state)
}

/** Where a step's file is kept, on the shelf or below the home. */
interface Place {
  read(): Promise<Pick<StoredText, 'text' | 'version'> | 'unreadable' | undefined>
  write(text: string, expected: string | null): Promise<void>
  remove(): Promise<void>
}

export function placeOf(desk: Desk, shelf: Shelf, { where, file, mtimeMs }: RevisionStep): Place {
  if (where === 'home') return homePlace(desk.home, file)
  return {
    async read() {
      const stored = await shelf.read(file)
      return stored && 'unreadable' in stored ? 'unreadable' : stored
    },
    write: (text, expected) => shelf.write(file, text, expected, mtimeMs),
    remove: () => shelf.discard(file),
  }
}

function homePlace(home: string, file: string): Place {
  const path = join(home, file)
  return {
    async read() {
      const bytes = await readIfThere(path)
      return bytes && { text: bytes.toString('utf8'), version: contentHash(bytes) }
    },
    async write(text, expected) {
      await ensureDirectory(dirname(path))
      await writeFileAtomic(path, text, { root: home, mode: PRIVATE_FILE, expected })
    },
    /** The journal has it. A skill's directory goes with the only file in it. */
    async remove() {
      await rm(path, { force: true })
      const directory = dirname(path)
      if (directory !== home) await rmdir(directory).catch(() => {})
      if (existsSync(directory)) await syncDirectory(directory)
    },
  }
}

/** What was forgotten comes back from the trash, as old as it was, if that is what it said. */
async function fromTrash(shelf: Shelf, file: string, text: string): Promise<boolean> {
  const [newest] = await trashedCopies(shelf, file)
  if (!newest) return false
  await shelf.recover(newest)
  const back = await shelf.read(file)
  if (back && 'text' in back && back.text === text) return true
  await shelf.discard(file)
  return false
}
