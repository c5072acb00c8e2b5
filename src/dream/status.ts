import { NO_USAGE, Sessions, type Usage } from '../session/index.ts'
import { livenessOf, type ProcessIdentity, readSmallFile } from '../store/index.ts'
import { type DreamContext, mayDream, placeOf, statusPath } from './dream.ts'
import { lastDream } from './dream-lock.ts'

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
  tokens: { in: number; out: number } | null
}

const HOUR_MS = 60 * 60 * 1000

/** Changes nothing, not even the time of the last look at the sessions. */
export async function dreamStatus(context: DreamContext): Promise<DreamStatus> {
  const { home, project, memory, session, now = () => new Date() } = context
  const place = placeOf(memory)
  const last = lastDream(place)
  const running = readRunning(place.state)
  const answer = await mayDream(context, { peek: true })
  const sessionsSince = (await new Sessions(home, project).touchedSince(last ?? new Date(0), session)).length
  const hours = last ? Math.round(((now().getTime() - last.getTime()) / HOUR_MS) * 10) / 10 : null
  return {
    lastConsolidatedAt: last?.toISOString() ?? null,
    hoursSince: hours,
    sessionsSince,
    wouldRun: answer.open && !running,
    gate: running ? 'lock' : answer.open ? null : answer.gate,
    reason: running ? `process ${running.pid} is dreaming` : answer.open ? null : answer.reason,
    lock: { held: running !== undefined, pid: running?.pid ?? null },
    phase: running?.phase ?? null,
    tokens: running ? { in: running.usage.input, out: running.usage.output } : null,
  }
}

export interface RunningDream {
  pid: number
  dreamer: string
  startedAt: string
  phase: string
  /** How often a model was asked so far, and what that took. */
  rounds: number
  usage: Usage
}

/** Whoever died while dreaming left this behind too, and its pid may be another's by now. */
export function readRunning(state: string): RunningDream | undefined {
  try {
    const status = JSON.parse(readSmallFile(statusPath(state)) ?? '') as Partial<RunningDream> & {
      process: ProcessIdentity
    }
    const { process: owner, dreamer = '', startedAt = '', phase = '', rounds = 0, usage = NO_USAGE } = status
    if (livenessOf(owner) !== 'alive') return undefined
    return { pid: owner.pid, dreamer, startedAt, phase, rounds, usage }
  } catch {
    return undefined // nobody
  }
}
