import type { SQLInputValue } from 'node:sqlite'
import type { FilterCondition, FilterValue, IndexLayout } from './document.ts'
import { termKey } from './packed-terms.ts'

/** A filter in the three forms in which it is put to the tables. */
export type FilterClause = {
  /** For FTS5: words that stand for values, of each entry at least one. */
  words: string[][]
  /** For the rows of documents, called `d`: all of it, and what words cannot say. */
  rows: SqlClause
  ranges: SqlClause
}

type SqlClause = { sql: string; values: SQLInputValue[] }

export function filterClause(
  filter: Record<string, FilterCondition>,
  { filters = [], ranges = [] }: Pick<IndexLayout, 'filters' | 'ranges'>,
): FilterClause {
  const clause: FilterClause = { words: [], rows: { sql: '', values: [] }, ranges: { sql: '', values: [] } }
  for (const [name, condition] of Object.entries(filter)) {
    if (!filters.includes(name) && !ranges.includes(name))
      throw new RangeError(`The index cannot be filtered by "${name}"`)
    const rows = asSql(name, condition)
    add(clause.rows, rows)
    if (isRange(condition) || ranges.includes(name)) add(clause.ranges, rows)
    else clause.words.push([condition].flat().map(value => filterWord(name, value)))
  }
  return clause
}

export function filterColumn(name: string): string {
  return `filter_${name}`
}

/** The arrow is part of no term, so that nothing a document says can be taken for this. */
export function filterWord(name: string, value: FilterValue): string {
  return `→${(termKey(`${name}=${value}`) >>> 0).toString(36)}`
}

function asSql(name: string, condition: FilterCondition): SqlClause {
  const column = `d.${filterColumn(name)}`
  if (!isRange(condition))
    return {
      sql: ` AND ${column} IN (SELECT value FROM json_each(?))`,
      values: [JSON.stringify([condition].flat())],
    }
  const clause: SqlClause = { sql: '', values: [] }
  if (condition.from !== undefined) add(clause, { sql: ` AND ${column} >= ?`, values: [condition.from] })
  if (condition.before !== undefined) add(clause, { sql: ` AND ${column} < ?`, values: [condition.before] })
  return clause
}

function add(to: SqlClause, { sql, values }: SqlClause): void {
  to.sql += sql
  to.values.push(...values)
}

function isRange(condition: FilterCondition): condition is { from?: number; before?: number } {
  return typeof condition === 'object' && !Array.isArray(condition)
}
