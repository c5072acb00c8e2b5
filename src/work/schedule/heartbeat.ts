/** HEARTBEAT.md: what the owner wants done again and again, in a list and in words. */
import { createHash } from 'node:crypto'
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

/** The tasks of HEARTBEAT.md with what is known of their runs. Used by one process at a time. */
export class HeartbeatFile {
  readonly lock: string
  #text: string
  #state: string
  #now: () => Date
  #told = new Set<string>()
  /** It is looked at every second and hardly ever changes. */
  #read: { text: string; found: ReturnType<typeof readHeartbeats> } | undefined

  constructor(home: Home, { now }: { now: () => Date }) {
    this.#text = join(home.path, 'HEARTBEAT.md')
    this.#state = join(home.path, 'heartbeats.json')
    this.lock = join(home.path, 'locks', 'heartbeat')
    this.#now = now
  }

  /** As jobs; a new one begins to count now. Each problem is told once. */
  async jobs(tell: (problem: string) => void): Promise<Job[]> {
    const text = readSmallFile(this.#text) ?? ''
    if (this.#read?.text !== text) this.#read = { text, found: readHeartbeats(text) }
    const { heartbeats, problems } = this.#read.found
    for (const problem of problems) if (!this.#told.has(problem)) tell(problem)
    this.#told = new Set(problems)
    const known = this.#known()
    const jobs = heartbeats.map(({ id, everyMs, prompt }): Job => {
      const { createdAt = this.#now().toISOString(), lastRunAt = null } = known.get(id) ?? {}
      return { id, when: { everyMs }, createdAt, prompt, madeBy: 'person', expiresAt: null, lastRunAt }
    })
    if (jobs.length !== known.size || jobs.some(({ id }) => !known.has(id))) await this.#keep(jobs)
    return jobs
  }

  /** That one was begun. */
  async advance(id: string): Promise<void> {
    const known = this.#known()
    const { createdAt } = known.get(id) ?? {}
    const lastRunAt = this.#now().toISOString()
    known.set(id, { createdAt: createdAt ?? lastRunAt, lastRunAt })
    await this.#keep([...known].map(([id, times]) => ({ id, ...times })))
  }

  #known(): Map<string, Pick<Job, 'createdAt' | 'lastRunAt'>> {
    try {
      const found: unknown = JSON.parse(readSmallFile(this.#state) ?? '{}')
      const entries = isRecord(found) ? Object.entries(found) : []
      const isTime = (value: unknown) => typeof value === 'string' && !Number.isNaN(Date.parse(value))
      const usable = entries.filter(
        (entry): entry is [string, Pick<Job, 'createdAt' | 'lastRunAt'>] =>
          isRecord(entry[1]) &&
          isTime(entry[1].createdAt) &&
          (entry[1].lastRunAt === null || isTime(entry[1].lastRunAt)),
      )
      return new Map(usable)
    } catch {
      return new Map() // it follows from HEARTBEAT.md again; all that is lost is when each ran last
    }
  }

  async #keep(jobs: readonly Pick<Job, 'id' | 'createdAt' | 'lastRunAt'>[]): Promise<void> {
    const entries = jobs.map(({ id, createdAt, lastRunAt }) => [id, { createdAt, lastRunAt }])
    await writeFileAtomic(this.#state, `${JSON.stringify(Object.fromEntries(entries), null, 1)}\n`)
  }
}
