/** Whether it is time to dream: asked after every turn, the cheapest question first, and every no has its reason. */

export type Gate = 'disabled' | 'time' | 'scan' | 'sessions' | 'lock' | 'hook'

export interface GateSettings {
  enabled: boolean
  /** Hours since the last dream. */
  minHours: number
  /** Sessions that were written to since, or messages of the owner: either is enough. */
  minSessions: number
  minMessages: number
}

/** What the questions are answered from; each costs no more than its comment says. */
export interface GateFacts {
  /** One `stat`. Undefined when there was never a dream. */
  lastDream(): Date | undefined
  /** One `stat`. When sessions were last listed, by any process. */
  lastScan(): Date | undefined
  /** Says that sessions are listed now. */
  noteScan(): void
  /** One directory listing. */
  sessionsSince(since: Date): Promise<number>
  /** Reads the ends of the sessions that were written to. */
  messagesSince(since: Date): Promise<number>
}

export type GateAnswer = { open: true; warning?: string } | { open: false; gate: Gate; reason: string }

const HOUR_MS = 60 * 60 * 1000
const SCAN_EVERY_MS = 10 * 60 * 1000

/** The gates but the last: that is the lock itself. `force` passes all but being switched off. */
export async function askGates(
  { enabled, minHours, minSessions, minMessages }: GateSettings,
  facts: GateFacts,
  now: Date,
  { force = false }: { force?: boolean } = {},
): Promise<GateAnswer> {
  if (!enabled) return closed('disabled', 'dreams are switched off (reverie config set dream.enabled true)')
  if (force) return { open: true }
  const last = facts.lastDream()
  const hours = last ? (now.getTime() - last.getTime()) / HOUR_MS : Number.POSITIVE_INFINITY
  if (hours >= 0 && hours < minHours)
    return closed('time', `${hours.toFixed(1)} of ${minHours} hours since the last dream`)
  const scanned = facts.lastScan()
  const sinceScan = scanned ? now.getTime() - scanned.getTime() : Number.POSITIVE_INFINITY
  if (sinceScan >= 0 && sinceScan < SCAN_EVERY_MS)
    return closed('scan', 'sessions were looked at less than 10 minutes ago')
  facts.noteScan()
  const since = last && hours >= 0 ? last : new Date(0)
  const sessions = await facts.sessionsSince(since)
  if (sessions < minSessions) {
    const messages = await facts.messagesSince(since)
    if (messages < minMessages)
      return closed(
        'sessions',
        `${sessions} of ${minSessions} sessions and ${messages} of ${minMessages} messages since the last dream`,
      )
  }
  if (hours >= 0) return { open: true }
  return { open: true, warning: 'The last dream is dated in the future; it counts as due.' }
}

function closed(gate: Gate, reason: string): GateAnswer {
  return { open: false, gate, reason }
}
