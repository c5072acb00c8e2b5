import { rmSync, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { FtsIndex, INDEX_VERSION, type IndexLayout } from '../../search/index.ts'
import {
  type DatabaseMode,
  isDamaged,
  isStorageTrouble,
  openDerivedDatabase,
  openInMemory,
} from '../../store/index.ts'
import { SESSION_FORMAT } from '../record.ts'
import type { FileState } from './file-state.ts'
import { TURN_FIELDS } from './turn-document.ts'

/** Raised when the tables change, or what of a session is searched. */
const TABLES_VERSION = 1

const LAYOUT: IndexLayout = {
  name: 'turns',
  fields: TURN_FIELDS,
  filters: ['role', 'project', 'month'],
  ranges: ['time'],
  carried: ['offset', 'bytes', 'line', 'check'],
  idsByPlace: true,
}

const DATABASE = {
  version: (TABLES_VERSION * 1_000 + INDEX_VERSION) * 1_000 + SESSION_FORMAT,
  create: (db: DatabaseSync) =>
    db.exec(`
      CREATE TABLE file (
        name TEXT PRIMARY KEY, inode TEXT NOT NULL, size INTEGER NOT NULL, mtimeNs TEXT NOT NULL,
        consumed INTEGER NOT NULL, lines INTEGER NOT NULL, turns INTEGER NOT NULL,
        head INTEGER NOT NULL, tail INTEGER NOT NULL, title TEXT NOT NULL
      ) WITHOUT ROWID;
      CREATE TABLE month (number INTEGER PRIMARY KEY);
    `),
}

/**
 * For whoever puts in much: pages that are changed again and again stay in memory, and reach the file itself every
 * 32 MB. Of no use to those who only look.
 */
const BULK = 'PRAGMA cache_size = -32768; PRAGMA wal_autocheckpoint = 8192'

/** `consumed` of a file whose turns are on their way out. */
export const BEING_DROPPED = -1

/** The database of all sessions, and the words in it. */
export class IndexTables implements Disposable {
  readonly db: DatabaseSync
  readonly index: FtsIndex
  readonly mode: DatabaseMode
  #file: { path: string; inode: bigint | undefined } | undefined

  private constructor(db: DatabaseSync, mode: DatabaseMode, path?: string) {
    this.db = db
    this.mode = mode
    this.index = new FtsIndex(db, LAYOUT)
    if (path !== undefined) this.#file = { path, inode: inodeOf(path) }
  }

  /** Whether somebody has deleted or replaced the file. What is open then is not what others have. */
  get isOutOfPlace(): boolean {
    return (
      this.mode === 'writable' && this.#file !== undefined && inodeOf(this.#file.path) !== this.#file.inode
    )
  }

  /** Where nothing can be kept, in memory; a damaged one is set aside, or removed, and made anew. */
  static open(path: string): IndexTables {
    try {
      return IndexTables.#at(path)
    } catch (error) {
      if (!isStorageTrouble(error)) throw error
      if (!isDamaged(error)) return IndexTables.inMemory()
    }
    return IndexTables.openAnew(path)
  }

  /** For damage that opening did not notice. It is derived: away with it. */
  static openAnew(path: string): IndexTables {
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
    return IndexTables.#at(path)
  }

  static openForBulk(path: string): IndexTables {
    const tables = IndexTables.open(path)
    if (tables.mode === 'writable') tables.db.exec(BULK)
    return tables
  }

  static inMemory(): IndexTables {
    return new IndexTables(openInMemory(DATABASE), 'memory')
  }

  static #at(path: string): IndexTables {
    const { db, mode } = openDerivedDatabase(path, DATABASE)
    try {
      return new IndexTables(db, mode, path)
    } catch (error) {
      db.close()
      throw error
    }
  }

  states(): Map<string, FileState> {
    const rows = this.db.prepare('SELECT * FROM file').all() as unknown as (FileState & { name: string })[]
    return new Map(rows.map(({ name, ...state }) => [name, state]))
  }

  state(name: string): FileState | undefined {
    const row = this.db.prepare('SELECT * FROM file WHERE name = ?').get(name)
    if (!row) return undefined
    const { name: _, ...state } = row as unknown as FileState & { name: string }
    return state
  }

  setState(name: string, state: FileState): void {
    const { inode, size, mtimeNs, consumed, lines, turns, head, tail, title } = state
    this.db
      .prepare('INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
      .run(name, inode, size, mtimeNs, consumed, lines, turns, head, tail, title)
  }

  /** The months in which anything was said, counted as by `monthOf`; perhaps some more. */
  months(): number[] {
    return this.db
      .prepare('SELECT number FROM month')
      .all()
      .map(({ number }) => Number(number))
  }

  addMonths(months: Iterable<number>): void {
    for (const month of months) this.db.prepare('INSERT OR IGNORE INTO month VALUES (?)').run(month)
  }

  forget(name: string): void {
    this.db.prepare('DELETE FROM file WHERE name = ?').run(name)
  }

  [Symbol.dispose](): void {
    if (this.db.isOpen) this.db.close()
  }
}

function inodeOf(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino
}
