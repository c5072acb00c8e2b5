import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { PRIVATE_DIRECTORY, PRIVATE_FILE } from './atomic-file.ts'
import { because, ReverieError, systemCode } from './error.ts'

export class DatabaseUnusable extends ReverieError {}

/** How a database was opened: for writing, only for reading (its directory cannot be written), or in memory. */
export type DatabaseMode = 'writable' | 'readonly' | 'memory'

export interface OpenedDatabase {
  db: DatabaseSync
  mode: DatabaseMode
  /** Where a damaged predecessor was moved to. */
  setAside?: string
}

export interface DatabaseOptions {
  /** Raised when the tables change. A database of another version is rebuilt from its sources. */
  version: number
  /** Makes the tables of an empty database. */
  create: (db: DatabaseSync) => void
  /** How long a lock of another process is waited for; the thread does nothing else meanwhile. */
  patienceMs?: number | undefined
}

const BUSY_TIMEOUT_MS = 10_000
const BUSY_PAUSE_MS = 5
/** Result code of SQLite for "database is locked". */
const BUSY = 5
/** Result codes of SQLite for "damaged" and "not a database". */
const DAMAGED = new Set([11, 26])

/**
 * Opens a database of derived data: one that can be deleted at any time and is then built anew. A damaged
 * one is moved aside; where nothing can be written, what is there is read, or else memory is used.
 */
export function openDerivedDatabase(path: string, options: DatabaseOptions): OpenedDatabase {
  if (!canWrite(path)) return openWithoutWriting(path, options)
  try {
    mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_DIRECTORY })
    createPrivately(path)
    return openOrReplace(path, options)
  } catch (error) {
    if (isReadOnly(error)) return openWithoutWriting(path, options)
    throw new DatabaseUnusable(`Could not open ${path}: ${because(error)}.`, { cause: error })
  }
}

function openOrReplace(path: string, options: DatabaseOptions): OpenedDatabase {
  try {
    using _ = guard(path, 'open', options)
    return { db: openWritable(path, options), mode: 'writable' }
  } catch (error) {
    if (!isDamaged(error)) throw error
    return replaceDamaged(path, options)
  }
}

/** One process at a time: a slower one would move aside what a faster one has just made. */
function replaceDamaged(path: string, options: DatabaseOptions): OpenedDatabase {
  using _ = guard(path, 'replace', options)
  try {
    return { db: openWritable(path, options), mode: 'writable' }
  } catch (error) {
    if (!isDamaged(error)) throw error
  }
  const setAside = moveAside(path)
  createPrivately(path)
  return { db: openWritable(path, options), mode: 'writable', setAside }
}

/**
 * Any number of processes open a database at a time, and while one replaces it, none: SQLite finds the log beside a
 * database by its name, and who has opened the old file when the new one comes would write into the log of the new one.
 * A transaction of SQLite is a lock that also a killed process lets go of.
 */
function guard(
  path: string,
  purpose: 'open' | 'replace',
  { patienceMs = BUSY_TIMEOUT_MS }: DatabaseOptions,
): DatabaseSync {
  createPrivately(`${path}.guard`)
  const lock = new DatabaseSync(`${path}.guard`, { timeout: patienceMs })
  try {
    lock.exec(purpose === 'open' ? 'BEGIN; SELECT 1 FROM sqlite_schema' : 'BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    throw error
  }
}

/** SQLite itself would make a file that everybody can read; those beside it get the mode of this one. */
function createPrivately(path: string): void {
  closeSync(openSync(path, 'a', PRIVATE_FILE))
}

/** Runs `work` in a transaction that takes the write lock at once, so that it waits instead of failing. */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    db.exec('COMMIT')
    return result
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

function openWritable(
  path: string,
  { version, create, patienceMs = BUSY_TIMEOUT_MS }: DatabaseOptions,
): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: patienceMs })
  try {
    switchToWal(db, patienceMs)
    db.exec('PRAGMA synchronous = NORMAL')
    if (versionOf(db) === version) return db
    inTransaction(db, () => {
      const found = versionOf(db)
      if (found === version) return // another process was faster
      if (found !== 0) dropEverything(db)
      create(db)
      db.exec(`PRAGMA user_version = ${version}`)
    })
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** The one statement that SQLite does not wait with, when another process is in the database at the moment. */
function switchToWal(db: DatabaseSync, patienceMs: number): void {
  const deadline = performance.now() + patienceMs
  for (;;) {
    try {
      db.exec('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      if (sqliteCode(error) !== BUSY || performance.now() > deadline) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_PAUSE_MS)
    }
  }
}

function openWithoutWriting(
  path: string,
  { version, create, patienceMs = BUSY_TIMEOUT_MS }: DatabaseOptions,
): OpenedDatabase {
  if (existsSync(path)) {
    // A database in WAL mode cannot be read without writing, unless it is declared immutable.
    const url = pathToFileURL(path)
    url.searchParams.set('immutable', '1')
    try {
      const db = new DatabaseSync(url, { readOnly: true, timeout: patienceMs })
      if (versionOf(db) === version) return { db, mode: 'readonly' }
      db.close()
    } catch (error) {
      if (!isDamaged(error) && !isReadOnly(error))
        throw new DatabaseUnusable(`Could not read ${path}: ${because(error)}.`, { cause: error })
    }
  }
  return { db: openInMemory({ version, create }), mode: 'memory' }
}

/** A database that goes with the process. */
export function openInMemory({ create }: DatabaseOptions): DatabaseSync {
  const db = new DatabaseSync(':memory:')
  create(db)
  return db
}

function versionOf(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.user_version ?? 0)
}

function dropEverything(db: DatabaseSync): void {
  // Tables that refer to each other are all on their way out, in any order.
  db.exec('PRAGMA defer_foreign_keys = ON')
  const virtual = db.prepare(`SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL%'`).all()
  for (const { name } of virtual) db.exec(`DROP TABLE "${name}"`)
  const tables = db.prepare(
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`,
  )
  for (const { name } of tables.all()) db.exec(`DROP TABLE IF EXISTS "${name}"`)
  const views = db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'view'`)
  for (const { name } of views.all()) db.exec(`DROP VIEW "${name}"`)
}

function moveAside(path: string): string {
  const aside = `${path}.damaged-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
  // These first: once the file is gone, another process may make a new one, with new ones of these.
  for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true })
  renameSync(path, aside)
  return aside
}

/** Whether the file, or where it would be created, can be written. */
function canWrite(path: string): boolean {
  let directory = dirname(path)
  while (!existsSync(directory) && directory !== dirname(directory)) directory = dirname(directory)
  try {
    accessSync(directory, constants.W_OK | constants.X_OK)
    accessSync(path, constants.W_OK)
    return true
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return true // not made yet, or just moved aside by another process
    if (['EACCES', 'EPERM', 'EROFS'].includes(systemCode(error) ?? '')) return false
    throw error
  }
}

/** SQLITE_READONLY, SQLITE_IOERR, SQLITE_CORRUPT, SQLITE_FULL, SQLITE_CANTOPEN, SQLITE_NOTADB: not our doing. */
const STORAGE_TROUBLE = new Set([8, 10, 11, 13, 14, 26])

/** Whether a statement failed because of the disk or the file, and not because of the statement. */
export function isStorageTrouble(error: unknown): boolean {
  const cause = error instanceof DatabaseUnusable ? error.cause : error
  return STORAGE_TROUBLE.has(sqliteCode(cause) ?? -1)
}

function sqliteCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : undefined
}

/** Whether another process held a lock for longer than it was waited for. */
export function isBusy(error: unknown): boolean {
  return sqliteCode(error instanceof DatabaseUnusable ? error.cause : error) === BUSY
}

export function isDamaged(error: unknown): boolean {
  return DAMAGED.has(sqliteCode(error) ?? -1)
}

/** SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM. */
function isReadOnly(error: unknown): boolean {
  return [3, 8, 14].includes(sqliteCode(error) ?? -1)
}
