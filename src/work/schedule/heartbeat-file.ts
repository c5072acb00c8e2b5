/** HEARTBEAT.md of the home, and when each of its tasks ran last. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Home } from '../../config/index.ts'
import { readSmallFile, writeFileAtomic } from '../../store/index.ts'
import { type Heartbeat, readHeartbeats } from './heartbeat.ts'
import { isRecord, type Job } from './job.ts'

interface Times extends Pick<Job, 'createdAt' | 'lastRunAt'> {
  /** Since when it is not in the file. */
  goneSince?: string
}

type Known = ReadonlyMap<string, Times>

/**
 * An editor that saves empties a file for a moment, and what is ticked off by mistake is ticked on again: for so long
 * it is remembered when a task ran that is not there.
 */
const GONE_KEPT_MS = 24 * 60 * 60 * 1_000
const MOST_GONE = 200

/** The tasks of HEARTBEAT.md with what is known of their runs. Used by one process at a time. */
export class HeartbeatFile {
  readonly lock: string
  #text: string
  #state: string
  #now: () => Date
  #told = new Set<string>()
  /** It is looked at every second and hardly ever changes. */
  #read: { text: string | undefined; found: ReturnType<typeof readHeartbeats> } | undefined

  constructor(home: Home, { now }: { now: () => Date }) {
    this.#text = join(home.path, 'HEARTBEAT.md')
    this.#state = join(home.path, 'heartbeats.json')
    this.lock = join(home.path, 'locks', 'heartbeat')
    this.#now = now
  }

  /** As jobs; a new one begins to count now. Each problem is told once. */
  async jobs(tell: (problem: string) => void): Promise<Job[]> {
    const { heartbeats, problems } = this.find()
    for (const problem of problems) if (!this.#told.has(problem)) tell(problem)
    this.#told = new Set(problems)
    const before = this.#known()
    const known = knownAfter(before, heartbeats, this.#now())
    if (known !== before) await this.#keep(known)
    return heartbeats.map(({ id, when, prompt }): Job => {
      const { createdAt = this.#now().toISOString(), lastRunAt = null } = known.get(id) ?? {}
      return { id, when, createdAt, prompt, madeBy: 'person', expiresAt: null, lastRunAt }
    })
  }

  /** That one was begun. */
  async advance(id: string): Promise<void> {
    const known = this.#known()
    const now = this.#now().toISOString()
    await this.#keep(new Map(known).set(id, { createdAt: now, ...known.get(id), lastRunAt: now }))
  }

  /** What is in the file by now, and what of it is not understood. */
  find(): ReturnType<typeof readHeartbeats> {
    const text = readSmallFile(this.#text)
    if (text === undefined && existsSync(this.#text))
      return { heartbeats: [], problems: ['HEARTBEAT.md is not a plain file of at most 1 MB.'] }
    if (this.#read?.text !== text) this.#read = undefined
    this.#read ??= { text, found: readHeartbeats(text ?? '') }
    return this.#read.found
  }

  #known(): Known {
    try {
      const found: unknown = JSON.parse(readSmallFile(this.#state) ?? '{}')
      const entries = isRecord(found) ? Object.entries(found) : []
      const isTime = (value: unknown) => typeof value === 'string' && !Number.isNaN(Date.parse(value))
      const usable = entries.filter(
        (entry): entry is [string, Times] =>
          isRecord(entry[1]) &&
          isTime(entry[1].createdAt) &&
          (entry[1].lastRunAt === null || isTime(entry[1].lastRunAt)),
      )
      return new Map(usable)
    } catch {
      return new Map() // it follows from HEARTBEAT.md again; all that is lost is when each ran last
    }
  }

  async #keep(known: Known): Promise<void> {
    await writeFileAtomic(this.#state, `${JSON.stringify(Object.fromEntries(known), null, 1)}\n`)
  }
}

/** What is known of the tasks when these are in the file: the same as before where nothing has changed. */
export function knownAfter(before: Known, heartbeats: readonly Heartbeat[], now: Date): Known {
  const at = now.toISOString()
  const after = new Map(before)
  const there = new Set(heartbeats.map(({ id }) => id))
  for (const [id, times] of before) {
    const { goneSince = at, ...rest } = times
    if (there.has(id)) after.set(id, 'goneSince' in times ? rest : times)
    else if (now.getTime() - Date.parse(goneSince) > GONE_KEPT_MS) after.delete(id)
    else if (!('goneSince' in times)) after.set(id, { ...rest, goneSince })
  }
  for (const id of there) if (!after.has(id)) after.set(id, { createdAt: at, lastRunAt: null })
  const tooMany = [...after.keys()].filter(id => !there.has(id)).slice(0, -MOST_GONE)
  for (const id of tooMany) after.delete(id)
  const isSame = after.size === before.size && [...after].every(([id, times]) => before.get(id) === times)
  return isSame ? before : after
}
