/** HEARTBEAT.md: what the owner wants done again and again, in a list and in words. */
import { createHash } from 'node:crypto'
import { BadSchedule } from './errors.ts'
import { LONGEST_PROMPT } from './job.ts'
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
/** What makes words bold or puts them in brackets goes with them. */
const HOW_OFTEN = new RegExp(
  String.raw`(?<![\p{L}\p{N}])[(*_]{0,3}(${RECURRENCE})[)*_]{0,3}\s*[:,—–-]?[*_]{0,3}`,
  'iu',
)
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
