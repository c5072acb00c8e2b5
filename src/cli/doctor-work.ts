/** What is to be done by itself: whether it can be read, and whether anybody begins it. Said only where there is some. */
import { because } from '../store/index.ts'
import { HeartbeatFile, Schedule } from '../work/index.ts'
import type { Check } from './doctor-checks.ts'
import type { Invocation } from './invocation.ts'

const BEGIN = 'reverie gateway begins them, for as long as it runs'

export async function checkWork(
  invocation: Invocation,
  zones: { timeZone?: string | undefined },
): Promise<Check[]> {
  return [
    ...(await readable('jobs', () => checkJobs(invocation, zones))),
    ...(await readable('heartbeat', () => checkHeartbeats(invocation))),
  ]
}

async function readable(name: string, check: () => Promise<Check[]>): Promise<Check[]> {
  try {
    return await check()
  } catch (error) {
    return [{ name, status: 'problem', detail: `none begins: ${because(error)}` }]
  }
}

async function checkJobs(
  { home, project }: Invocation,
  zones: { timeZone?: string | undefined },
): Promise<Check[]> {
  const name = 'jobs'
  const schedule = new Schedule(home, project, zones)
  const { jobs, problems } = schedule.list()
  const [first] = problems
  const detail = many(jobs.length, 'job')
  if (first !== undefined)
    return [
      {
        name,
        status: 'warning',
        detail: `${detail}; ${first}`,
        fix: 'mend the file, or take them out of it',
      },
    ]
  if (jobs.length === 0) return []
  const missed = jobs.filter(job => job.missed).length
  const owner = await schedule.scheduler()
  const told = missed === 0 ? detail : `${detail}, ${missed} missed (reverie cron list)`
  return owner
    ? [{ name, status: 'ok', detail: `${told}, begun by process ${owner.pid}` }]
    : [{ name, status: 'note', detail: `${told}; nobody begins them now`, fix: BEGIN }]
}

async function checkHeartbeats({ home }: Invocation): Promise<Check[]> {
  const name = 'heartbeat'
  const { heartbeats, problems } = new HeartbeatFile(home, { now: () => new Date() }).find()
  const detail = many(heartbeats.length, 'task')
  const [first] = problems
  if (first !== undefined) {
    const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
    return [{ name, status: 'warning', detail: `${detail}; ${first}${more}`, fix: 'mend the line' }]
  }
  if (heartbeats.length === 0) return []
  const { gatewayStatus } = await import('../surfaces/gateway/index.ts') // all that a gateway runs comes with it
  const { running, pid } = await gatewayStatus(home)
  return running
    ? [{ name, status: 'ok', detail: `${detail} of HEARTBEAT.md, begun by the gateway (process ${pid})` }]
    : [{ name, status: 'note', detail: `${detail} of HEARTBEAT.md; no gateway runs`, fix: BEGIN }]
}

function many(count: number, one: string): string {
  return `${count} ${count === 1 ? one : `${one}s`}`
}
