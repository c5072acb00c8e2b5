import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findProject, homeAt } from '../config/index.ts'
import { startFakeProvider } from '../models/wire.fixture.ts'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { type ListedJob, RunLedger, runFile, Schedule, TaskList } from '../work/index.ts'
import { reverieBeside } from './reverie.fixture.ts'

function world(config: object = {}) {
  const directory = temporaryDirectory()
  const home = homeAt(join(directory, 'home'))
  mkdirSync(home.path)
  writeFileSync(home.config, JSON.stringify(config))
  const root = join(directory, 'project')
  mkdirSync(root)
  const project = findProject(root)
  const cron = (...args: string[]) => reverieBeside(['cron', ...args], { home: home.path, cwd: root })
  const json = async (...args: string[]) => JSON.parse((await cron(...args, '--json')).stdout)
  return { home, project, cron, json, schedule: new Schedule(home, project) }
}

test('jobs are made, listed in their order, run now and removed', async () => {
  await using provider = await startFakeProvider({ text: 'The build is green.' })
  const { cron, json, home, project } = world({
    model: 'custom/model-x',
    providers: provider.settings('custom'),
    schedule: { timeZone: 'Asia/Tokyo' },
  })
  const made = await json('add', '--cron', '*/2 * * * *', '--prompt', 'Is the build green?')
  expect(made).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}$/),
    cron: '*/2 * * * *',
    prompt: 'Is the build green?',
    recurring: true,
    durable: true,
    nextAt: expect.stringMatching(/^\d{4}-.*Z$/),
    expiresAt: null,
    lastRunAt: null,
    madeBy: 'person',
    missed: false,
  })
  const added = await Promise.all([
    cron('add', '--in', '20 minutes', '--prompt', 'Tea'),
    cron('add', '--every', '3h', '--prompt', 'Look'),
  ])
  for (const { code, stdout, stderr } of added) {
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Job [0-9a-f]{8}: (once|every 3h), (next )?at [\d-]+ [\d:]+ \(Asia\/Tokyo\)\.$/m)
    expect(stderr).toMatch(/Nobody begins jobs here now.*reverie gateway/)
  }
  expect((await json('list')).map(({ prompt }: ListedJob) => prompt)).toEqual([
    'Is the build green?',
    'Tea',
    'Look',
  ])
  const shown = await cron('list')
  const tokyo = new Date(made.nextAt).toLocaleString('sv', { timeZone: 'Asia/Tokyo' })
  expect(shown.stdout).toContain(`${made.id}  ${tokyo}  */2 * * * *`)
  expect(shown.stderr).toMatch(/^Times are in Asia\/Tokyo\.$/m)
  const ran = await json('run', made.id.slice(0, 5))
  expect(ran).toMatchObject({ id: made.id, status: 'completed', text: 'The build is green.' })
  expect(new RunLedger(runFile(home, project)).runs()).toMatchObject([
    { id: ran.run, trigger: 'manual', source: made.id, status: 'completed', owner: { session: ran.session } },
  ])
  expect(await json('remove', made.id)).toEqual({ id: made.id, removed: true })
  expect(await json('list')).toHaveLength(2)
})

test('what cannot be a job is told, and nothing is changed', async () => {
  const { cron, schedule, home, project } = world()
  const { id } = await schedule.add({ every: '1h', prompt: 'Look', madeBy: 'person', durable: true })
  const before = readFileSync(schedule.path, 'utf8')
  const ledger = new RunLedger(runFile(home, project))
  await ledger.begin('schedule', id)
  const tried = await Promise.all([
    cron('add', '--cron', '61 * * * *', '--prompt', 'x'),
    cron('add', '--cron', '* * *', '--prompt', 'x'),
    cron('add', '--at', '2020-01-01T09:00', '--prompt', 'x'),
    cron('add', '--every', '1h', '--in', '2h', '--prompt', 'x'),
    cron('add', '--every', '1h'),
    cron('add', '--every', '1h', '--prompt', 'x', '--session'),
    cron('remove', 'nothing', '--json'),
    cron('run', id),
  ])
  expect(tried.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2, 2, 1, 1])
  for (const [at, said] of [
    /"61 \* \* \* \*" is not a schedule/,
    /has 3 fields\. Five fields are expected/,
    /is in the past/,
    /exactly one/,
    /--prompt/,
    /Nobody begins jobs here now/,
    /There is no job "nothing"/,
    /runs already \(process \d+\)/,
  ].entries())
    expect(tried[at]?.stderr).toMatch(said)
  expect(JSON.parse(tried[6]?.stdout ?? '')).toMatchObject({ error: expect.stringMatching(/no job/) })
  expect(readFileSync(schedule.path, 'utf8')).toBe(before)
  expect(existsSync(join(home.projects, project.slug, 'sessions'))).toBe(false)
})

test('doctor tells of jobs that nobody begins, and of tasks, jobs and heartbeats that cannot be used', async () => {
  const { home, project, schedule } = world()
  const checks = async () => {
    const { stdout } = await reverieBeside(['doctor', '--json'], { home: home.path, cwd: project.root })
    const { checks } = JSON.parse(stdout) as { checks: { name: string; status: string; detail: string }[] }
    return Object.fromEntries(
      checks
        .filter(({ name }) => ['tasks', 'jobs', 'heartbeat'].includes(name))
        .map(({ name, status, detail }) => [name, `${status}: ${detail}`]),
    )
  }
  expect(await checks()).toEqual({})
  await schedule.add({ every: '1h', prompt: 'Look', madeBy: 'person', durable: true })
  writeFileSync(join(home.path, 'HEARTBEAT.md'), '- every 5m: look\n')
  const tasks = new TaskList(home, project, { list: 'chores' })
  await tasks.create({ subject: 'Sweep' })
  expect(await checks()).toEqual({
    tasks: 'ok: 1 to be done',
    jobs: 'note: 1 job; nobody begins them now',
    heartbeat: 'note: 1 task of HEARTBEAT.md; no gateway runs',
  })
  writeFileSync(schedule.path, '{')
  writeFileSync(join(tasks.directory, '2.json'), '{')
  writeFileSync(join(home.path, 'HEARTBEAT.md'), '- every 5m: look\n- now and then: look\n- x\n')
  expect(await checks()).toEqual({
    tasks: expect.stringMatching(/^warning: 1 to be done; .*chores.2\.json cannot be used: it is not JSON/),
    jobs: expect.stringMatching(/^problem: none begins: .*is not JSON/),
    heartbeat: expect.stringMatching(/^warning: 1 task; HEARTBEAT.md: "now and then.*how often.*and 1 more/),
  })
})
