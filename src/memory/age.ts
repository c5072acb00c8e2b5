export const DAY_MS = 24 * 60 * 60 * 1000

/** A memory older than this is shown with a warning to verify it (2-memory.md). */
export const STALE_AFTER_DAYS = 1

export interface Age {
  /** Whole days since it was last confirmed. */
  ageDays: number
  stale: boolean
}

/** When a memory was last confirmed: `updated` if that is a date, else when the file was last written. */
export function confirmedAt(updated: string | undefined, mtimeMs: number): number {
  const stated = updated === undefined ? Number.NaN : Date.parse(updated)
  return Number.isNaN(stated) ? mtimeMs : stated
}

export function ageOf(confirmed: number, now: number): Age {
  const days = Math.max(0, (now - confirmed) / DAY_MS)
  return { ageDays: Math.floor(days), stale: days > STALE_AFTER_DAYS }
}

/** What a recalled memory says about itself. */
export function ageNote({ ageDays, stale }: Age): string {
  if (!stale) return ageDays === 0 ? 'saved today' : 'saved 1 day ago'
  const days = ageDays === 1 ? '1 day' : `${ageDays} days`
  return `saved ${days} ago; a snapshot, verify before relying on it`
}

/** The form in which dates stand in frontmatter: to the second, in UTC. */
export function stamp(now: Date): string {
  return now.toISOString().replace(/\.\d{3}Z$/, 'Z')
}
