import {
  because,
  ChangedMeanwhile,
  type Journal,
  type JournalChange,
  ReverieError,
  systemCode,
} from '../store/index.ts'
import type { Catalogue } from './catalogue.ts'
import { type DerivedIndex, deriveIndex } from './index-file.ts'
import { INDEX_FILE } from './name.ts'
import type { Scope, Shelf } from './shelf.ts'
import { worthOf } from './worth.ts'

/** What the operations on memories work with. */
export interface Desk {
  /** The home's directory: the agent's own files are in it. */
  home: string
  shelves: readonly Shelf[]
  catalogue: Catalogue
  journal: Journal
  now: () => Date
  /** Makes the home before the first write into it. */
  prepare: () => Promise<void>
  /** The project's AGENTS.md and CLAUDE.md: what they say need not be remembered. */
  instructions: () => Promise<string[]>
}

/** What happened to the files of a shelf, to be followed by its index and its journal. */
export interface Deed {
  message: string
  kind: string
  by: 'Owner' | 'Reverie'
  changes: FileChange[]
}

export interface FileChange {
  file: string
  /** Left out when it is not known. */
  before?: string | null
  after: string | null
}

export interface Settled {
  index: {
    lines: number
    bytes: number
    /** How many memories have no line, because the caps leave no room. */
    demoted: number
    /** Those of them that had one until now. */
    lostLine: string[]
    /** Lines that were removed because their file does not exist. */
    dropped: string[]
  }
  /** Id of the journal entry, for undoing it. */
  entry: string | undefined
  /** What went wrong beside the deed itself, which is done. */
  warnings: string[]
}

const INDEX_TRIES = 5
/** A dead holder's last heartbeat may be this much later than the first thing that it did. */
const HEARTBEAT_AND_MORE_MS = 120_000

export function shelfOf(desk: Desk, scope: Scope): Shelf {
  const shelf = desk.shelves.find(candidate => candidate.scope === scope)
  if (!shelf) throw new ReverieError(`There is no ${scope} memory here.`)
  return shelf
}

/** Brings index and journal in line with a change of files. To be called while the shelf is held exclusively. */
export async function settle(desk: Desk, shelf: Shelf, deed: Deed): Promise<Settled> {
  await desk.catalogue.refresh()
  const warnings: string[] = []
  // The files have changed: what cannot follow now follows with the next change, and is said.
  const tolerate = (what: string) => (error: unknown) => {
    if (!(error instanceof ReverieError) && systemCode(error) === undefined) throw error
    warnings.push(`${what}: ${because(error)}`)
    return undefined
  }
  const updated = await updateIndex(desk, shelf).catch(tolerate('The index is not up to date'))
  const changes = [...deed.changes, ...(updated?.change ? [updated.change] : [])]
  const entry = await desk.journal
    .commit({
      message: deed.message,
      kind: deed.kind,
      by: deed.by,
      at: desk.now(),
      changes: changes.map(change => toJournalChange(shelf, change)),
    })
    .catch(tolerate('It is not in the journal'))
  const { lines = 0, bytes = 0, demoted = [], lostLine = [], dropped = [] } = updated?.derived ?? {}
  return {
    index: { lines, bytes, demoted: demoted.length, lostLine, dropped: dropped.map(({ line }) => line) },
    entry: entry?.id,
    warnings,
  }
}

/** Finishes what a process that died had begun: the index follows the files, and the journal has them. */
export async function recover(desk: Desk, shelf: Shelf, since: Date): Promise<void> {
  await desk.prepare()
  await shelf.exclusively(async () => {
    await shelf.tidy()
    const { stamps } = await shelf.list()
    const changes: FileChange[] = []
    for (const { file } of stamps().filter(
      ({ mtimeMs }) => mtimeMs >= since.getTime() - HEARTBEAT_AND_MORE_MS,
    )) {
      const stored = await shelf.read(file)
      if (stored && 'text' in stored) changes.push({ file, after: stored.text })
    }
    const there = new Set(stamps().map(({ file }) => shelf.journalPath(file)))
    const prefix = shelf.journalPath('')
    for (const path of await desk.journal.paths(prefix.slice(0, -1))) {
      const file = path.slice(prefix.length)
      if (!there.has(path) && !file.includes('/') && file !== INDEX_FILE) changes.push({ file, after: null })
    }
    const message = 'Found after an interruption'
    await settle(desk, shelf, { message, kind: 'recovered', by: 'Owner', changes })
  })
}

export function toJournalChange(shelf: Shelf, { file, before, after }: FileChange): JournalChange {
  const bytes = (text: string | null) => (text === null ? null : Buffer.from(text))
  return {
    path: shelf.journalPath(file),
    after: bytes(after),
    ...(before !== undefined && { before: bytes(before) }),
  }
}

/** Writes MEMORY.md anew if it does not say what the files say. */
export async function updateIndex(
  desk: Desk,
  shelf: Shelf,
): Promise<{ derived: DerivedIndex; change: FileChange | undefined }> {
  for (let tries = 1; ; tries++) {
    const stored = await shelf.read(INDEX_FILE)
    if (stored && 'unreadable' in stored)
      throw new ReverieError(`${INDEX_FILE} in ${shelf.place} cannot be read: ${stored.unreadable}.`)
    const derived = derive(desk, shelf.scope, stored?.text ?? '')
    if (derived.text === (stored?.text ?? '')) return { derived, change: undefined }
    try {
      await shelf.write(INDEX_FILE, derived.text, stored?.version ?? null)
      return { derived, change: { file: INDEX_FILE, before: stored?.text ?? null, after: derived.text } }
    } catch (error) {
      // An editor saved it just now: what it says is taken up, and the index derived again.
      if (!(error instanceof ChangedMeanwhile) || tries === INDEX_TRIES) throw error
    }
  }
}

export function derive(desk: Desk, scope: Scope, text: string): DerivedIndex {
  const now = desk.now().getTime()
  return deriveIndex({
    text,
    entries: desk.catalogue
      .heads()
      .filter(head => head.scope === scope)
      .map(head => ({ ...head, worth: worthOf(head, now) })),
    present: desk.catalogue.files(scope),
    ours: desk.catalogue.ownLines(scope),
  })
}
