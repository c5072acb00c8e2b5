/** HEARTBEAT.md: what the owner wants done again and again, in a list and in words. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Home } from '../../config/index.ts'
import { readSmallFile, writeFileAtomic } from '../../store/index.ts'
import { BadSchedule } from './errors.ts'
import { isRecord, type Job, LONGEST_PROMPT } from './job.ts'
import { RECURRENCE, readRecurrence } from './recurrence.ts'
import { MOST_JOBS } from './schedule.ts'

export interface Heartbeat {
  /** The same as long as its words are. */
  id: string
  when: ReturnType<typeof readRecurrence>
  prompt: string
}

/** A tab counts as two spaces: enough to lie in the item before it. */
const ITEM = /^(\s*)(?:[-*+]|\d+[.)])\s+(?:\[( |x|X)\]\s+)?(.*)$/
/** Further in than that, where no item is open, is code. */
const DEEPEST = 3
const FENCE = /^ {0,3}(`{3,}|~{3,})/
const HOW_OFTEN = new RegExp(String.raw`\(?\b(${RECURRENCE})\)?\s*[:,—–-]?`, 'i')
/** A time of day that was meant and not understood must not become a part of the prompt. */
const MORE_OF_WHEN = /^\s*(?:at|on|in the)\s/i
const IN_DAYS = /(?:days?|weeks?|daily|weekly)$/i

/** Items of a list that say how often; what is ticked off, commented out or in a code fence is none. */
export function readHeartbeats(text: string): { heartbeats: Heartbeat[]; problems: string[] } {
  return understand(itemsOf(text))
}

interface Item {
  words: string
  /** Where it begins in its line. */
  indent: number
  isTicked: boolean
  saysHowOften: boolean
}

/** What lies in an item that says how often belongs to it, unless it says so itself. */
function itemsOf(text: string): string[] {
  const items: Item[] = []
  let open: Item | undefined
  let isDone = false // a part of the open item that was ticked off
  for (const line of linesThatCount(text)) {
    const item = itemIn(line)
    const isInside = /^\s+\S/.test(line) && (!item || (open !== undefined && isPartOf(item, open)))
    if (open && isInside) {
      isDone = item?.isTicked ?? isDone
      if (isDone) continue
      open.words += ` ${line.trim()}`
      open.saysHowOften ||= HOW_OFTEN.test(line)
      continue
    }
    open = item && (open || item.indent <= DEEPEST) ? item : undefined
    isDone = false
    if (open) items.push(open)
  }
  return items.filter(({ isTicked }) => !isTicked).map(({ words }) => words)
}

function itemIn(line: string): Item | undefined {
  const [, before, tick, words] = ITEM.exec(line) ?? []
  if (before === undefined || words === undefined) return undefined
  return {
    words,
    indent: before.replaceAll('\t', '  ').length,
    isTicked: tick?.toLowerCase() === 'x',
    saysHowOften: HOW_OFTEN.test(words),
  }
}

function isPartOf(item: Item, open: Item): boolean {
  return item.indent > open.indent && !item.saysHowOften && (open.isTicked || open.saysHowOften)
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
  const found = HOW_OFTEN.exec(item)
  if (!found)
    throw new BadSchedule('It does not say how often, as in "every 30 minutes" or "every weekday at 9:00".')
  const [phrase, often = ''] = found
  const rest = item.slice(found.index + phrase.length)
  if (IN_DAYS.test(often) && MORE_OF_WHEN.test(rest))
    throw new BadSchedule('A time of day is said as in "every day at 9:00" or "every Monday at 9:00".')
  const said = `${item.slice(0, found.index)} ${rest}`.replaceAll(/\s+/g, ' ').trim()
  if (said === '') throw new BadSchedule('It does not say what is to be done.')
  const when = readRecurrence(often)
  const prompt = said.slice(0, LONGEST_PROMPT)
  const key = `${'cron' in when ? when.cron : when.everyMs} ${prompt}`
  return { id: `hb-${createHash('sha256').update(key).digest('hex').slice(0, 10)}`, when, prompt }
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
