/** What processes wrote down while they worked, and whether it could be so. */

export interface TaskVerdict {
  /** How often each thing was told. */
  counts: Map<string, number>
  violations: string[]
}

/** `blockers` of each task, as it was created. Each line of the record: what, task, process. */
export function judgeTasks(
  record: readonly string[],
  blockers: ReadonlyMap<number, readonly number[]>,
): TaskVerdict {
  const violations: string[] = []
  const counts = new Map<string, number>()
  const inside = new Map<number, string>()
  const left = new Set<number>()
  const completed = new Set<number>()
  const lastLine = new Map<string, number>()
  const lines = record.map(line => line.split(' '))
  for (const [at, [, , pid = '']] of lines.entries()) lastLine.set(pid, at)
  for (const [at, [what = '', task = '', pid = '']] of lines.entries()) {
    const id = Number(task)
    counts.set(what, (counts.get(what) ?? 0) + 1)
    if (what === 'enter') {
      const other = inside.get(id)
      // Whoever says something later was not dead, so that the task was still theirs.
      if (other !== undefined && (lastLine.get(other) ?? 0) > at)
        violations.push(`${pid} began task ${id} while ${other} was doing it`)
      if (completed.has(id)) violations.push(`${pid} began task ${id}, which was completed`)
      for (const blocker of blockers.get(id) ?? [])
        if (!left.has(blocker)) violations.push(`${pid} began task ${id} before task ${blocker} was done`)
      inside.set(id, pid)
    }
    if (what === 'leave') {
      if (inside.get(id) !== pid) violations.push(`${pid} left task ${id}, which it was not doing`)
      inside.delete(id)
      left.add(id)
    }
    if (what === 'completed') {
      if (completed.has(id)) violations.push(`task ${id} was completed twice`)
      completed.add(id)
    }
  }
  return { counts, violations }
}
