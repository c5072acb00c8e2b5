import { existsSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { FtsIndex, Hit, VectorSignal } from '../search/index.ts'
import { inTransaction, isBusy, isStorageTrouble } from '../store/index.ts'
import {
  idOf,
  inWords,
  linesByFile,
  type NoMemory,
  type ReadFile,
  readFile,
  toDocument,
} from './catalogue-reading.ts'
import { inMemory, openTables, type Tables } from './catalogue-tables.ts'
import type { MemoryType, Origin } from './entry.ts'
import { printLine } from './index-line.ts'
import { INDEX_FILE, nameKey } from './name.ts'
import type { Scope, Shelf } from './shelf.ts'
import type { Standing } from './worth.ts'

/** What is known of a memory without opening its file. */
export interface MemoryHead extends Standing {
  scope: Scope
  file: string
  name: string
  description: string
  type: MemoryType
  origin: Origin
  bytes: number
}

/** Rows as arrays: with ten thousand memories, half the time of a listing is making objects of them. */
const HEADS = `SELECT id, scope, file, bytes, confirmed, type, name, description, origin, pinned FROM file WHERE kind IS NULL`
type HeadRow = [string, Scope, string, number, number, MemoryType, string, string, Origin, number]

/**
 * What is on the shelves, kept in SQLite so that nothing is read twice. It is derived and may be deleted at any
 * time. It notices whatever changed on the shelves, by whomever, when it is refreshed.
 */
export class Catalogue implements Disposable {
  #path: string
  #shelves: readonly Shelf[]
  #tables: Tables

  /** `patienceMs`: how long another process that writes to it is waited for. */
  constructor(path: string, shelves: readonly Shelf[], patienceMs?: number) {
    this.#path = path
    this.#shelves = shelves
    this.#tables = openTables(path, patienceMs)
  }

  get db(): DatabaseSync {
    return this.#tables.db
  }

  get #index(): FtsIndex {
    return this.#tables.index
  }

  /** Brings the catalogue up to date with the shelves; costs a `stat` per file when nothing changed. */
  async refresh(): Promise<void> {
    await this.#despiteStorage(() => {})
  }

  /** A full disk or a damaged file is no reason to remember nothing: then it is built in memory, for now. */
  async #despiteStorage<T>(work: () => T): Promise<T> {
    try {
      await this.#followShelves()
      return work()
    } catch (error) {
      if (this.#tables.inMemory || !isStorageTrouble(error)) throw error
      this.#tables.db.close()
      this.#tables = inMemory()
      await this.#followShelves()
      return work()
    }
  }

  /** Deletes every catalogue of the home, so that nothing of what was purged is left in one; they are derived. */
  startAnew(): void {
    this.#tables.db.close()
    const directory = dirname(this.#path)
    if (existsSync(directory))
      for (const name of readdirSync(directory))
        if (/^memory-.*\.sqlite/.test(name)) rmSync(join(directory, name))
    this.#tables = openTables(this.#path)
  }

  async #followShelves(): Promise<void> {
    for (const shelf of this.#shelves) {
      // Twice, because changed lines of the index can make files be read again.
      for (let pass = 0; pass < 2; pass++) {
        const changes = await this.#changes(shelf)
        if (!changes) break
        this.#apply(shelf, changes)
      }
    }
  }

  /** Every memory, the most recently confirmed first. */
  heads(): MemoryHead[] {
    const usage = new Map<string, number>()
    for (const { id, recalled } of this.db.prepare('SELECT id, recalled FROM usage').all())
      usage.set(String(id), Number(recalled))
    const statement = this.db.prepare(HEADS)
    statement.setReturnArrays(true)
    const rows = statement.all() as unknown as HeadRow[]
    return rows
      .map(row => toHead(row, usage))
      .sort((a, b) => b.confirmed - a.confirmed || (a.file < b.file ? -1 : 1))
  }

  /** The heads of some memories, by id. */
  headsOf(ids: readonly string[]): Map<string, MemoryHead> {
    const statement = this.db.prepare(`${HEADS} AND id = ?`)
    statement.setReturnArrays(true)
    const recalled = this.db.prepare('SELECT recalled FROM usage WHERE id = ?')
    const heads = new Map<string, MemoryHead>()
    for (const id of ids) {
      const row = statement.get(id) as unknown as HeadRow | undefined
      if (row) heads.set(id, toHead(row, new Map([[id, Number(recalled.get(id)?.recalled ?? 0)]])))
    }
    return heads
  }

  /** What stands for each memory when it is compared with a question as a whole. */
  texts(): Array<{ id: string; text: string }> {
    const rows = this.db.prepare('SELECT id, name, description, hook FROM file WHERE kind IS NULL').all()
    return rows.map(({ id, name, description, hook }) => ({
      id: String(id),
      text: `${name}\n${description}\n${hook}`.trim(),
    }))
  }

  problems(): NoMemory[] {
    const sql = 'SELECT scope, file, kind, detail FROM file WHERE kind IS NOT NULL ORDER BY scope, file'
    return this.db.prepare(sql).all() as unknown as NoMemory[]
  }

  files(scope: Scope): Set<string> {
    const rows = this.db.prepare('SELECT file FROM file WHERE scope = ?').all(scope)
    return new Set(rows.map(row => String(row.file)))
  }

  /** The lines of the index that are ours, by file, as far as the catalogue has seen them. */
  ownLines(scope: Scope): Map<string, string> {
    const rows = this.db
      .prepare(`SELECT file, printed FROM file WHERE scope = ? AND printed <> ''`)
      .all(scope)
    return new Map(rows.map(({ file, printed }) => [String(file), String(printed)]))
  }

  /** The memories of a scope and type whose name is the same but for case and spacing. */
  named(scope: Scope, type: MemoryType, name: string): string[] {
    const rows = this.db
      .prepare('SELECT file FROM file WHERE scope = ? AND key = ? AND type = ? ORDER BY file')
      .all(scope, nameKey(name), type)
    return rows.map(row => String(row.file))
  }

  /** Of what is on the shelves now. */
  async search(query: string, limit: number): Promise<Hit[]> {
    return this.#despiteStorage(() => this.#index.search(query, { limit }).hits)
  }

  async searchWith(signal: VectorSignal, query: string, limit: number): Promise<Hit[]> {
    return (await this.#index.searchWith(signal, query, { limit })).hits
  }

  /** Counts that memories were of use; a mild prior, so that losing it with the catalogue does no harm. */
  countRecalled(ids: readonly string[]): void {
    const sql = 'INSERT INTO usage VALUES (?, 1) ON CONFLICT (id) DO UPDATE SET recalled = recalled + 1'
    try {
      inTransaction(this.db, () => {
        for (const id of ids) this.db.prepare(sql).run(id)
      })
    } catch (error) {
      if (!isStorageTrouble(error) && !isBusy(error)) throw error
    }
  }

  [Symbol.dispose](): void {
    if (this.db.isOpen) this.db.close()
  }

  async #changes(shelf: Shelf): Promise<Changes | undefined> {
    const { scope } = shelf
    const { digest, stamps } = await shelf.list()
    const row = this.db.prepare('SELECT digest FROM shelf WHERE scope = ?').get(scope)
    if (row?.digest === digest) return undefined
    const known = new Map<string, string>()
    for (const { file, stamp } of this.db.prepare('SELECT file, stamp FROM file WHERE scope = ?').all(scope))
      known.set(String(file), String(stamp))
    const read: ReadFile[] = []
    for (const stamp of stamps()) {
      if (known.get(stamp.file) !== stamp.stamp) read.push(await readFile(shelf, stamp))
      known.delete(stamp.file)
    }
    const index = await shelf.read(INDEX_FILE)
    const racy = read.some(({ stamp }) => stamp === '')
    return {
      read,
      removed: [...known.keys()],
      index: index && 'text' in index ? index.text : '',
      digest: racy ? '' : digest,
    }
  }

  #apply({ scope }: Shelf, { read, removed, index, digest }: Changes): void {
    inTransaction(this.db, () => {
      this.#remove(removed.map(file => idOf(scope, file)))
      const lines = linesByFile(index)
      const documents = read.flatMap(file => {
        const about = this.#aboutLine(scope, file, lines.get(file.file))
        this.#putRow(scope, file, about)
        return toDocument(scope, file, about.hook)
      })
      this.#index.remove(read.filter(({ parsed }) => !parsed.ok).map(({ file }) => idOf(scope, file)))
      this.#index.put(documents)
      const again = this.#noticeLines(scope, lines, new Set(read.map(({ file }) => file)))
      this.db
        .prepare('INSERT INTO shelf VALUES (?, ?) ON CONFLICT (scope) DO UPDATE SET digest = excluded.digest')
        .run(scope, again ? '' : digest)
    })
  }

  #remove(ids: readonly string[]): void {
    const statements = ['file', 'vector', 'usage'].map(table =>
      this.db.prepare(`DELETE FROM ${table} WHERE id = ?`),
    )
    for (const id of ids) for (const statement of statements) statement.run(id)
    this.#index.remove(ids)
  }

  #putRow(
    scope: Scope,
    { file, stamp, bytes, confirmed, parsed }: ReadFile,
    { printed, hook }: AboutLine,
  ): void {
    const about = parsed.ok
      ? [
          parsed.type,
          parsed.name,
          nameKey(parsed.name),
          parsed.description,
          parsed.origin,
          Number(parsed.pinned),
        ]
      : [null, null, null, null, null, null]
    const problem = parsed.ok ? [null, null] : [parsed.kind, parsed.detail]
    this.db
      .prepare('INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
      .run(idOf(scope, file), scope, file, stamp, bytes, confirmed, ...about, printed, hook, ...problem)
  }

  /** Whether a memory's line in the index is ours, also one for what the memory said before, or a person's. */
  #aboutLine(scope: Scope, { file, parsed }: ReadFile, line: string | undefined): AboutLine {
    if (!parsed.ok || line === undefined) return { printed: '', hook: '' }
    const { name, description } = parsed
    const known = this.db
      .prepare('SELECT name, description, printed FROM file WHERE id = ?')
      .get(idOf(scope, file))
    const before = known && { file, name: String(known.name), description: String(known.description) }
    const ours =
      line === printLine({ file, name, description }) ||
      line === known?.printed ||
      (before && line === printLine(before))
    return ours ? { printed: line, hook: '' } : { printed: '', hook: inWords(line) }
  }

  /** A line that changed while its file did not: the file is read again, by the refresh that follows. */
  #noticeLines(scope: Scope, lines: ReadonlyMap<string, string>, fresh: ReadonlySet<string>): boolean {
    let again = false
    const readAgain = this.db.prepare(`UPDATE file SET stamp = '' WHERE id = ?`)
    const row = this.db.prepare('SELECT printed, hook FROM file WHERE id = ? AND kind IS NULL')
    const described = this.db
      .prepare(`SELECT file FROM file WHERE scope = ? AND (hook <> '' OR printed <> '')`)
      .all(scope)
    for (const file of new Set([...lines.keys(), ...described.map(({ file }) => String(file))])) {
      const known = fresh.has(file) ? undefined : row.get(idOf(scope, file))
      if (!known) continue
      const line = lines.get(file)
      const words = line === undefined ? '' : inWords(line)
      if (known.printed === '' ? words === known.hook : line === known.printed) continue
      readAgain.run(idOf(scope, file))
      again = true
    }
    return again
  }
}

/** What the index says of a memory: a line of ours, or words of a person's, which find it too. */
interface AboutLine {
  printed: string
  hook: string
}

interface Changes {
  read: ReadFile[]
  removed: string[]
  index: string
  /** Of the listing; empty when it has to be looked at again. */
  digest: string
}

function toHead(row: HeadRow, usage: ReadonlyMap<string, number>): MemoryHead {
  const [id, scope, file, bytes, confirmed, type, name, description, origin, pinned] = row
  const recalled = usage.get(id) ?? 0
  return { scope, file, bytes, confirmed, type, name, description, origin, pinned: pinned === 1, recalled }
}
