/** HEARTBEAT.md: what the owner wants done again and again, in a list and in words. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Home } from '../../config/index.ts'
import { readSmallFile, writeFileAtomic } from '../../store/index.ts'
import { BadSchedule } from './errors.ts'
import { isRecord, type Job, LONGEST_PROMPT } from './job.ts'
import { MOST_JOBS } from './schedule.ts'
import { readDuration } from './when.ts'

export interface Heartbeat {
  /** The same as long as its words are. */
  id: string
  everyMs: number
  prompt: string
}

const ITEM = /^ {0,3}(?:[-*+]|\d+[.)])\s+(?:\[( |x|X)\]\s+)?(.*)$/
const FENCE = /^ {0,3}(`{3,}|~{3,})/
const AMOUNT = String.raw`\d+(?:\.\d+)?\s*[a-z]+(?:\s+\d+\s*[a-z]+)?|second|minute|hour|day|week`
const INTERVAL = new RegExp(
  String.raw`\(?\b(?:every\s+(${AMOUNT})|(hourly|daily|weekly))\b\)?\s*[:,—–-]?`,
  'i',
)
const NAMED: Readonly<Record<string, string>> = { hourly: '1 hour', daily: '1 day', weekly: '1 week' }

/** Items of a list that name an interval; what is ticked off, commented out or in a code fence is none. */
export function readHeartbeats(text: string): { heartbeats: Heartbeat[]; problems: string[] } {
  return understand(itemsOf(text))
}

function itemsOf(text: string): string[] {
  const items: string[] = []
  let isOpen = false
  for (const line of linesThatCount(text)) {
    const [, ticked, words] = ITEM.exec(line) ?? []
    if (words !== undefined) {
      isOpen = ticked?.toLowerCase() !== 'x'
      if (isOpen) items.push(words)
    } else if (isOpen && /^\s+\S/.test(line)) items.push(`${items.pop()} ${line.trim()}`)
    else isOpen = false
  }
  return items
}

/** Without fences and comments, each of which hides the marks of the other. */
function* linesThatCount(text: string): Generator<string> {
  let fence: string | undefined
  let inComment = false
  for (const line of text.split(/\r?\n/)) {
    if (fence !== undefined) {
      const [, closing] = /^ {0,3}(`{3,}|~{3,})\s*$/.exec(line) ?? []
      if (closing?.startsWith(fence)) fence = undefined
      continue
    }
    const [, opening] = inComment ? [] : (FENCE.exec(line) ?? [])
    if (opening) {
      fence = opening
      yield '' // what stood before is over
      continue
    }
    const shown: string = inComment ? `<!--${line}` : line
    inComment = shown.lastIndexOf('<!--') > shown.lastIndexOf('-->')
    yield shown.replaceAll(/<!--.*?(?:-->|$)/g, '')
  }
}

function understand(items: readonly string[]): { heartbeats: Heartbeat[]; problems: string[] } {
  const heartbeats = new Map<string, Heartbeat>()
  const problems: string[] = []
  for (const item of items) {
    try {
      const heartbeat = heartbeatOf(item)
      heartbeats.set(heartbeat.id, heartbeat)
    } catch (error) {
      if (!(error instanceof BadSchedule)) throw error
      problems.push(`HEARTBEAT.md: ${JSON.stringify(item)} is no task: ${error.message}`)
    }
  }
  const all = [...heartbeats.values()]
  if (all.length > MOST_JOBS)
    problems.push(`HEARTBEAT.md has ${all.length} tasks; only the first ${MOST_JOBS} count.`)
  return { heartbeats: all.slice(0, MOST_JOBS), problems }
}

function heartbeatOf(item: string): Heartbeat {
  const [phrase = '', amount = '', name = ''] = INTERVAL.exec(item) ?? []
  if (phrase === '') throw new BadSchedule('It does not say how often, as in "every 30 minutes".')
  const prompt = item.replace(phrase, ' ').replaceAll(/\s+/g, ' ').trim().slice(0, LONGEST_PROMPT)
  if (prompt === '') throw new BadSchedule('It does not say what is to be done.')
  const every = NAMED[name.toLowerCase()] ?? (/^[a-z]/i.test(amount) ? `1 ${amount}` : amount)
  const everyMs = readDuration(every)
  const id = `hb-${createHash('sha256').update(`${everyMs} ${prompt}`).digest('hex').slice(0, 10)}`
  return { id, everyMs, prompt }
}

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
    const { heartbeats, problems } = this.#found()
    for (const problem of problems) if (!this.#told.has(problem)) tell(problem)
    this.#told = new Set(problems)
    const before = this.#known()
    const known = knownAfter(before, heartbeats, this.#now())
    if (known !== before) await this.#keep(known)
    return heartbeats.map(({ id, everyMs, prompt }): Job => {
      const { createdAt = this.#now().toISOString(), lastRunAt = null } = known.get(id) ?? {}
      return { id, when: { everyMs }, createdAt, prompt, madeBy: 'person', expiresAt: null, lastRunAt }
    })
  }

  /** That one was begun. */
  async advance(id: string): Promise<void> {
    const known = this.#known()
    const now = this.#now().toISOString()
    await this.#keep(new Map(known).set(id, { createdAt: now, ...known.get(id), lastRunAt: now }))
  }

  #found(): ReturnType<typeof readHeartbeats> {
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
