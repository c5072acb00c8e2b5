/** Where each task stands in the picture: a task to the right of all that it waits for. */
import type { Task } from '../types.ts'

export interface Placed {
  task: Task
  /** Column and row. */
  x: number
  y: number
}

export interface Drawn {
  placed: Placed[]
  edges: { from: Placed; to: Placed }[]
  columns: number
  rows: number
}

export function drawTasks(tasks: readonly Task[]): Drawn {
  const byId = new Map(tasks.map(task => [task.id, task]))
  const depth = new Map<number, number>()
  const depthOf = (task: Task, seen: ReadonlySet<number>): number => {
    const known = depth.get(task.id)
    if (known !== undefined) return known
    const before = task.blockedBy.flatMap(id => byId.get(id) ?? []).filter(({ id }) => !seen.has(id))
    const deepest = before.map(each => depthOf(each, new Set([...seen, task.id])) + 1)
    const found = Math.max(0, ...deepest)
    depth.set(task.id, found)
    return found
  }
  const columns = Map.groupBy(tasks, task => depthOf(task, new Set()))
  const row = new Map<number, number>()
  const placed: Placed[] = []
  for (const x of [...columns.keys()].sort((a, b) => a - b)) {
    // Beside what they wait for, so that lines cross as little as may be.
    const wanted = (task: Task) => {
      const rows = task.blockedBy.flatMap(id => row.get(id) ?? [])
      return rows.length === 0 ? task.id : rows.reduce((sum, each) => sum + each, 0) / rows.length
    }
    const sorted = (columns.get(x) ?? []).toSorted((a, b) => wanted(a) - wanted(b) || a.id - b.id)
    for (const [y, task] of sorted.entries()) {
      row.set(task.id, y)
      placed.push({ task, x, y })
    }
  }
  const at = new Map(placed.map(each => [each.task.id, each]))
  const edges = placed.flatMap(to =>
    to.task.blockedBy.flatMap(id => {
      const from = at.get(id)
      return from ? [{ from, to }] : []
    }),
  )
  return {
    placed,
    edges,
    columns: columns.size,
    rows: Math.max(0, ...[...columns.values()].map(({ length }) => length)),
  }
}

/** Letters that take two places: Chinese, Japanese, Korean, and pictures. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}|\p{RI}/u

/** As much of a text as so many narrow letters take, and never half of a letter. */
export function cutTo(text: string, places: number): string {
  const letters = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment)
  const widths = letters.map(letter => (WIDE.test(letter) ? 2 : 1))
  if (widths.reduce((sum, width) => sum + width, 0) <= places) return text
  let [left, count] = [places - 1, 0]
  while ((widths[count] ?? 0) <= left) left -= widths[count++] ?? 0
  return `${letters.slice(0, count).join('').trimEnd()}…`
}
