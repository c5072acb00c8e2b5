/** How often a batch of history was dreamt about in vain; what failed too often is set aside, and the next has its turn. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { History, HistoryEntry } from '../session/index.ts'
import { readSmallFile, writeFileAtomic } from '../store/index.ts'

/** A batch of history that failed so often is set aside (3-dream.md). */
const MOST_FAILURES = 3

interface Failures {
  /** The oldest entry of the batch: what was said between two tries makes the batch longer, and no other. */
  first: number
  /** The last entry that was in every one of the tries. */
  last: number
  count: number
}

/** Counts one more, and sets aside what was in all of the tries when there were enough of them. */
export async function countFailure(
  state: string,
  { history, batch, why }: { history: History; batch: readonly HistoryEntry[]; why: string },
): Promise<void> {
  const [first, last] = [batch[0]?.cursor, batch.at(-1)?.cursor]
  if (first === undefined || last === undefined) return
  const failures = countedOnce(readFailures(state), first, last)
  if (failures.count < MOST_FAILURES)
    return writeFileAtomic(failuresPath(state), `${JSON.stringify(failures)}\n`)
  await history.setAside(
    batch.filter(({ cursor }) => cursor <= failures.last),
    why,
  )
  forgetFailures(state)
}

export function forgetFailures(state: string): void {
  rmSync(failuresPath(state), { force: true })
}

function countedOnce(known: Partial<Failures>, first: number, last: number): Failures {
  if (known.first !== first || typeof known.count !== 'number') return { first, last, count: 1 }
  return { first, last: Math.min(last, known.last ?? last), count: known.count + 1 }
}

function readFailures(state: string): Partial<Failures> {
  try {
    return JSON.parse(readSmallFile(failuresPath(state)) ?? '{}') as Partial<Failures>
  } catch {
    return {} // damaged: counted from the beginning
  }
}

function failuresPath(state: string): string {
  return join(state, 'dream-failures.json')
}
