import { join } from 'node:path'
import { WriteFailed } from '../atomic-file.ts'
import { because, ReverieError, systemCode } from '../error.ts'
import { type Lock, type LockOptions, withLock } from '../lock.ts'
import { commitsOf, find } from './history.ts'
import { assertJournalled, journalPath, storedPath } from './layout.ts'
import { type EntryNote, readNote, writeNote } from './message.ts'
import { type NewObject, newObject } from './objects.ts'
import { packEverything, shouldPack } from './pack.ts'
import { finishPurge, purgePath } from './purge.ts'
import { type Commit, CorruptJournal, ForeignJournal, Repository } from './repository.ts'

export interface JournalChange {
  /** Relative to the home, with `/`; or `elsewhere/<name>/…` for a directory outside it. */
  path: string
  /** What was on the disk just before; if the journal knows another version, this one is recorded first. */
  before?: Uint8Array | null
  /** What is there now; null when it was removed. */
  after: Uint8Array | null
}

export interface JournalEntry {
  id: string
  at: Date
  by: string
  kind: string
  message: string
  /** Ids that it had before a purge rewrote history, as long as `id`. */
  formerly: string[]
}

export interface FileChange {
  path: string
  before: Buffer | null
  after: Buffer | null
}

export interface CommitRequest {
  message: string
  kind: string
  changes: readonly JournalChange[]
  /** Who made the change: `Owner`, `Reverie`, … */
  by?: string
  at?: Date
}

export interface JournalOptions {
  home: string
  lock?: LockOptions
}

export type JournalHealth =
  | { state: 'absent' }
  | { state: 'ok'; entries: number }
  | { state: 'foreign' | 'corrupt' | 'unreadable'; problem: string }

const SHORT_ID = 10
const OWNER = 'Owner'
const REVERIE = 'Reverie'

/** The history of what Reverie and its owner wrote: a git repository at the home, one commit per change. */
export class Journal {
  readonly gitdir: string
  #lock: LockOptions
  #repository: Promise<Repository> | undefined

  constructor(options: JournalOptions) {
    this.#lock = { note: 'writing the journal', ...options.lock }
    this.gitdir = join(options.home, '.journal')
  }

  /** Records changes that are on the disk already. Undefined when nothing differs from the last entry. */
  async commit(request: CommitRequest): Promise<JournalEntry | undefined> {
    for (const { path } of request.changes) assertJournalled(path)
    return this.#serialised((repository, lock) => this.#commit(repository, lock, request))
  }

  /** Newest first. */
  async *log(options: { path?: string } = {}): AsyncGenerator<JournalEntry> {
    if (!Repository.exists(this.gitdir)) return
    const repository = await this.#open()
    for await (const commit of commitsOf(repository)) {
      const note = readNote(commit.message)
      if (options.path !== undefined && !(await touches(repository, commit, note, options.path))) continue
      yield toEntry(commit, note)
    }
  }

  /** The entry that an id, or a unique beginning of one, names; also an id from before a purge. */
  async entry(id: string): Promise<JournalEntry> {
    const commit = await this.#asking(repository => find(repository, id))
    return toEntry(commit, readNote(commit.message))
  }

  /** What one entry changed, with the content before and after. */
  async changes(id: string): Promise<FileChange[]> {
    return this.#asking(async repository => changesOf(repository, await find(repository, id)))
  }

  /** What one entry changed, as a unified diff. */
  async diff(id: string): Promise<string> {
    const { createTwoFilesPatch } = await import('diff')
    const text = (content: Buffer | null) => content?.toString('utf8') ?? ''
    return (await this.changes(id))
      .map(({ path, before, after }) =>
        createTwoFilesPatch(
          before === null ? '/dev/null' : `a/${path}`,
          after === null ? '/dev/null' : `b/${path}`,
          text(before),
          text(after),
        ).replace(/^=+\n/, ''),
      )
      .join('')
  }

  /** The content that a path had after an entry; undefined when it did not exist. */
  async read(id: string, path: string): Promise<Buffer | undefined> {
    return this.#asking(async repository => {
      const { tree } = await find(repository, id)
      const oid = await repository.find(tree, storedPath(path))
      return oid === undefined ? undefined : await repository.blob(oid)
    })
  }

  /** The paths below `prefix/` that the newest entry knows. */
  async paths(prefix: string): Promise<string[]> {
    if (!Repository.exists(this.gitdir)) return []
    return this.#asking(async repository => {
      const head = await repository.head()
      const tree = head && (await repository.find((await repository.commit(head)).tree, prefix))
      const paths: string[] = []
      if (tree)
        for await (const [path] of repository.files(tree)) paths.push(`${prefix}/${journalPath(path)}`)
      return paths
    })
  }

  /** Removes every version of a path from history. The ids of later entries change; old ones still find them. */
  async purge(path: string): Promise<void> {
    assertJournalled(path)
    await this.#serialised((repository, lock) => purgePath(repository, path, lock))
  }

  /** Puts everything into one pack and drops what nothing refers to. */
  async pack(): Promise<void> {
    await this.#serialised(packEverything)
  }

  async health(): Promise<JournalHealth> {
    if (!Repository.exists(this.gitdir)) return { state: 'absent' }
    try {
      let entries = 0
      const repository = await this.#open()
      for await (const commit of commitsOf(repository)) {
        if (entries++ === 0) await repository.tree(commit.tree)
      }
      return { state: 'ok', entries }
    } catch (error) {
      if (error instanceof ForeignJournal) return { state: 'foreign', problem: error.message }
      if (error instanceof CorruptJournal) return { state: 'corrupt', problem: error.message }
      if (error instanceof ReverieError) return { state: 'unreadable', problem: error.message }
      throw error
    }
  }

  async #commit(
    repository: Repository,
    lock: Lock,
    request: CommitRequest,
  ): Promise<JournalEntry | undefined> {
    const head = await repository.head()
    const parent = head === undefined ? undefined : await repository.commit(head)
    const found = await this.#foundOnDisk(repository, lock, parent, request)
    const base = found ?? parent
    const commit = await write(repository, lock, base, {
      note: { message: request.message, kind: request.kind },
      by: request.by ?? REVERIE,
      at: request.at ?? new Date(),
      files: new Map(request.changes.map(({ path, after }) => [path, after])),
    })
    await this.#tidy(repository, lock)
    return commit && toEntry(commit, readNote(commit.message))
  }

  /** The entry is written by now: a disk too full for packing does not unmake it. */
  async #tidy(repository: Repository, lock: Lock): Promise<void> {
    try {
      if (await shouldPack(repository)) await packEverything(repository, lock)
    } catch (error) {
      if (!['ENOSPC', 'EDQUOT'].includes(systemCode(error) ?? '')) throw error
    }
  }

  /** What the owner changed by hand is recorded as theirs, so that undoing our change never undoes it. */
  async #foundOnDisk(
    repository: Repository,
    lock: Lock,
    parent: Commit | undefined,
    request: CommitRequest,
  ): Promise<Commit | undefined> {
    const files = new Map<string, Uint8Array | null>()
    for (const { path, before } of request.changes)
      if (before !== undefined && !files.has(path)) files.set(path, before)
    return write(repository, lock, parent, {
      note: { message: 'Found on disk', kind: 'found' },
      by: OWNER,
      at: request.at ?? new Date(),
      files,
    })
  }

  /** A purge by another process can take away what is being read: then the question is asked anew. */
  async #asking<T>(question: (repository: Repository) => Promise<T>): Promise<T> {
    const repository = await this.#open()
    for (;;) {
      const head = await repository.head()
      try {
        return await question(repository)
      } catch (error) {
        if (!(error instanceof CorruptJournal) || (await repository.head()) === head) throw error
      }
    }
  }

  #open(): Promise<Repository> {
    // The owner may have moved it aside while we run, as we ask them to when it is damaged.
    if (!Repository.exists(this.gitdir)) this.#repository = undefined
    this.#repository ??= Repository.open(this.gitdir)
    this.#repository.catch(() => {
      this.#repository = undefined
    })
    return this.#repository
  }

  async #serialised<T>(work: (repository: Repository, lock: Lock) => Promise<T>): Promise<T> {
    const repository = await this.#open()
    const finishThenWork = async (lock: Lock) => {
      await finishPurge(repository, lock)
      return work(repository, lock)
    }
    try {
      return await withLock(join(this.gitdir, 'reverie-lock'), finishThenWork, this.#lock)
    } catch (error) {
      if (error instanceof ReverieError || systemCode(error) === undefined) throw error
      throw new WriteFailed(`Could not write the journal ${this.gitdir}: ${because(error)}.`, {
        cause: error,
      })
    }
  }
}

interface Draft {
  note: EntryNote
  by: string
  at: Date
  files: ReadonlyMap<string, Uint8Array | null>
}

/** Adds a commit after `parent`, or none when the files are what the parent has. */
async function write(
  repository: Repository,
  lock: Lock,
  parent: Commit | undefined,
  draft: Draft,
): Promise<Commit | undefined> {
  const objects: NewObject[] = []
  const changes = new Map<string, string | null>()
  for (const [path, content] of draft.files) {
    const stored = storedPath(path)
    const blob = content === null ? undefined : newObject('blob', content)
    const known = parent && (await repository.find(parent.tree, stored))
    if (blob?.oid === known) continue
    if (blob) objects.push(blob)
    changes.set(stored, blob?.oid ?? null)
  }
  if (changes.size === 0) return undefined
  const tree = await repository.changedTree(parent?.tree ?? repository.emptyTree, changes, objects)
  const paths = [...changes.keys()].map(journalPath)
  const commit = repository.draftCommit({
    tree,
    parent: parent?.oid,
    message: writeNote({ ...draft.note, paths }),
    author: draft.by,
    at: draft.at,
  })
  await repository.write([...objects, commit])
  await lock.check()
  await repository.setHead(commit.oid)
  return repository.commit(commit.oid)
}

async function touches(
  repository: Repository,
  commit: Commit,
  note: EntryNote,
  path: string,
): Promise<boolean> {
  if (note.paths) return note.paths.includes(path)
  const stored = storedPath(path)
  const parent = commit.parent === undefined ? undefined : await repository.commit(commit.parent)
  const before = parent && (await repository.find(parent.tree, stored))
  return (await repository.find(commit.tree, stored)) !== before
}

async function changesOf(repository: Repository, commit: Commit): Promise<FileChange[]> {
  const parent = commit.parent === undefined ? undefined : await repository.commit(commit.parent)
  const changes: FileChange[] = []
  const blob = async (oid: string | undefined) => (oid === undefined ? null : repository.blob(oid))
  for await (const change of repository.compare(parent?.tree ?? repository.emptyTree, commit.tree)) {
    changes.push({
      path: journalPath(change.path),
      before: await blob(change.before),
      after: await blob(change.after),
    })
  }
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1))
}

function toEntry(commit: Commit, note: EntryNote): JournalEntry {
  return {
    id: commit.oid.slice(0, SHORT_ID),
    at: new Date(commit.timestamp * 1000),
    by: commit.author,
    kind: note.kind,
    message: note.message,
    formerly: (note.formerly ?? []).map(id => id.slice(0, SHORT_ID)),
  }
}
