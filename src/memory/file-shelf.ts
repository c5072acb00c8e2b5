import { createHash, randomBytes } from 'node:crypto'
import { existsSync, lstatSync, readdirSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import {
  ANY_AGE,
  because,
  ChangedMeanwhile,
  contentHash,
  type DirectoryChange,
  DirectoryWatcher,
  ensureDirectory,
  inspectLock,
  isInside,
  isLinkUnsupported,
  PRIVATE_FILE,
  ReverieError,
  realPathOf,
  safeJoin,
  sweepTemporaries,
  syncDirectory,
  systemCode,
  UnsafePath,
  withLock,
  writeFileAtomic,
} from '../store/index.ts'
import { INDEX_FILE, isMemoryFileName } from './name.ts'
import type { Held, Listing, Scope, Shelf, Stamp, StoredText, Trashed, Unreadable } from './shelf.ts'

export interface FileShelfOptions {
  scope: Scope
  directory: string
  /** Symbolic links are not followed out of it; the directory itself unless told. */
  root?: string
  /** Outside the directory, so that no other program reads forgotten memories back. */
  trash: string
  /** For what is about the shelf: work in progress, diaries. Outside it, too. */
  state: string
  /** The directory's path in the journal. */
  journalPrefix: string
}

/** A memory is small; a file beyond this is reported and not read. */
const FILE_LIMIT_BYTES = 4 * 1024 * 1024
/** Saves queue up behind each other; many processes may save at once. */
const LOCK_WAIT_MS = 120_000

/** Memories as Markdown files in a directory. */
export class FileShelf implements Shelf {
  readonly scope: Scope
  readonly place: string
  readonly state: string
  #root: string
  #trash: string
  #journalPrefix: string

  constructor(options: FileShelfOptions) {
    this.scope = options.scope
    this.place = options.directory
    this.state = options.state
    this.#root = options.root ?? options.directory
    this.#trash = options.trash
    this.#journalPrefix = options.journalPrefix
  }

  async list(): Promise<Listing> {
    if (this.#root !== this.place && (await this.#leadsOutside(this.place)))
      return { digest: 'outside', stamps: () => [] }
    const files: string[] = []
    const figures: number[] = []
    for (const name of namesIn(this.place)) {
      if (!isMemoryFileName(name) && name !== INDEX_FILE) continue
      const stats = lstatSync(`${this.place}/${name}`, { throwIfNoEntry: false })
      if (!stats || stats.isDirectory()) continue
      files.push(name)
      figures.push(stats.ino, stats.mtimeMs, stats.ctimeMs, stats.size)
    }
    // Numbers are hashed as they are: turning them into text costs as much as the stats themselves.
    const hash = createHash('sha1')
      .update(files.join('/'))
      .update(new Uint8Array(Float64Array.from(figures).buffer))
    return {
      digest: hash.digest('hex'),
      stamps: () => files.flatMap((file, at) => toStamp(file, figures.slice(at * 4, at * 4 + 4))),
    }
  }

  async read(file: string): Promise<StoredText | Unreadable | undefined> {
    const path = safeJoin(this.place, file)
    try {
      const outside = await this.#leadsOutside(path)
      if (outside)
        return {
          kind: 'symlink-out',
          unreadable: `it is a symbolic link out of the directory, to ${outside}`,
        }
      const stats = await fs.stat(path)
      if (!stats.isFile()) return unreadable('it is not a file')
      if (stats.size > FILE_LIMIT_BYTES)
        return unreadable(`it is larger than ${FILE_LIMIT_BYTES / 2 ** 20} MB`)
      const bytes = await fs.readFile(path)
      return { text: decode(bytes), version: contentHash(bytes), mtimeMs: stats.mtimeMs }
    } catch (error) {
      // A link to nowhere is there, and leads nowhere.
      if (systemCode(error) === 'ENOENT')
        return (await isLink(path)) ? unreadable('it is a symbolic link to nothing') : undefined
      return unreadable(because(error))
    }
  }

  /** Where a path leads, if symbolic links lead it outside. */
  async #leadsOutside(path: string): Promise<string | undefined> {
    const suspicious =
      this.#root !== this.place || lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()
    if (!suspicious) return undefined
    const [real, root] = await Promise.all([realPathOf(path), realPathOf(this.#root)])
    return isInside(root, real) ? undefined : real
  }

  async write(file: string, text: string, expected: string | null, mtimeMs?: number): Promise<void> {
    await ensureDirectory(this.place)
    const path = safeJoin(this.place, file)
    await writeFileAtomic(path, text, { root: this.#root, mode: PRIVATE_FILE, expected })
    if (mtimeMs !== undefined) await fs.utimes(path, new Date(), new Date(mtimeMs))
  }

  async discard(file: string): Promise<void> {
    await ensureDirectory(this.#trash)
    await move(safeJoin(this.place, file), join(this.#trash, trashId(file)))
    await Promise.all([syncDirectory(this.#trash), syncDirectory(this.place)])
  }

  async trashed(): Promise<Trashed[]> {
    return namesIn(this.#trash)
      .flatMap(name => readTrashed(name) ?? [])
      .sort((a, b) => (a.id < b.id ? 1 : -1))
  }

  async recover({ id, file }: Trashed): Promise<void> {
    const target = safeJoin(this.place, file)
    await ensureDirectory(this.place)
    try {
      await moveToFreeName(safeJoin(this.#trash, id), target)
    } catch (error) {
      if (systemCode(error) !== 'EEXIST')
        throw new ReverieError(`Could not restore ${file}: ${because(error)}.`, { cause: error })
      throw new ChangedMeanwhile(`${file} exists; forget or rename it before the older one is restored.`)
    }
    await Promise.all([syncDirectory(this.#trash), syncDirectory(this.place)])
  }

  async erase(trashed: readonly Trashed[]): Promise<void> {
    for (const { id } of trashed) await fs.rm(safeJoin(this.#trash, id), { force: true })
  }

  async setAside(file: string, text: string): Promise<string> {
    await ensureDirectory(this.#trash)
    const path = join(this.#trash, trashId(file))
    await writeFileAtomic(path, text, { mode: PRIVATE_FILE })
    return path
  }

  async exclusively<T>(work: (held: Held) => Promise<T>): Promise<T> {
    const outside = await this.#leadsOutside(this.place)
    if (outside)
      throw new UnsafePath(
        `${this.place} is a symbolic link out of ${this.#root}, to ${outside}; nothing is written there.`,
      )
    await ensureDirectory(this.place)
    return withLock(await this.#lock(), work, { waitMs: LOCK_WAIT_MS, note: 'changing memories' })
  }

  async busy(): Promise<boolean> {
    return existsSync(this.place) && (await inspectLock(await this.#lock())).held
  }

  async interrupted(): Promise<Date | undefined> {
    if (!existsSync(this.place)) return undefined
    const { held, claim, beatAt } = await inspectLock(await this.#lock())
    return held || claim === undefined || claim.released ? undefined : beatAt
  }

  async #lock(): Promise<string> {
    const lock = join(await realPathOf(this.place), '.reverie-lock')
    if (await isLink(lock)) throw new UnsafePath(`${lock} is a symbolic link; it is not followed. Remove it.`)
    return lock
  }

  async tidy(): Promise<void> {
    if (existsSync(this.place)) await sweepTemporaries(this.place, { olderThanMs: ANY_AGE })
  }

  journalPath(file: string): string {
    return `${this.#journalPrefix}/${file}`
  }

  watch(onChange: (changes: DirectoryChange[]) => void): Promise<AsyncDisposable> {
    const filter = (name: string) => isMemoryFileName(name) || name === INDEX_FILE
    return DirectoryWatcher.start(this.place, onChange, { filter })
  }
}

function toStamp(file: string, [ino = 0, mtimeMs = 0, ctimeMs = 0, bytes = 0]: number[]): Stamp[] {
  return file === INDEX_FILE ? [] : [{ file, stamp: `${ino}:${mtimeMs}:${ctimeMs}:${bytes}`, mtimeMs, bytes }]
}

function unreadable(why: string): Unreadable {
  return { kind: 'unreadable', unreadable: why }
}

/** Empty when the directory is not there. */
function namesIn(path: string): string[] {
  try {
    return readdirSync(path)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []
    throw new ReverieError(`Could not list ${path}: ${because(error)}.`, { cause: error })
  }
}

/** Of two copies that are discarded in a row, the later one has the later time, also where a clock steps back a little. */
const STEP_BACK_MS = 1_000
let discardedAt = 0

function trashId(file: string): string {
  const now = Date.now()
  discardedAt = now <= discardedAt && discardedAt - now < STEP_BACK_MS ? discardedAt + 1 : now
  const at = new Date(discardedAt).toISOString().replaceAll(/[-:]/g, '')
  return `${at}-${randomBytes(3).toString('hex')}~${file}`
}

const TRASHED = /^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\d\.\d{3}Z)-[0-9a-f]{6}~(.+)$/

function readTrashed(id: string): Trashed | undefined {
  const [, year, month, hour, minute, second, file] = TRASHED.exec(id) ?? []
  return file === undefined
    ? undefined
    : { id, file, at: new Date(`${year}-${month}-${hour}:${minute}:${second}`) }
}

/** Keeps the time of the last change, on which a memory's age rests. */
async function move(from: string, to: string): Promise<void> {
  try {
    await fs.rename(from, to)
  } catch (error) {
    if (systemCode(error) !== 'EXDEV')
      throw new ReverieError(`Could not move ${from} to ${to}: ${because(error)}.`, { cause: error })
    const stats = await fs.stat(from)
    await writeFileAtomic(to, await fs.readFile(from), { mode: PRIVATE_FILE })
    await fs.utimes(to, stats.atime, stats.mtime)
    await fs.unlink(from)
  }
}

/** Fails with EEXIST, at whatever instant a file of the new name appears. */
async function moveToFreeName(from: string, to: string): Promise<void> {
  try {
    await fs.link(from, to)
    await fs.unlink(from)
  } catch (error) {
    const elsewhere = systemCode(error) === 'EXDEV' || isLinkUnsupported(error)
    if (!elsewhere) throw error
    if (lstatSync(to, { throwIfNoEntry: false }))
      throw Object.assign(new Error('it exists'), { code: 'EEXIST' })
    await move(from, to)
  }
}

async function isLink(path: string): Promise<boolean> {
  return (await fs.lstat(path).catch(() => undefined))?.isSymbolicLink() ?? false
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Error('it is not text in UTF-8')
  }
}
