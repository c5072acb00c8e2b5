import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { type Home, type Project, prepareHome, projectSlug } from '../config/index.ts'
import {
  type DirectoryChange,
  Journal,
  type JournalEntry,
  ReverieError,
  readSmallFile,
  realPathOf,
} from '../store/index.ts'
import { type Age, ageNote, ageOf, confirmedAt } from './age.ts'
import { Catalogue, type MemoryHead } from './catalogue.ts'
import { appendToDailyLog } from './daily-log.ts'
import { type Desk, recover, shelfOf } from './desk.ts'
import { type Diagnosis, type DoctorOptions, diagnose } from './doctor.ts'
import { type Changed, type ChangeOptions, editMemory, rewriteMemory } from './edit.ts'
import type { Entry, EntryEdit } from './entry.ts'
import { FileShelf } from './file-shelf.ts'
import { entryOf, findFile, shelvesFor } from './find.ts'
import { type ForgetOptions, forgetMemory, restoreMemory } from './forget.ts'
import { ImportLedger } from './ledger.ts'
import type { Embedder } from './likeness.ts'
import { assertMemoryFile, INDEX_FILE } from './name.ts'
import { type MemoryPromptOptions, memoryPrompt } from './prompt.ts'
import { type Recalled, type RecallOptions, recallMemories, searchMemories } from './recall.ts'
import { type Revision, type RevisionOutcome, reviseMemories } from './revise.ts'
import { type Fence, finishRevision, hasUnfinishedRevision } from './revision.ts'
import { type MemoryDraft, refuseSecrets, type Saved, saveMemory } from './save.ts'
import type { Scope, Shelf } from './shelf.ts'
import { type Snapshot, takeSnapshot } from './snapshot.ts'
import { isOwnFile, type Undone, type UndoOptions, undoChange } from './undo.ts'

export interface MemoryOptions {
  home: Home
  project: Project
  /** Keeps the project's memories here, and not in the home. */
  directory?: string | undefined
  /** A second signal for recall. Nothing needs one. */
  embedder?: Embedder | undefined
  now?: () => Date
  /** How long another process that writes to the catalogue is waited for; ten seconds unless told. */
  patienceMs?: number | undefined
}

/** A memory as it is listed. */
export interface ListedMemory extends Age, Omit<MemoryHead, 'confirmed' | 'recalled'> {}

/** A memory in full. */
export interface FullMemory extends Age, Entry {
  file: string
  scope: Scope
  /** The file as it stands. */
  text: string
  version: string
  note: string
}

export interface MemoryChange extends DirectoryChange {
  scope: Scope
}

export interface ChangedText {
  file: string
  before: string | null
  after: string | null
}

/** What is remembered: the one way in for the command, the agent, the page and programs that embed it. */
export class Memory implements Disposable {
  #desk: Desk
  #embedder: Embedder | undefined
  #ledgerDirectory: string

  private constructor(desk: Desk, embedder: Embedder | undefined, ledgerDirectory: string) {
    this.#desk = desk
    this.#embedder = embedder
    this.#ledgerDirectory = ledgerDirectory
  }

  static async open(options: MemoryOptions): Promise<Memory> {
    const { home, project } = options
    const shelves = await openShelves(options)
    const key = createHash('sha256').update(shelves.map(({ place }) => place).join('\0'))
    const catalogue = new Catalogue(
      join(home.cache, `memory-${key.digest('hex').slice(0, 16)}.sqlite`),
      shelves,
      options.patienceMs,
    )
    const desk: Desk = {
      home: home.path,
      shelves,
      catalogue,
      journal: new Journal({ home: home.path }),
      now: options.now ?? (() => new Date()),
      prepare: () => prepareHome(home),
      instructions: () => readInstructions(project),
    }
    await finishInterrupted(desk)
    return new Memory(desk, options.embedder, join(home.projects, project.slug))
  }

  /** Where the memories of a scope are kept. */
  place(scope: Scope = 'project'): string {
    return shelvesFor(this.#desk, scope)[0]?.place ?? ''
  }

  /** What every conversation sees anyway: the project's AGENTS.md and CLAUDE.md, in full. */
  instructions(): Promise<string[]> {
    return this.#desk.instructions()
  }

  /** Keeps something: updates the memory of that type and name, or creates one. */
  save(draft: MemoryDraft): Promise<Saved> {
    return saveMemory(this.#desk, draft)
  }

  /** The memories that clearly answer a question, at most five; none when none does. */
  recall(query: string, options: RecallOptions = {}): Promise<Recalled[]> {
    return recallMemories(this.#desk, query, options, this.#embedder)
  }

  /** The best there is for a question, however faintly related. */
  search(query: string, k = 10): Promise<Recalled[]> {
    return searchMemories(this.#desk, query, k, this.#embedder)
  }

  /** Every memory, the most recently confirmed first. */
  async list(scope?: Scope): Promise<ListedMemory[]> {
    await this.#desk.catalogue.refresh()
    const now = this.#desk.now().getTime()
    const heads = this.#desk.catalogue.heads()
    const wanted = scope === undefined ? heads : heads.filter(head => head.scope === scope)
    return wanted.map(({ file, name, description, type, pinned, bytes, scope, origin, confirmed }) => {
      const { ageDays, stale } = ageOf(confirmed, now)
      return { file, name, description, type, ageDays, stale, pinned, bytes, scope, origin }
    })
  }

  async get(file: string, scope?: Scope): Promise<FullMemory> {
    const { shelf, stored } = await findFile(this.#desk, file, scope)
    const entry = entryOf(file, stored.text)
    const age = ageOf(confirmedAt(entry.updated, stored.mtimeMs), this.#desk.now().getTime())
    const { text, version } = stored
    return { file, scope: shelf.scope, ...entry, ...age, text, version, note: ageNote(age) }
  }

  /** Changes parts of a memory; every other byte stays. */
  edit(
    file: string,
    edit: Pick<EntryEdit, 'name' | 'description' | 'type' | 'body' | 'pinned'>,
    options: ChangeOptions = {},
  ): Promise<Changed> {
    return editMemory(this.#desk, file, edit, options)
  }

  /** Replaces the text that `get` gave, unless somebody else changed it meanwhile. */
  rewrite(
    { file, version, scope }: Pick<FullMemory, 'file' | 'version' | 'scope'>,
    text: string,
    options: Pick<ChangeOptions, 'by'> = {},
  ): Promise<Changed> {
    return rewriteMemory(this.#desk, file, text, version, { ...options, scope })
  }

  /** A pinned memory is never changed automatically. */
  pin(file: string, pinned = true, options: ChangeOptions = {}): Promise<Changed> {
    return editMemory(this.#desk, file, { pinned }, options)
  }

  /** Moves a memory to the trash, where it stays for 30 days. */
  forget(file: string, options: ForgetOptions = {}): Promise<Changed> {
    return forgetMemory(this.#desk, file, options)
  }

  /** Brings a forgotten memory back, as old as it was. */
  restore(file: string, options: ChangeOptions = {}): Promise<Changed> {
    return restoreMemory(this.#desk, file, options)
  }

  /** Takes back a change, the newest unless told, and keeps what came after it. */
  undo(id?: string, options: UndoOptions = {}): Promise<Undone> {
    return undoChange(this.#desk, id, options)
  }

  /** Notes what happened, for dreams to make memories of. Returns the file. */
  async noteInDailyLog(text: string): Promise<string> {
    await refuseSecrets([text])
    await this.#desk.prepare()
    return appendToDailyLog(this.place('project'), text, this.#desk.now())
  }

  /** All memories of a scope with their texts. */
  snapshot(scope: Scope = 'project'): Promise<Snapshot> {
    return takeSnapshot(shelfOf(this.#desk, scope))
  }

  /** Makes changes that belong together: all of them or none, whatever is killed when. */
  revise(scope: Scope, revision: Revision, fence?: Fence): Promise<RevisionOutcome> {
    return reviseMemories(this.#desk, shelfOf(this.#desk, scope), revision, fence)
  }

  /** A directory of ours for what is about the memories of a scope, and is none. */
  state(scope: Scope = 'project'): string {
    return shelfOf(this.#desk, scope).state
  }

  /** The entries with which something was noted in the journal beside changes, newest first. */
  async *notedEntries(file: string, scope: Scope = 'project'): AsyncGenerator<JournalEntry> {
    yield* this.#desk.journal.log({ path: shelfOf(this.#desk, scope).journalPath(file) })
  }

  /** Every entry of the journal, whatever it is about, newest first. */
  log(): AsyncGenerator<JournalEntry> {
    return this.#desk.journal.log()
  }

  /** One entry of the journal, by the beginning of its id. */
  entry(id: string): Promise<JournalEntry> {
    return this.#desk.journal.entry(id)
  }

  /** What was noted with an entry. */
  async noted(id: string, file: string, scope: Scope = 'project'): Promise<string | undefined> {
    const path = shelfOf(this.#desk, scope).journalPath(file)
    return (await this.#desk.journal.read(id, path))?.toString('utf8')
  }

  /** The memories and own files of these scopes that one entry changed, with what they said before and after. */
  async changesOf(id: string, ...scopes: Scope[]): Promise<ChangedText[]> {
    const within = scopes.length === 0 ? (['project'] as const) : scopes
    const prefixes = within.map(scope => shelfOf(this.#desk, scope).journalPath(''))
    const changes = await this.#desk.journal.changes(id)
    return changes.flatMap(({ path, before, after }) => {
      // One scope lies within another: what is left of the path tells whose it is.
      const file = prefixes
        .map(prefix => (path.startsWith(prefix) ? path.slice(prefix.length) : ''))
        .find(rest => rest !== '' && !rest.includes('/'))
      if (isOwnFile(path))
        return [
          { file: path, before: before?.toString('utf8') ?? null, after: after?.toString('utf8') ?? null },
        ]
      if (file === undefined || file === INDEX_FILE) return []
      return [{ file, before: before?.toString('utf8') ?? null, after: after?.toString('utf8') ?? null }]
    })
  }

  /** What happened to one memory, newest first. */
  async history(file: string, scope?: Scope): Promise<JournalEntry[]> {
    assertMemoryFile(file)
    const entries: JournalEntry[] = []
    for (const shelf of shelvesFor(this.#desk, scope)) {
      for await (const entry of this.#desk.journal.log({ path: shelf.journalPath(file) })) entries.push(entry)
      if (entries.length > 0) break
    }
    return entries
  }

  /** What one entry of the history changed, as a unified diff. */
  diff(id: string): Promise<string> {
    return this.#desk.journal.diff(id)
  }

  /** Finds what is wrong; with `fix`, mends what can be mended without deciding anything. */
  doctor(options: DoctorOptions = {}): Promise<Diagnosis> {
    return diagnose(this.#desk, options)
  }

  /** The section of a system prompt that tells an agent about its memory. */
  prompt(options: MemoryPromptOptions = {}): Promise<string> {
    return memoryPrompt(this.#desk, options)
  }

  /** What was imported into this project before. */
  imports(): Promise<ImportLedger> {
    return ImportLedger.open(this.#ledgerDirectory)
  }

  /** Tells of every change on the shelves, whoever made it, until it is disposed of. */
  async watch(onChange: (changes: MemoryChange[]) => void): Promise<AsyncDisposable> {
    const watchers = new AsyncDisposableStack()
    for (const shelf of this.#desk.shelves) {
      const { scope } = shelf
      watchers.use(await shelf.watch(changes => onChange(changes.map(change => ({ ...change, scope })))))
    }
    return watchers
  }

  [Symbol.dispose](): void {
    this.#desk.catalogue[Symbol.dispose]()
  }
}

async function openShelves({ home, project, directory }: MemoryOptions): Promise<Shelf[]> {
  const own =
    directory === undefined ? join(home.projects, project.slug, 'memory') : await realPathOf(directory)
  // A directory elsewhere has a trash and a history of its own, from whatever project it is used.
  const slug = directory === undefined ? project.slug : projectSlug(own)
  const trash = join(home.projects, slug, 'trash')
  const state = join(home.projects, slug)
  const prefix = directory === undefined ? `projects/${slug}/memory` : `elsewhere/${slug}`
  const shelves = [
    new FileShelf({ scope: 'project', directory: own, trash, state, journalPrefix: prefix }),
    new FileShelf({
      scope: 'team',
      directory: join(own, 'team'),
      root: own,
      trash: join(trash, 'team'),
      state: join(state, 'team'),
      journalPrefix: `${prefix}/team`,
    }),
  ]
  // A project that is told to use the owner's own directory has that once, not twice.
  if ((await realPathOf(home.memory)) === (await realPathOf(own))) return shelves
  const everywhere = join(home.path, 'trash')
  return [
    new FileShelf({
      scope: 'user',
      directory: home.memory,
      trash: everywhere,
      state: home.path,
      journalPrefix: 'memory',
    }),
    ...shelves,
  ]
}

/** Where nothing can be written, nothing can be finished either; reading goes on, and doctor tells. */
async function finishInterrupted(desk: Desk): Promise<void> {
  for (const shelf of desk.shelves) {
    if (hasUnfinishedRevision(shelf) && !(await shelf.busy()))
      await shelf
        .exclusively(held => finishRevision(desk, shelf, held))
        .catch(error => {
          if (!(error instanceof ReverieError)) throw error
        })
    const since = await shelf.interrupted()
    if (!since) continue
    await recover(desk, shelf, since).catch(error => {
      if (!(error instanceof ReverieError)) throw error
    })
  }
}

async function readInstructions(project: Project): Promise<string[]> {
  const texts = ['AGENTS.md', 'CLAUDE.md'].map(name => readSmallFile(join(project.root, name)) ?? '')
  return texts.filter(text => text !== '')
}
