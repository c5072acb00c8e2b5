/** What is to be done: whether it can be read, and of jobs whether anybody begins them. Said only where there is some. */
import { because } from '../store/index.ts'
import { HeartbeatFile, Schedule, TaskList, taskListNames } from '../work/index.ts'
import type { Check } from './doctor-checks.ts'
import type { Invocation } from './invocation.ts'

const BEGIN = 'reverie gateway begins them, for as long as it runs'

export async function checkWork(
  invocation: Invocation,
  zones: { timeZone?: string | undefined },
): Promise<Check[]> {
  return [
    ...(await readable('tasks', () => checkTasks(invocation))),
    ...(await readable('jobs', () => checkJobs(invocation, zones))),
    ...(await readable('heartbeat', () => checkHeartbeats(invocation))),
  ]
}

async function readable(name: string, check: () => Promise<Check[]>): Promise<Check[]> {
  try {
    return await check()
  } catch (error) {
    const effect = name === 'tasks' ? 'they cannot be read' : 'none begins'
    return [{ name, status: 'problem', detail: `${effect}: ${because(error)}` }]
  }
}

async function checkTasks({ home, project }: Invocation): Promise<Check[]> {
  const name = 'tasks'
  const lists = taskListNames(home, project).map(list => new TaskList(home, project, { list }))
  const found = await Promise.all(lists.map(list => list.list()))
  const open = found.flatMap(({ tasks }) => tasks.filter(({ status }) => status !== 'completed')).length
  const [first, ...more] = found.flatMap(({ problems }) => problems)
  const detail = `${open} to be done`
  if (!first) return open === 0 ? [] : [{ name, status: 'ok', detail }]
  const rest = more.length === 0 ? '' : ` (and ${more.length} more)`
  return [
    {
      name,
      status: 'warning',
      detail: `${detail}; ${first.file} cannot be used: ${first.problem}${rest}`,
      fix: 'mend the file, or delete the task: reverie tasks delete ID',
    },
  ]
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
