/** Which task waits for which: both directions of a dependency change together. */
import { cycleThrough } from './decide.ts'
import { TaskCycle } from './errors.ts'
import type { Task } from './task.ts'

export interface DependencyChanges {
  addBlockedBy?: readonly number[] | undefined
  removeBlockedBy?: readonly number[] | undefined
  addBlocks?: readonly number[] | undefined
  removeBlocks?: readonly number[] | undefined
}

/**
 * Adds and removes dependencies of a task in `changed`, which holds it already. `existing` throws for what is not
 * there or cannot be read; a circle throws TaskCycle.
 */
export function link(
  id: number,
  changes: DependencyChanges,
  changed: Map<number, Task>,
  existing: (id: number) => Task,
): void {
  const now = (other: number) => changed.get(other) ?? existing(other)
  for (const [blocker, waiting] of pairs(id, changes.removeBlockedBy, changes.removeBlocks)) {
    changed.set(blocker, { ...now(blocker), blocks: without(now(blocker).blocks, waiting) })
    changed.set(waiting, { ...now(waiting), blockedBy: without(now(waiting).blockedBy, blocker) })
  }
  for (const [blocker, waiting] of pairs(id, changes.addBlockedBy, changes.addBlocks)) {
    const [first, second] = [now(blocker), now(waiting)]
    const circle = cycleThrough(waiting, blocker, other => changed.get(other) ?? lookUp(other, existing))
    if (circle) throw new TaskCycle(circle)
    changed.set(blocker, { ...first, blocks: unique([...first.blocks, waiting]) })
    changed.set(waiting, { ...second, blockedBy: unique([...second.blockedBy, blocker]) })
  }
}

/** A task that is only on the way to others may be gone or unreadable: the way ends there. */
function lookUp(id: number, existing: (id: number) => Task): Task | 'missing' {
  try {
    return existing(id)
  } catch {
    return 'missing'
  }
}

function pairs(id: number, blockers: readonly number[] = [], waiting: readonly number[] = []) {
  return [
    ...unique(blockers).map(blocker => [blocker, id] as const),
    ...unique(waiting).map(other => [id, other] as const),
  ]
}

/** In order, each once. */
function unique(ids: readonly number[]): number[] {
  return [...new Set(ids)].sort((a, b) => a - b)
}

export function without(ids: readonly number[], id: number): number[] {
  return ids.filter(each => each !== id)
}
