import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DEFAULTS, findProject, homeAt } from '../../src/config/index.ts'
import { Sessions } from '../../src/session/index.ts'
import { gatewayStatus, runGateway, schedulesPart } from '../../src/surfaces/gateway/index.ts'
import { RunLedger, runFile, Schedule } from '../../src/work/index.ts'
import { assertRule, type Scenario } from './scenario.ts'

function placeIn(directory: string) {
  const root = join(directory, 'project')
  mkdirSync(root, { recursive: true })
  const home = homeAt(join(directory, 'home'))
  const project = findProject(root)
  return {
    home,
    project,
    schedule: new Schedule(home, project, { timeZone: 'UTC' }),
    ledger: new RunLedger(runFile(home, project)),
    sessions: new Sessions(home, project),
  }
}

/** A gateway that begins jobs: whenever it dies, no job is lost, none runs twice at a time, and it starts again. */
export const scenario: Scenario = {
  name: 'gateway',
  longestLifeMs: 3_000,

  async child(directory, acknowledge) {
    const { home, project, schedule } = placeIn(directory)
    const by = { madeBy: 'person', durable: true } as const
    if (schedule.list().jobs.length === 0)
      acknowledge(`recurring ${(await schedule.add({ ...by, every: '1s', prompt: 'What is new?' })).id}`)
    acknowledge(`once ${(await schedule.add({ ...by, in: '1s', prompt: 'What is due?' })).id}`)
    await runGateway({
      home,
      project,
      env: {},
      configOf: async () => ({ ...DEFAULTS, model: 'embedded' }),
      parts: [schedulesPart()],
      signal: new AbortController().signal,
      write: line => {
        const [, session] = /is done, session (\S+)/.exec(line) ?? []
        if (session !== undefined) acknowledge(`answered ${session}`)
      },
    })
  },

  async check(directory, acknowledged) {
    const { home, schedule, ledger, sessions } = placeIn(directory)
    assertRule(!(await gatewayStatus(home)).running, 'nobody takes a dead gateway for one that runs')
    const { jobs, problems } = schedule.list()
    assertRule(problems.length === 0, `every job can be read: ${problems.join(' ')}`)
    const runs = ledger.runs()
    for (const record of acknowledged) {
      const [what, id = ''] = record.split(' ')
      const isThere = jobs.some(job => job.id === id)
      const isDone = runs.some(({ source, status }) => source === id && status === 'completed')
      if (what === 'recurring') assertRule(isThere, `the recurring job ${id} is there`)
      if (what === 'once') assertRule(isThere || isDone, `the job ${id} is there, or was done`)
    }
    const ids = new Set(await sessions.ids())
    const answered = acknowledged.filter(record => record.startsWith('answered')).map(r => r.slice(9))
    for (const session of answered.filter(id => ids.has(id)))
      assertRule((await sessions.load(session)).messages.length >= 2, `${session} has question and answer`)
    const last = answered.at(-1)
    if (last !== undefined) assertRule(ids.has(last), `the session that answered last is kept: ${last}`)
    const live = runs.filter(({ status }) => status === 'queued' || status === 'running')
    assertRule(new Set(live.map(({ source }) => source)).size === live.length, 'one run of a job lives')
    assertRule((await ledger.recover()).length === live.length, 'what the dead gateway ran is recovered')
  },
}
