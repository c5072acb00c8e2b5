/**
 * The tables behind an index. FTS5 knows which documents have a term; how often each has which is kept beside it.
 */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { FilterValue, IndexLayout } from './document.ts'
import type { PreparedDocument } from './document-reader.ts'
import type { FilterClause } from './filter-clause.ts'
import { carriedColumn, checkNames, createTables, documentColumns, hasTables } from './fts-schema.ts'
import { PackedTerms } from './packed-terms.ts'
import {
  groupNumber,
  isGrouped,
  MOST_GROUPS,
  ORDERS_PER_GROUP,
  placeInGroup,
  ungroupedPlace,
} from './places.ts'

/** From here on counting a term takes longer than all else about it; and how stale a count may be. */
const COMMON_TERM_DOCUMENTS = 2_000
const KEPT_COUNT_TOLERANCE = 0.05

export type Totals = { documents: number; lastUngrouped: number; lengths: number[] }

/** The totals while they change; the groups touched, by id, and what they have gained or lost. */
export type Tally = Totals & {
  groupNumbers: Map<string, number>
  groups: Map<number, { documents: number; length: number }>
}

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
  #filtered: readonly string[]
  #carried: readonly string[]
  #addDocument: string
  #addWords: string
  #statements = new Map<string, StatementSync>()
  #commonTerms = new Map<string, { having: number; of: number }>()

  constructor(database: DatabaseSync, layout: IndexLayout) {
    checkNames(layout)
    const { name, fields, filters = [], ranges = [], carried = [] } = layout
    this.layout = layout
    this.fields = Object.keys(fields)
    this.#database = database
    this.#name = name
    this.#filtered = [...filters, ...ranges]
    this.#carried = carried
    const marks = documentColumns(layout).map(() => '?')
    this.#addDocument = `INSERT INTO ${name}_documents VALUES (${marks.join(', ')}) ON CONFLICT DO NOTHING`
    this.#addWords = `INSERT INTO ${name}_words (rowid, words) VALUES (?, ?)`
    if (!hasTables(database, layout)) this.inTransaction(() => hasTables(database, layout) || this.recreate())
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
    this.#statements.clear()
    this.#commonTerms.clear()
    createTables(this.#database, this.layout)
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
    for (const name of this.#filtered) row.push(document.filters?.[name] ?? null)
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
