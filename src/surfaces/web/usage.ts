/** Tokens and money per day: from what every reply says of its cost, and what was charged beside them. */
import { type ListedSession, NO_USAGE, type Sessions, type Usage } from '../../session/index.ts'

export interface DayUsage {
  /** In the time zone of this machine. */
  day: string
  in: number
  out: number
  cached: number
  usd: number | null
  replies: number
}

export interface UsageReport {
  days: DayUsage[]
  models: { model: string; in: number; out: number; usd: number | null; replies: number }[]
  total: Omit<DayUsage, 'day'>
}

/** One piece of it. */
interface Spent {
  day: string
  model: string
  usage: Usage
  replies: number
}

/** A longer session is not read for it: its sum counts for the day on which it ended. */
const READ_UP_TO_BYTES = 16 * 1024 * 1024

export class UsageOf {
  #sessions: Sessions
  /** By session; what has not grown is not read again. */
  #known = new Map<string, { stamp: string; spent: Spent[] }>()

  constructor(sessions: Sessions) {
    this.#sessions = sessions
  }

  async report(): Promise<UsageReport> {
    const all: Spent[] = []
    for (const session of await this.#sessions.list()) all.push(...(await this.#of(session)))
    return reportOf(all)
  }

  async #of(session: ListedSession): Promise<Spent[]> {
    const stamp = `${session.bytes}:${session.lastAt}`
    const known = this.#known.get(session.id)
    if (known?.stamp === stamp) return known.spent
    const replies = session.bytes > READ_UP_TO_BYTES ? [] : await this.#replies(session.id)
    const spent = [...replies, ...beside(session, replies)]
    this.#known.set(session.id, { stamp, spent })
    return spent
  }

  async #replies(id: string): Promise<Spent[]> {
    const spent: Spent[] = []
    for await (const { usage, model = '', at } of this.#sessions.messages(id))
      if (usage) spent.push({ day: dayOf(at), model, usage, replies: 1 })
    return spent
  }
}

/** What a session cost beyond its replies: helpers, summaries and other side jobs. */
function beside({ tokens, usd, lastAt, model = '' }: ListedSession, replies: readonly Spent[]): Spent[] {
  const sum = (of: (usage: Usage) => number) => replies.reduce((total, { usage }) => total + of(usage), 0)
  const input = Math.max(0, tokens.in - sum(usage => usage.input))
  const output = Math.max(0, tokens.out - sum(usage => usage.output))
  const money = usd === undefined ? undefined : Math.max(0, usd - sum(usage => usage.usd ?? 0))
  if (input === 0 && output === 0) return []
  const usage = { ...NO_USAGE, input, output, ...(money !== undefined && { usd: money }) }
  return [{ day: dayOf(lastAt), model, usage, replies: 0 }]
}

export function reportOf(spent: readonly Spent[]): UsageReport {
  const days = new Map<string, Omit<DayUsage, 'day'>>()
  const models = new Map<string, Omit<DayUsage, 'day'>>()
  let total = nothing()
  for (const { day, model, usage, replies } of spent) {
    if (usage.input === 0 && usage.output === 0) continue
    days.set(day, plus(days.get(day) ?? nothing(), usage, replies))
    models.set(model, plus(models.get(model) ?? nothing(), usage, replies))
    total = plus(total, usage, replies)
  }
  return {
    days: [...days].map(([day, sum]) => ({ day, ...sum })).sort((a, b) => (a.day < b.day ? -1 : 1)),
    models: [...models]
      .map(([model, { cached: _, ...sum }]) => ({ model, ...sum }))
      .sort((a, b) => b.in + b.out - a.in - a.out),
    total,
  }
}

function nothing(): Omit<DayUsage, 'day'> {
  return { in: 0, out: 0, cached: 0, usd: null, replies: 0 }
}

function plus(sum: Omit<DayUsage, 'day'>, usage: Usage, replies: number): Omit<DayUsage, 'day'> {
  return {
    in: sum.in + usage.input,
    out: sum.out + usage.output,
    cached: sum.cached + usage.cacheRead,
    usd: usage.usd === undefined ? sum.usd : (sum.usd ?? 0) + usage.usd,
    replies: sum.replies + replies,
  }
}

function dayOf(at: string): string {
  return new Date(at).toLocaleDateString('sv')
}
