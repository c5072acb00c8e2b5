/** How much each skill is used: every use counts for one, and for half of that a week later. */
import { join } from 'node:path'
import { type Home, prepareHome } from '../config/index.ts'
import { PRIVATE_FILE, readSmallFile, withLock, writeFileAtomic } from '../store/index.ts'

/** How much a skill was used, as of a moment. */
export interface Use {
  score: number
  /** ISO 8601. */
  at: string
}

export type Uses = Readonly<Record<string, Use>>

const HALF_LIFE_MS = 7 * 24 * 60 * 60 * 1000
/** Skills of which it is kept; the least used are let go. */
const MOST_KEPT = 500

export function scoreAt(use: Use | undefined, now: Date): number {
  if (!use) return 0
  // A clock that went back does not make a use worth more.
  const age = Math.max(0, now.getTime() - Date.parse(use.at))
  return use.score * 0.5 ** (age / HALF_LIFE_MS)
}

function countUse(uses: Uses, name: string, now: Date): Uses {
  const counted = { ...uses, [name]: { score: scoreAt(uses[name], now) + 1, at: now.toISOString() } }
  const entries = Object.entries(counted)
  if (entries.length <= MOST_KEPT) return counted
  const most = entries.toSorted(([, a], [, b]) => scoreAt(b, now) - scoreAt(a, now)).slice(0, MOST_KEPT)
  return Object.fromEntries(most)
}

const file = (home: Home) => join(home.path, 'skill-uses.json')

/** What cannot be read counts for nothing: the order of a list depends on it, and no more. */
export function readUses(home: Home): Uses {
  try {
    const found: unknown = JSON.parse(readSmallFile(file(home)) ?? '{}')
    if (typeof found !== 'object' || found === null || Array.isArray(found)) return {}
    return Object.fromEntries(
      Object.entries(found).filter((entry): entry is [string, Use] => isUse(entry[1])),
    )
  } catch {
    return {}
  }
}

function isUse(value: unknown): value is Use {
  if (typeof value !== 'object' || value === null) return false
  const { score, at } = value as Partial<Use>
  return Number.isFinite(score) && typeof at === 'string' && !Number.isNaN(Date.parse(at))
}

/** Two processes that count at once both count. */
export async function recordUse(home: Home, name: string, now: Date): Promise<void> {
  await prepareHome(home)
  await withLock(
    join(home.cache, 'skill-uses-lock'),
    async () => {
      const uses = countUse(readUses(home), name, now)
      await writeFileAtomic(file(home), `${JSON.stringify(uses)}\n`, { mode: PRIVATE_FILE })
    },
    { waitMs: 2_000, note: 'counting the use of a skill' },
  )
}
