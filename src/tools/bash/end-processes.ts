import { setTimeout as wait } from 'node:timers/promises'
import { systemCode } from '../../store/index.ts'
import {
  carriesMark,
  inSession,
  type ProcessRow,
  runningProcesses,
  startedBy,
  stillRuns,
} from './process-table.ts'

/** A command's processes: the session that its shell leads, and what carries its mark. */
export interface CommandProcesses {
  leader: number
  mark: string
}

/** `session`: a daemon that made its own is left alone; `all`: wherever they are. */
export type Reach = 'session' | 'all'

export interface Ending {
  /** How many were asked to end. */
  asked: number
  /** Some did not, and were killed. */
  killed: boolean
  /** Those that SIGKILL did not end either: another user's, or waiting for a device. */
  survivors: readonly number[]
}

const LOOK_EVERY_MS = 25

/** How long the system may take to end what was killed. */
const KILL_TAKES_MS = 3_000

/** SIGTERM to all of them, SIGKILL to those that are still there after the grace. Returns when they are gone. */
export async function endProcesses(of: CommandProcesses, graceMs: number, reach: Reach): Promise<Ending> {
  const known = new Map<string, ProcessRow>()
  // Looked for again each time, as some may have been started; those known may have lost all that marks them.
  const find = () => {
    for (const row of findProcesses(of, reach)) known.set(`${row.pid} ${row.startTime}`, row)
    return [...known.values()].filter(stillRuns)
  }
  const asked = find()
  signalAll('SIGTERM', asked, of.leader)
  await goneWithin(asked, graceMs)
  let left = find()
  const killed = left.length > 0
  for (
    const end = performance.now() + KILL_TAKES_MS;
    left.length > 0 && performance.now() < end;
    left = find()
  ) {
    signalAll('SIGKILL', left, of.leader)
    await goneWithin(left, KILL_TAKES_MS / 10)
  }
  return { asked: asked.length, killed, survivors: left.map(({ pid }) => pid) }
}

/** For the last moment of this process, which waits for nothing. */
export function killProcesses(of: CommandProcesses): void {
  // Twice, for what was just being started the first time.
  for (let round = 0; round < 2; round++) signalAll('SIGKILL', findProcesses(of, 'all'), of.leader)
}

export function findProcesses({ leader, mark }: CommandProcesses, reach: Reach): ProcessRow[] {
  const rows = runningProcesses().filter(({ pid }) => pid !== process.pid)
  return reach === 'session'
    ? inSession(rows, leader)
    : startedBy(rows, leader, pid => carriesMark(pid, mark))
}

/** The group at once, so that none of it can start another in between; then those outside it. */
function signalAll(signal: NodeJS.Signals, rows: readonly ProcessRow[], leader: number): void {
  if (rows.some(({ group }) => group === leader)) send(-leader, signal)
  for (const { pid, group } of rows) if (group !== leader) send(pid, signal)
}

function send(to: number, signal: NodeJS.Signals): void {
  try {
    process.kill(to, signal)
  } catch (error) {
    // Gone already, or not ours to end: whoever is still there is told as a survivor.
    if (!['ESRCH', 'EPERM'].includes(systemCode(error) ?? '')) throw error
  }
}

/** Waits until they are gone, but no longer than that; returns whether they are. */
export async function goneWithin(rows: readonly ProcessRow[], timeMs: number): Promise<boolean> {
  for (const end = performance.now() + timeMs; performance.now() < end; ) {
    if (!rows.some(stillRuns)) return true
    await wait(LOOK_EVERY_MS)
  }
  return false
}
