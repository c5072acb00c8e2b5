/**
 * The tables behind an index. FTS5 knows which documents have a term; how often each has which is kept beside it.
 * Everything here is derived: tables of another layout or version are made anew.
 */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { FilterValue, IndexLayout, SearchDocument } from './document.ts'
import { type FilterClause, filterColumn, filterWord } from './filter-clause.ts'
import { PackedTerms } from './packed-terms.ts'
import {
  groupNumber,
  isGrouped,
  MOST_GROUPS,
  ORDERS_PER_GROUP,
  placeInGroup,
  ungroupedPlace,
} from './places.ts'
import type { DocumentTerms } from './term-counts.ts'
import { TermReader } from './term-reader.ts'

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

/** From here on counting a term takes longer than all else about it; and how stale a count may be. */
const COMMON_TERM_DOCUMENTS = 2_000
const KEPT_COUNT_TOLERANCE = 0.05

const MOST_FILTER_WORDS_KEPT = 1_000

export type Totals = { documents: number; lastUngrouped: number; lengths: number[] }

/** The totals while they change; the groups touched, by id, and what they have gained or lost. */
export type Tally = Totals & {
  groupNumbers: Map<string, number>
  groups: Map<number, { documents: number; length: number }>
}

/** A document as it goes into the tables. Making one takes no lock. */
export type PreparedDocument = Omit<SearchDocument, 'fields'> & DocumentTerms

export type StoredDocument = {
  place: number
  /** None where documents are called by their places. */
  id: string | undefined
  prior: number
  terms: PackedTerms
  /** In the order of the layout. */
  carried: FilterValue[]
}
export type StoredGroup = { number: number; id: string; length: number }

/** As arrays: a question reads a thousand of them, and objects would take as long as all else about them. */
type DocumentRow = [
  place: number,
  id: string | null,
  prior: number,
  terms: Uint8Array,
  ...carried: FilterValue[],
]

export class FtsTables {
  readonly layout: IndexLayout
  readonly fields: readonly string[]
  #database: DatabaseSync
  #name: string
  #stamp: string
  #filters: readonly string[]
  #ranges: readonly string[]
  #carried: readonly string[]
  #reader = new TermReader()
  #filterWordsKnown = new Map<string, Uint8Array>()
  #addDocument: string
  #addWords: string
  #statements = new Map<string, StatementSync>()
  #commonTerms = new Map<string, { having: number; of: number }>()

  constructor(database: DatabaseSync, layout: IndexLayout) {
    const { name, fields, filters = [], ranges = [], carried = [], idsByPlace = false } = layout
    this.layout = layout
    this.#database = database
    this.#name = name
    this.fields = Object.keys(fields)
    this.#filters = filters
    this.#ranges = ranges
    this.#carried = carried
    for (const part of [name, ...filters, ...ranges, ...carried]) {
      if (!/^[a-z][a-z0-9_]*$/i.test(part)) throw new RangeError(`"${part}" cannot be part of a table's name`)
    }
    const columns = (idsByPlace ? 3 : 4) + filters.length + ranges.length + carried.length
    this.#addDocument = `INSERT INTO ${name}_documents VALUES (?${', ?'.repeat(columns - 1)}) ON CONFLICT DO NOTHING`
    this.#addWords = `INSERT INTO ${name}_words (rowid, words) VALUES (?, ?)`
    this.#stamp = JSON.stringify([INDEX_VERSION, this.fields, filters, ranges, carried, idsByPlace])
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
    // What is looked at for every match stands before what is only read of a few.
    const limiting = [...this.#filters, ...this.#ranges].map(name => `${filterColumn(name)}, `).join('')
    const carried = this.#carried.map(name => `${carriedColumn(name)}, `).join('')
    const id = this.layout.idsByPlace ? '' : 'id TEXT NOT NULL UNIQUE, '
    this.#statements.clear()
    this.#commonTerms.clear()
    for (const table of ['vocabulary', 'words', 'documents', 'groups', 'totals']) {
      this.#database.exec(`DROP TABLE IF EXISTS ${n}_${table}`)
    }
    // Positions and columns are not kept (detail=none), and the terms come as they are to be held: scoring reads
    // the packed terms, and FTS5 is given every term once, so that the index is smaller and faster to build.
    this.#database.exec(`
      CREATE TABLE ${n}_totals (layout TEXT NOT NULL, documents INTEGER NOT NULL, last_ungrouped INTEGER NOT NULL, lengths TEXT NOT NULL);
      CREATE TABLE ${n}_groups (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, documents INTEGER NOT NULL, length INTEGER NOT NULL);
      CREATE TABLE ${n}_documents (place INTEGER PRIMARY KEY, ${id}${limiting}${carried}prior REAL NOT NULL, terms BLOB NOT NULL);
      CREATE VIRTUAL TABLE ${n}_words USING fts5(words, content='', contentless_delete=1, detail=none, tokenize='ascii');
      CREATE VIRTUAL TABLE ${n}_vocabulary USING fts5vocab(${n}_words, 'row');
      INSERT INTO ${n}_words (${n}_words, rank) VALUES ('hashsize', ${GATHERED_BYTES});
      INSERT INTO ${n}_words (${n}_words, rank) VALUES ('automerge', ${MERGED_AT_ONCE});
      INSERT INTO ${n}_words (${n}_words, rank) VALUES ('crisismerge', ${MERGED_AT_ANY_COST});
    `)
    const lengths = JSON.stringify(this.fields.map(() => 0))
    this.#run(`INSERT INTO ${n}_totals VALUES (?, 0, 0, ?)`, this.#stamp, lengths)
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
      // One row, named: SQLite guards a statement that may change many with a savepoint, and for that FTS5 writes
      // out all that it has gathered.
      const sql = `UPDATE ${this.#name}_totals SET documents = ?, last_ungrouped = ?, lengths = ? WHERE rowid = 1`
      this.#run(sql, documents, lastUngrouped, JSON.stringify(lengths))
      for (const [number, gained] of tally.groups) {
        const grow = `UPDATE ${this.#name}_groups SET documents = documents + ?, length = length + ? WHERE number = ?`
        this.#run(grow, gained.documents, gained.length, number)
        this.#run(`DELETE FROM ${this.#name}_groups WHERE number = ? AND documents = 0`, number)
      }
    })
  }

  prepare(document: SearchDocument): PreparedDocument {
    const { fields, ...rest } = document
    for (const field in fields) {
      if (!this.fields.includes(field))
        throw new RangeError(`The index ${this.#name} has no field "${field}"`)
    }
    const texts = this.fields.map(field => fields[field] ?? '')
    return { ...rest, ...this.#reader.read(texts, this.#filterWords(rest.filters)) }
  }

  /** Most documents share theirs with others. */
  #filterWords(values: SearchDocument['filters'] = {}): Uint8Array {
    let key = ''
    for (const name of this.#filters) key += `${values[name]}\0`
    let words = this.#filterWordsKnown.get(key)
    if (!words) {
      const held = this.#filters.flatMap(name => {
        const value = values[name]
        return value === undefined ? [] : [filterWord(name, value)]
      })
      words = Buffer.from(held.join(' '))
      if (this.#filterWordsKnown.size >= MOST_FILTER_WORDS_KEPT) this.#filterWordsKnown.clear()
      this.#filterWordsKnown.set(key, words)
    }
    return words
  }

  /** The place a document gets, or has. */
  placeOf({ id, group, order }: PreparedDocument, tally: Tally): number {
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
  insert(document: PreparedDocument, place: number, tally: Tally): void {
    const row: SQLInputValue[] = this.layout.idsByPlace ? [place] : [place, document.id]
    for (const name of this.#filters) row.push(document.filters?.[name] ?? null)
    for (const name of this.#ranges) row.push(document.filters?.[name] ?? null)
    for (const name of this.#carried) row.push(document.carried?.[name] ?? null)
    row.push(document.prior ?? 1, document.packed)
    const add = this.#statement(this.#addDocument)
    if (add.run(...row).changes === 0) {
      for (const stored of [this.byId(document.id), this.byPlace(place)]) {
        if (stored) this.delete(stored, tally)
      }
      add.run(...row)
    }
    this.#statement(this.#addWords).run(place, document.words)
    this.#count(1, place, document.lengths, tally)
  }

  delete(stored: StoredDocument, tally: Tally): void {
    const deleted = this.#statement(`DELETE FROM ${this.#name}_documents WHERE place = ?`).run(stored.place)
    if (deleted.changes === 0) return
    this.#run(`DELETE FROM ${this.#name}_words WHERE rowid = ?`, stored.place)
    this.#count(-1, stored.place, stored.terms.lengths, tally)
  }

  byId(id: string): StoredDocument | undefined {
    if (!this.layout.idsByPlace) return this.#one('id = ?', id)
    const place = this.#placeCalled(id)
    return place === undefined ? undefined : this.byPlace(place)
  }

  byPlace(place: number): StoredDocument | undefined {
    return this.#one('place = ?', place)
  }

  /** Some documents of a group, from its first on. */
  ofGroup(id: string, limit: number): StoredDocument[] {
    const number = this.#storedGroupNumber(id)
    if (number === undefined) return []
    const sql = `${this.#select()} WHERE place >= ? AND place < ? ORDER BY place LIMIT ?`
    return this.#rows(sql, placeInGroup(number, 0), placeInGroup(number + 1, 0), limit)
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
    const { sql: ranges, values } = filter.ranges
    const joined = ranges === '' ? '' : ` JOIN ${this.#name}_documents d ON d.place = ${words}.rowid`
    const newest = limit === undefined ? '' : ` ORDER BY ${words}.rowid DESC LIMIT ${limit}`
    const sql = `SELECT ${words}.rowid FROM ${words}${joined} WHERE ${words} MATCH ?${ranges}${newest}`
    const statement = this.#statement(sql)
    statement.setReturnArrays(true)
    const limited = [match, ...filter.words.map(anyOf => `(${anyOf.map(quoted).join(' OR ')})`)].join(' AND ')
    return (statement.all(limited, ...values) as unknown as [number][]).map(([place]) => place)
  }

  fetch(places: readonly number[], filter: FilterClause): StoredDocument[] {
    const { sql, values } = filter.rows
    const chosen = `${this.#select()} WHERE place IN (SELECT value FROM json_each(?))${sql}`
    return this.#rows(chosen, JSON.stringify(places), ...values)
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
    return row?.layout === this.#stamp
  }

  #count(sign: 1 | -1, place: number, lengths: readonly number[], tally: Tally): void {
    tally.documents += sign
    let length = 0
    lengths.forEach((words, at) => {
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

  #placeCalled(id: string): number | undefined {
    const end = id.lastIndexOf(':')
    const number = this.#storedGroupNumber(id.slice(0, end))
    return number === undefined ? undefined : placeInGroup(number, Number(id.slice(end + 1)))
  }

  #select(): string {
    const carried = this.#carried.map(name => `, ${carriedColumn(name)}`).join('')
    const id = this.layout.idsByPlace ? 'NULL' : 'id'
    return `SELECT place, ${id}, prior, terms${carried} FROM ${this.#name}_documents d`
  }

  #one(condition: string, key: string | number): StoredDocument | undefined {
    return this.#rows(`${this.#select()} WHERE ${condition}`, key)[0]
  }

  #rows(sql: string, ...values: SQLInputValue[]): StoredDocument[] {
    const statement = this.#statement(sql)
    statement.setReturnArrays(true)
    const rows = statement.all(...values) as unknown as DocumentRow[]
    return rows.map(([place, id, prior, terms, ...carried]) => ({
      place,
      id: id ?? undefined,
      prior,
      terms: new PackedTerms(terms, this.fields.length),
      carried,
    }))
  }

  #run(sql: string, ...values: SQLInputValue[]): void {
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

/** Quoted, nothing is taken for FTS5's own syntax. */
export function quoted(term: string): string {
  return `"${term}"`
}

function carriedColumn(name: string): string {
  return `carried_${name}`
}
