import type { SQLInputValue } from 'node:sqlite'
import type { FilterCondition } from './document.ts'

export type FilterClause = { sql: string; values: SQLInputValue[] }

/** Conditions on the columns of the documents table, called `d`; empty when there are none. */
export function filterClause(
  filter: Record<string, FilterCondition>,
  known: readonly string[],
): FilterClause {
  const conditions: string[] = []
  const values: SQLInputValue[] = []
  for (const [name, condition] of Object.entries(filter)) {
    if (!known.includes(name)) throw new RangeError(`The index cannot be filtered by "${name}"`)
    const column = `d.${filterColumn(name)}`
    if (typeof condition !== 'object') {
      conditions.push(`${column} = ?`)
      values.push(condition)
    } else if (isList(condition)) {
      conditions.push(`${column} IN (SELECT value FROM json_each(?))`)
      values.push(JSON.stringify(condition))
    } else {
      if (condition.from !== undefined) {
        conditions.push(`${column} >= ?`)
        values.push(condition.from)
      }
      if (condition.before !== undefined) {
        conditions.push(`${column} < ?`)
        values.push(condition.before)
      }
    }
  }
  return { sql: conditions.map(condition => ` AND ${condition}`).join(''), values }
}

export function filterColumn(name: string): string {
  return `filter_${name}`
}

function isList(condition: FilterCondition): condition is readonly (string | number)[] {
  return Array.isArray(condition)
}
