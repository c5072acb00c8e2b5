import { rmSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { FtsIndex, type IndexLayout } from '../search/index.ts'
import { isDamaged, isStorageTrouble, openDerivedDatabase, openInMemory } from '../store/index.ts'

/** Raised when the tables change. */
const VERSION = 2
const LAYOUT: IndexLayout = {
  name: 'memory',
  fields: { name: 3, description: 2, hook: 1.5, body: 1 },
  filters: ['scope', 'type'],
}

const TABLES = `
  CREATE TABLE file (
    id TEXT PRIMARY KEY, scope TEXT NOT NULL, file TEXT NOT NULL, stamp TEXT NOT NULL, bytes INTEGER NOT NULL,
    confirmed REAL NOT NULL, type TEXT, name TEXT, key TEXT, description TEXT, origin TEXT, pinned INTEGER,
    printed TEXT NOT NULL, hook TEXT NOT NULL, kind TEXT, detail TEXT
  ) WITHOUT ROWID;
  CREATE INDEX file_by_key ON file (scope, key);
  CREATE TABLE shelf (scope TEXT PRIMARY KEY, digest TEXT NOT NULL);
  CREATE TABLE usage (id TEXT PRIMARY KEY, recalled INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE vector (id TEXT NOT NULL, model TEXT NOT NULL, hash TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (id, model)) WITHOUT ROWID;
`

const DATABASE = { version: VERSION, create: (db: DatabaseSync) => db.exec(TABLES) }

/** The database of a catalogue, and the words in it. */
export interface Tables {
  db: DatabaseSync
  index: FtsIndex
  inMemory: boolean
}

export function openTables(path: string, patienceMs?: number): Tables {
  try {
    return tablesAt(path, patienceMs)
  } catch (error) {
    if (!isStorageTrouble(error)) throw error
    if (!isDamaged(error)) return inMemory()
  }
  // Damage that opening did not notice. It is derived: away with it.
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
  return tablesAt(path, patienceMs)
}

function tablesAt(path: string, patienceMs?: number): Tables {
  const { db, mode } = openDerivedDatabase(path, { ...DATABASE, patienceMs })
  if (mode === 'readonly') {
    // It could not be brought up to date.
    db.close()
    return inMemory()
  }
  return { db, index: new FtsIndex(db, LAYOUT), inMemory: mode === 'memory' }
}

/** A catalogue that goes with the process. */
export function inMemory(): Tables {
  const db = openInMemory(DATABASE)
  return { db, index: new FtsIndex(db, LAYOUT), inMemory: true }
}
