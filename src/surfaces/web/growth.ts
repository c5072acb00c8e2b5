/** How many memories there were of each type, and when: from what the journal knows of every change. */
import {
  MEMORY_TYPES,
  type Memory,
  type MemoryType,
  parseEntry,
  SCOPES,
  type Scope,
} from '../../memory/index.ts'
import type { JournalEntry } from '../../store/index.ts'

export type Counts = Record<MemoryType, number>

export interface GrowthPoint extends Counts {
  at: string
}

interface Change {
  id: string
  at: string
  counts: Counts
}

/** Entries that are looked at; the picture begins where they do. */
const MOST_ENTRIES = 2_000
/** Most of reading one is waiting for the disk. */
const AT_ONCE = 16

export class GrowthOf {
  #memory: () => Memory
  /** By entry: what is in the journal does not change any more. */
  #known = new Map<string, Counts>()

  constructor(memory: () => Memory) {
    this.#memory = memory
  }

  /** Oldest first, ending with how it is now. */
  async points(now = new Date()): Promise<GrowthPoint[]> {
    const memory = this.#memory()
    const present = none()
    for (const { type } of await memory.list()) present[type]++
    const entries: JournalEntry[] = []
    for await (const entry of memory.log()) {
      if (entries.length >= MOST_ENTRIES) break
      entries.push(entry)
    }
    const changes: Change[] = []
    for (let from = 0; from < entries.length; from += AT_ONCE) {
      const some = entries.slice(from, from + AT_ONCE)
      const read = async ({ id, at }: JournalEntry) => ({
        ...{ id, at: at.toISOString() },
        counts: await this.#countsOf(memory, id),
      })
      changes.push(...(await Promise.all(some.map(read))))
    }
    return backwards(present, changes, now)
  }

  async #countsOf(memory: Memory, id: string): Promise<Counts> {
    const known = this.#known.get(id)
    if (known) return known
    const counts = none()
    for (const { file, before, after } of await memory.changesOf(id, ...scopesOf(memory))) {
      const [was, is] = [typeOf(file, before), typeOf(file, after)]
      if (was) counts[was]--
      if (is) counts[is]++
    }
    this.#known.set(id, counts)
    return counts
  }
}

/** From how it is now back through each change; what came of nobody's journal is in all of it. */
export function backwards(present: Counts, newestFirst: readonly Change[], now: Date): GrowthPoint[] {
  const points: GrowthPoint[] = [{ at: now.toISOString(), ...present }]
  let counts = present
  for (const { at, counts: change } of newestFirst) {
    if (MEMORY_TYPES.every(type => change[type] === 0)) continue
    points.push({ at, ...counts })
    counts = before(counts, change)
  }
  return points.reverse()
}

function before(counts: Counts, change: Counts): Counts {
  const earlier = none()
  for (const type of MEMORY_TYPES) earlier[type] = Math.max(0, counts[type] - change[type])
  return earlier
}

function none(): Counts {
  return { user: 0, feedback: 0, project: 0, reference: 0 }
}

function typeOf(file: string, text: string | null): MemoryType | undefined {
  if (text === null || !file.endsWith('.md') || file.includes('/')) return undefined
  const parsed = parseEntry(text)
  return parsed.ok ? parsed.entry.type : undefined
}

/** A home in which the project's memories are the owner's has one scope less. */
function scopesOf(memory: Memory): Scope[] {
  return SCOPES.filter(scope => {
    try {
      return memory.place(scope) !== ''
    } catch {
      return false
    }
  })
}
