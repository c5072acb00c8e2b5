/** How an index lies in the database. Everything in it is derived: tables of another layout are made anew. */
import type { DatabaseSync } from 'node:sqlite'
import type { IndexLayout } from './document.ts'
import { filterColumn } from './filter-clause.ts'

/**
 * Raised when the tables, or what the terms of a text are, change. Whoever keeps beside an index what has gone into
 * it makes this part of the version of that: the index is then empty again.
 */
export const INDEX_VERSION = 2

/**
 * How FTS5 gathers and merges: everything up to the end of a transaction, and sixteen at a time. A document then
 * is merged once or twice, and not five times, while a million are put in; a search has more lists to look at, which
 * costs it a millisecond or two. Measured with a gigabyte of sessions.
 */
const GATHERED_BYTES = 64 * 2 ** 20
const MERGED_AT_ONCE = 16
const MERGED_AT_ANY_COST = 64

/** Refuses names that could not be those of tables and columns. */
export function checkNames({ name, filters = [], ranges = [], carried = [] }: IndexLayout): void {
  for (const part of [name, ...filters, ...ranges, ...carried]) {
    if (!/^[a-z][a-z0-9_]*$/i.test(part)) throw new RangeError(`"${part}" cannot be part of a table's name`)
  }
}

/** Whether there are tables of this layout and this version. */
export function hasTables(database: DatabaseSync, layout: IndexLayout): boolean {
  const table = `${layout.name}_totals`
  const sql = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
  if (!database.prepare(sql).get(table)) return false
  const row = database.prepare(`SELECT layout FROM ${table}`).get() as { layout: string } | undefined
  return row?.layout === stampOf(layout)
}

/** Makes the tables; those that are there go, with all that is in them. */
export function createTables(database: DatabaseSync, layout: IndexLayout): void {
  const { name: n, fields } = layout
  for (const table of ['vocabulary', 'words', 'documents', 'groups', 'totals'])
    database.exec(`DROP TABLE IF EXISTS ${n}_${table}`)
  // Positions and columns are not kept (detail=none), and the terms come as they are to be held: scoring reads
  // the packed terms, and FTS5 is given every term once, so that the index is smaller and faster to build.
  database.exec(`
    CREATE TABLE ${n}_totals (layout TEXT NOT NULL, documents INTEGER NOT NULL, last_ungrouped INTEGER NOT NULL, lengths TEXT NOT NULL);
    CREATE TABLE ${n}_groups (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, documents INTEGER NOT NULL, length INTEGER NOT NULL);
    CREATE TABLE ${n}_documents (${documentColumns(layout).join(', ')});
    CREATE VIRTUAL TABLE ${n}_words USING fts5(words, content='', contentless_delete=1, detail=none, tokenize='ascii');
    CREATE VIRTUAL TABLE ${n}_vocabulary USING fts5vocab(${n}_words, 'row');
    INSERT INTO ${n}_words (${n}_words, rank) VALUES ('hashsize', ${GATHERED_BYTES});
    INSERT INTO ${n}_words (${n}_words, rank) VALUES ('automerge', ${MERGED_AT_ONCE});
    INSERT INTO ${n}_words (${n}_words, rank) VALUES ('crisismerge', ${MERGED_AT_ANY_COST});
  `)
  const lengths = JSON.stringify(Object.keys(fields).map(() => 0))
  database.prepare(`INSERT INTO ${n}_totals VALUES (?, 0, 0, ?)`).run(stampOf(layout), lengths)
}

/** What is looked at for every match stands before what is only read of a few. */
export function documentColumns(layout: IndexLayout): string[] {
  const { filters = [], ranges = [], carried = [], idsByPlace } = layout
  return [
    'place INTEGER PRIMARY KEY',
    ...(idsByPlace ? [] : ['id TEXT NOT NULL UNIQUE']),
    ...[...filters, ...ranges].map(filterColumn),
    ...carried.map(carriedColumn),
    'prior REAL NOT NULL',
    'terms BLOB NOT NULL',
  ]
}

export function carriedColumn(name: string): string {
  return `carried_${name}`
}

function stampOf({
  fields,
  filters = [],
  ranges = [],
  carried = [],
  idsByPlace = false,
}: IndexLayout): string {
  return JSON.stringify([INDEX_VERSION, Object.keys(fields), filters, ranges, carried, idsByPlace])
}
