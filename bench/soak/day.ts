/** Simulated time with jobs and heartbeats that really run: a scheduler, its ledger, and an agent that answers. */
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openConversation, Scheduling } from '../../src/assembly/index.ts'
import { DEFAULTS, homeAt } from '../../src/config/index.ts'
import { Sessions } from '../../src/session/index.ts'

export interface DayOptions {
  directory: string
  hours: number
  /** Called after every simulated hour, and at the end. */
  hourly?(measured: Measured): void
}

export interface Measured {
  hour: number
  runs: number
  failed: number
  /** The most that ran at once, at any look. */
  live: number
  ledgerEntries: number
  ledgerBytes: number
  sessions: number
  /** After a collection. */
  heapMegabytes: number
  rssMegabytes: number
}

const HOUR = 3_600
const START = Date.parse('2026-04-08T00:00:00Z')
const MEGABYTE = 2 ** 20

/** Two heartbeats every 30 seconds and three jobs every minute, looked at once a second (7-bars.md, `soak`). */
export async function passTime({ directory, hours, hourly = () => {} }: DayOptions): Promise<Measured[]> {
  const home = homeAt(join(directory, 'home'))
  const project = { root: directory, slug: 'p-1' }
  let now = new Date(START)
  let runs = 0
  let failed = 0
  let live = 0
  const config = { ...DEFAULTS, model: 'embedded' }
  const scheduling = new Scheduling(
    {
      home,
      project,
      env: {},
      config: async () => config,
      withMemory: true,
      heartbeats: true,
      open: openConversation,
      onNews: ({ kind }) => void (kind === 'result' ? runs++ : failed++),
    },
    { timeZone: 'UTC', now: () => now },
  )
  const { schedule, scheduler, ledger } = scheduling
  for (let job = 1; job <= 3; job++)
    await schedule.add({
      every: '1m',
      prompt: `What do you know of ${job}?`,
      madeBy: 'person',
      durable: true,
    })
  writeFileSync(
    join(home.path, 'HEARTBEAT.md'),
    '- every 30 seconds: what is due?\n- every 30 seconds: what is late?\n',
  )
  const measured: Measured[] = []
  for (let second = 1; second <= hours * HOUR; second++) {
    now = new Date(START + second * 1_000)
    await scheduler.tick()
    live = Math.max(live, scheduler.live.length)
    await scheduler.settled()
    if (second % HOUR > 0 && second < hours * HOUR) continue
    globalThis.gc?.()
    const { heapUsed, rss } = process.memoryUsage()
    const hour = {
      hour: second / HOUR,
      runs,
      failed,
      live,
      ledgerEntries: ledger.runs().length,
      ledgerBytes: statSync(join(home.projects, project.slug, 'runs.json')).size,
      sessions: (await new Sessions(home, project).ids()).length,
      heapMegabytes: heapUsed / MEGABYTE,
      rssMegabytes: rss / MEGABYTE,
    }
    measured.push(hour)
    hourly(hour)
    live = 0
  }
  await scheduling[Symbol.asyncDispose]()
  return measured
}
