/**
 * The tables behind an index. FTS5 knows which documents have a word; what they say is kept beside it
 * in prepared form. Everything here is derived: tables of another layout or version are made anew.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { IndexLayout, SearchDocument } from './document.ts'
import { type FilterClause, filterColumn } from './filter-clause.ts'
import {
  groupNumber,
  isGrouped,
  MOST_GROUPS,
  ORDERS_PER_GROUP,
  placeInGroup,
  ungroupedPlace,
} from './places.ts'
import { countWords, prepare } from './terms.ts'

/** Raised when the tables or the preparation of text change. */
const VERSION = 1

/** Parts the fields of a stored document; prepared text never holds it. */
const FIELD_SEPARATOR = '\x1f'

/** From here on counting a term takes longer than all else about it; and how stale a count may be. */
const COMMON_TERM_DOCUMENTS = 2_000
const KEPT_COUNT_TOLERANCE = 0.05

export type Totals = { documents: number; lastUngrouped: number; lengths: number[] }

/** The totals while they change; the groups touched, by id, and what they have gained or lost. */
export type Tally = Totals & {
  groupNumbers: Map<string, number>
  groups: Map<number, { documents: number; length: number }>
}
export type StoredDocument = { place: number; id: string; prior: number; texts: string[] }
export type StoredGroup = { number: number; id: string; length: number }

type DocumentRow = { place: number; id: string; prior: number; text: string }

export class FtsTables {
  readonly fields: readonly string[]
  readonly filters: readonly string[]
  #database: DatabaseSync
  #name: string
  #layout: string
  #statements = new Map<string, StatementSync>()
  #commonTerms = new Map<string, { having: number; of: number }>()

  constructor(database: DatabaseSync, layout: IndexLayout) {
    this.#database = database
    this.#name = layout.name
    this.fields = Object.keys(layout.fields)
    this.filters = layout.filters ?? []
    for (const name of [layout.name, ...this.filters]) {
      if (!/^[a-z][a-z0-9_]*$/i.test(name)) throw new RangeError(`"${name}" cannot be part of a table's name`)
    }
    this.#layout = JSON.stringify([VERSION, this.fields, this.filters])
    if (!this.#isUsable()) this.inTransaction(() => this.#isUsable() || this.recreate())
  }

  /** Joins the transaction that is open, if one is. */
  inTransaction(work: () => void): void {
    if (this.#database.isTransaction) {
      work()
      return
    }
    this.#database.exec('BEGIN IMMEDIATE')
    try {
      work()
      this.#database.exec('COMMIT')
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
      throw error
    }
  }

  recreate(): void {
    const n = this.#name
    const filters = this.filters.map(name => `, ${filterColumn(name)}`).join('')
    this.#statements.clear()
    this.#commonTerms.clear()
    for (const table of ['vocabulary', 'words', 'documents', 'groups', 'totals']) {
      this.#database.exec(`DROP TABLE IF EXISTS ${n}_${table}`)
    }
    // Positions and columns are not kept (detail=none): scoring reads the text itself, and the index
    // is half as large and a third faster to build.
    this.#database.exec(`
      CREATE TABLE ${n}_totals (layout TEXT NOT NULL, documents INTEGER NOT NULL, last_ungrouped INTEGER NOT NULL, lengths TEXT NOT NULL);
      CREATE TABLE ${n}_groups (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, documents INTEGER NOT NULL, length INTEGER NOT NULL);
      CREATE TABLE ${n}_documents (place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, prior REAL NOT NULL, text TEXT NOT NULL${filters});
      CREATE VIRTUAL TABLE ${n}_words USING fts5(text, content='', contentless_delete=1, detail=none,
        tokenize='porter unicode61 remove_diacritics 2');
      CREATE VIRTUAL TABLE ${n}_vocabulary USING fts5vocab(${n}_words, 'row');
    `)
    const lengths = JSON.stringify(this.fields.map(() => 0))
    this.#run(`INSERT INTO ${n}_totals VALUES (?, 0, 0, ?)`, this.#layout, lengths)
  }

  totals(): Totals {
    const sql = `SELECT documents, last_ungrouped AS lastUngrouped, lengths FROM ${this.#name}_totals`
    const row = this.#statement(sql).get() as { documents: number; lastUngrouped: number; lengths: string }
    return { ...row, lengths: JSON.parse(row.lengths) }
  }

  /** Runs a change in a transaction and writes down once what it did to the totals. */
  change(work: (tally: Tally) => void): void {
    this.inTransaction(() => {
      const tally: Tally = { ...this.totals(), groupNumbers: new Map(), groups: new Map() }
      work(tally)
      const { documents, lastUngrouped, lengths } = tally
      const sql = `UPDATE ${this.#name}_totals SET documents = ?, last_ungrouped = ?, lengths = ?`
      this.#run(sql, documents, lastUngrouped, JSON.stringify(lengths))
      for (const [number, gained] of tally.groups) {
        const grow = `UPDATE ${this.#name}_groups SET documents = documents + ?, length = length + ? WHERE number = ?`
        this.#run(grow, gained.documents, gained.length, number)
        this.#run(`DELETE FROM ${this.#name}_groups WHERE number = ? AND documents = 0`, number)
      }
    })
  }

  /** The place a document gets, or has. */
  placeOf(document: SearchDocument, tally: Tally): number {
    const { id, group, order } = document
    if (group === undefined) {
      const stored = this.byId(id)
      if (stored && !isGrouped(stored.place)) return stored.place
      tally.lastUngrouped++
      return ungroupedPlace(tally.lastUngrouped)
    }
    if (order === undefined || !Number.isInteger(order) || order < 0 || order >= ORDERS_PER_GROUP) {
      throw new RangeError(
        `Document ${id} needs a whole number from 0 to ${ORDERS_PER_GROUP - 1} as its order`,
      )
    }
    return placeInGroup(this.#groupNumberFor(group, tally), order)
  }

  /** Puts a document at its place; whatever has its id or its place makes way. */
  insert(document: SearchDocument, place: number, tally: Tally): void {
    const texts = this.#preparedFields(document)
    const text = texts.join(FIELD_SEPARATOR)
    const filters = this.filters.map(name => document.filters?.[name] ?? null)
    const marks = '?, '.repeat(3 + filters.length)
    const add = this.#statement(
      `INSERT INTO ${this.#name}_documents VALUES (${marks}?) ON CONFLICT DO NOTHING`,
    )
    const row = [place, document.id, document.prior ?? 1, text, ...filters]
    if (add.run(...row).changes === 0) {
      for (const stored of [this.byId(document.id), this.byPlace(place)]) {
        if (stored) this.delete(stored, tally)
      }
      add.run(...row)
    }
    this.#run(`INSERT INTO ${this.#name}_words (rowid, text) VALUES (?, ?)`, place, text)
    this.#count(1, place, texts, tally)
  }

  delete(stored: StoredDocument, tally: Tally): void {
    const deleted = this.#statement(`DELETE FROM ${this.#name}_documents WHERE place = ?`).run(stored.place)
    if (deleted.changes === 0) return
    this.#run(`DELETE FROM ${this.#name}_words WHERE rowid = ?`, stored.place)
    this.#count(-1, stored.place, stored.texts, tally)
  }

  byId(id: string): StoredDocument | undefined {
    return this.#one(`SELECT place, id, prior, text FROM ${this.#name}_documents WHERE id = ?`, id)
  }

  byPlace(place: number): StoredDocument | undefined {
    return this.#one(`SELECT place, id, prior, text FROM ${this.#name}_documents WHERE place = ?`, place)
  }

  /**
   * How many of all `documents` have a term. FTS5 counts its list at some 20 ns a document, so the counts
   * of common words are kept until the index has grown or shrunk noticeably.
   */
  frequency(term: string, documents: number): number {
    const known = this.#commonTerms.get(term)
    if (known && Math.abs(documents - known.of) <= known.of * KEPT_COUNT_TOLERANCE) return known.having
    const sql = `SELECT doc FROM ${this.#name}_vocabulary WHERE term = ?`
    const row = this.#statement(sql).get(term) as { doc: number } | undefined
    const having = row?.doc ?? 0
    if (having >= COMMON_TERM_DOCUMENTS) this.#commonTerms.set(term, { having, of: documents })
    return having
  }

  /** Places that match, all of them or the newest `limit`. */
  places(match: string, limit: number | undefined, filter: FilterClause): number[] {
    const words = `${this.#name}_words`
    const joined = filter.sql === '' ? '' : ` JOIN ${this.#name}_documents d ON d.place = ${words}.rowid`
    const newest = limit === undefined ? '' : ` ORDER BY ${words}.rowid DESC LIMIT ${limit}`
    const sql = `SELECT ${words}.rowid FROM ${words}${joined} WHERE ${words} MATCH ?${filter.sql}${newest}`
    const statement = this.#statement(sql)
    statement.setReturnArrays(true)
    return (statement.all(match, ...filter.values) as unknown as [number][]).map(([place]) => place)
  }

  fetch(places: readonly number[], filter: FilterClause): StoredDocument[] {
    const sql = `SELECT place, id, prior, text FROM ${this.#name}_documents d
      WHERE place IN (SELECT value FROM json_each(?))${filter.sql}`
    const rows = this.#statement(sql).all(JSON.stringify(places), ...filter.values) as DocumentRow[]
    return rows.map(fromRow)
  }

  groups(numbers: Iterable<number>): StoredGroup[] {
    const sql = `SELECT number, id, length FROM ${this.#name}_groups WHERE number IN (SELECT value FROM json_each(?))`
    return this.#statement(sql).all(JSON.stringify([...numbers])) as StoredGroup[]
  }

  groupCount(): number {
    const row = this.#statement(`SELECT count(*) AS count FROM ${this.#name}_groups`).get()
    return (row as { count: number }).count
  }

  #isUsable(): boolean {
    const table = `${this.#name}_totals`
    const sql = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
    if (!this.#database.prepare(sql).get(table)) return false
    const row = this.#database.prepare(`SELECT layout FROM ${table}`).get() as { layout: string } | undefined
    return row?.layout === this.#layout
  }

  #preparedFields(document: SearchDocument): string[] {
    for (const field of Object.keys(document.fields)) {
      if (!this.fields.includes(field))
        throw new RangeError(`The index ${this.#name} has no field "${field}"`)
    }
    return this.fields.map(field => prepare(document.fields[field] ?? '').replaceAll(FIELD_SEPARATOR, ' '))
  }

  #count(sign: 1 | -1, place: number, texts: readonly string[], tally: Tally): void {
    tally.documents += sign
    let length = 0
    texts.forEach((text, at) => {
      const words = countWords(text)
      length += words
      tally.lengths[at] = (tally.lengths[at] ?? 0) + sign * words
    })
    if (!isGrouped(place)) return
    const gained = tally.groups.get(groupNumber(place)) ?? { documents: 0, length: 0 }
    gained.documents += sign
    gained.length += sign * length
    tally.groups.set(groupNumber(place), gained)
  }

  #groupNumberFor(id: string, tally: Tally): number {
    const known = tally.groupNumbers.get(id) ?? this.#storedGroupNumber(id) ?? this.#addGroup(id)
    tally.groupNumbers.set(id, known)
    return known
  }

  #storedGroupNumber(id: string): number | undefined {
    const row = this.#statement(`SELECT number FROM ${this.#name}_groups WHERE id = ?`).get(id)
    return (row as { number: number } | undefined)?.number
  }

  #addGroup(id: string): number {
    const sql = `INSERT INTO ${this.#name}_groups (id, documents, length) VALUES (?, 0, 0)`
    const number = Number(this.#statement(sql).run(id).lastInsertRowid)
    if (number >= MOST_GROUPS) throw new RangeError(`The index ${this.#name} cannot hold another group`)
    return number
  }

  #one(sql: string, key: string | number): StoredDocument | undefined {
    const row = this.#statement(sql).get(key) as DocumentRow | undefined
    return row && fromRow(row)
  }

  #run(sql: string, ...values: (string | number)[]): void {
    this.#statement(sql).run(...values)
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = this.#database.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }
}

function fromRow({ place, id, prior, text }: DocumentRow): StoredDocument {
  return { place, id, prior, texts: text.split(FIELD_SEPARATOR) }
}
