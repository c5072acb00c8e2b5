import { type DreamContext, mayDream, placeOf } from './dream.ts'
import { holderOf, lastDream } from './dream-lock.ts'
import { gateFacts } from './gate-facts.ts'
import { progressLine } from './progress-line.ts'
import { readRunning } from './status-file.ts'

export interface DreamStatus {
  lastConsolidatedAt: string | null
  hoursSince: number | null
  sessionsSince: number
  wouldRun: boolean
  gate: string | null
  reason: string | null
  lock: { held: boolean; pid: number | null }
  /** Of the dream that goes on now. */
  phase: string | null
  /** How often a model was asked so far, files that would be changed, and what it took. */
  rounds: number | null
  files: number | null
  tokens: { in: number; out: number } | null
  usd: number | null
  /** All of that in a few words. */
  progress: string | null
}

const HOUR_MS = 60 * 60 * 1000

/** Changes nothing, not even the time of the last look at the sessions. */
export async function dreamStatus(context: DreamContext): Promise<DreamStatus> {
  const { home, project, memory, session, now = () => new Date() } = context
  const place = placeOf(memory)
  const last = lastDream(place)
  const running = readRunning(place.state)
  const answer = await mayDream(context, { peek: true })
  const holder = await holderOf(place, now())
  const facts = gateFacts({ home, project, place, session, peek: true })
  const sessionsSince = await facts.sessionsSince(last && last <= now() ? last : new Date(0))
  const hours = last ? Math.round(((now().getTime() - last.getTime()) / HOUR_MS) * 10) / 10 : null
  return {
    lastConsolidatedAt: last?.toISOString() ?? null,
    hoursSince: hours,
    sessionsSince,
    wouldRun: answer.open && !holder,
    gate: holder ? 'lock' : answer.open ? null : answer.gate,
    reason: holder ? holder.reason : answer.open ? null : answer.reason,
    lock: { held: holder !== undefined, pid: holder?.pid ?? null },
    phase: running?.phase ?? null,
    rounds: running?.rounds ?? null,
    files: running?.files ?? null,
    tokens: running ? { in: running.usage.input, out: running.usage.output } : null,
    usd: running?.usage.usd ?? null,
    progress: running ? progressLine(running) : null,
  }
}
