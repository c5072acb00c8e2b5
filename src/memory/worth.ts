import { DAY_MS } from './age.ts'
import type { MemoryType } from './entry.ts'

/** What a memory's place in the index, and a small part of its rank in recall, depends on. */
export interface Standing {
  type: MemoryType
  pinned: boolean
  /** When it was last confirmed, in ms since 1970. */
  confirmed: number
  /** How often it was recalled. */
  recalled: number
}

/** After so many days a memory's recency counts half. */
const HALF_LIFE_DAYS = 90

/** What people say about themselves and how they want to work holds longer than where something was found. */
const TYPE_WORTH: Record<MemoryType, number> = { feedback: 0.4, user: 0.4, project: 0.2, reference: 0 }
const PINNED_WORTH = 10
const RECALLED_WORTH = 0.25

/** The larger, the more it deserves a line in the index. */
export function worthOf(standing: Standing, now: number): number {
  const days = Math.max(0, (now - standing.confirmed) / DAY_MS)
  return (
    (standing.pinned ? PINNED_WORTH : 0) +
    TYPE_WORTH[standing.type] +
    0.5 ** (days / HALF_LIFE_DAYS) +
    RECALLED_WORTH * Math.log2(1 + standing.recalled)
  )
}

/** A factor of 0.9 to 1.15 on a memory's score in recall: it settles ties, it does not decide. */
export function priorOf(standing: Standing, now: number): number {
  const days = Math.max(0, (now - standing.confirmed) / DAY_MS)
  const recency = 0.05 * (2 * 0.5 ** (days / HALF_LIFE_DAYS) - 1)
  const use = Math.min(0.05, 0.01 * Math.log2(1 + standing.recalled))
  const type = (TYPE_WORTH[standing.type] - 0.2) * 0.125
  return 1 + recency + use + type + (standing.pinned ? 0.02 : 0)
}
