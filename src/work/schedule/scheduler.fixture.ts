import { homeAt } from '../../config/index.ts'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { RunLedger, runFile } from '../runs/index.ts'
import { HeartbeatFile } from './heartbeat-file.ts'
import { Schedule } from './schedule.ts'
import { type DueRun, Scheduler } from './scheduler.ts'

export interface Clock {
  now: Date
}

const PROJECT = { slug: 'p' }

/** A process that has a scheduler, with a clock that stands still until it is told. */
export function processWith({
  directory = temporaryDirectory(),
  clock = { now: new Date('2026-04-08T12:00:00Z') },
  heartbeats = false,
  expireDays,
  run = async () => {},
}: {
  directory?: string
  clock?: Clock
  heartbeats?: boolean
  expireDays?: number
  run?: (due: DueRun, signal: AbortSignal) => Promise<void>
} = {}) {
  const home = homeAt(directory)
  const now = () => clock.now
  const schedule = new Schedule(home, PROJECT, { timeZone: 'UTC', expireDays, now })
  const ledger = new RunLedger(runFile(home, PROJECT), { now })
  const told: string[] = []
  const ran: DueRun[] = []
  const scheduler = new Scheduler({
    schedule,
    ledger,
    run: async (due, signal) => {
      ran.push(due)
      await run(due, signal)
    },
    tell: text => void told.push(text),
    heartbeats: heartbeats ? new HeartbeatFile(home, { now }) : undefined,
  })
  /** Lets time pass, with a look every so often. */
  const pass = async (seconds: number, { step = 1 } = {}) => {
    for (let left = seconds; left > 0; left -= step) {
      clock.now = new Date(clock.now.getTime() + Math.min(step, left) * 1000)
      await scheduler.tick()
      await scheduler.settled()
    }
  }
  return { directory, home, clock, schedule, ledger, scheduler, told, ran, pass }
}
