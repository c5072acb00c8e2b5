import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Config, DEFAULTS, findProject, homeAt } from '../../config/index.ts'
import { acquireLock } from '../../store/index.ts'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { NewsBox, RunLedger, runFile, Schedule } from '../../work/index.ts'
import { schedulesPart } from './schedules.ts'

const FAR_OFF = { timeout: 30_000 }
const HOUR = 60 * 60 * 1_000
/** Nobody's machine is in this zone, and no clock jumps there. */
const FAR_EAST = 'Etc/GMT-14'

/** Two projects below one home; the first is that of the gateway. */
async function world() {
  const root = temporaryDirectory()
  const home = homeAt(join(root, 'home'))
  const [own, other] = ['own', 'other'].map(name => {
    mkdirSync(join(root, name))
    return findProject(join(root, name))
  })
  if (!own || !other) throw new Error('no project')
  const lines: string[] = []
  let configOf: (slug: string) => Config = () => ({ ...DEFAULTS, model: 'embedded' })
  const begin = async () => {
    const running = await schedulesPart({ withMemory: false, lookEveryMs: 20 }).start({
      home,
      project: own,
      env: {},
      configOf: async ({ slug }) => configOf(slug),
      log: line => lines.push(line),
      note: () => {},
      signal: new AbortController().signal,
    })
    const end = () => running[Symbol.asyncDispose]()
    onTestFinished(end)
    return end
  }
  const jobsOf = (project: typeof own) => ({
    schedule: new Schedule(home, project),
    ledger: new RunLedger(runFile(home, project)),
  })
  const settings = (next: typeof configOf) => {
    configOf = next
  }
  return { home, own, other, lines, begin, jobsOf, settings }
}

test('times are those of the zone that is set, also when it is set while the gateway runs', async () => {
  const { own, begin, jobsOf, settings } = await world()
  const { schedule, ledger } = jobsOf(own)
  const anHourAgoThere = new Date(Date.now() + 13 * HOUR)
  const [hour, minute] = [anHourAgoThere.getUTCHours(), anHourAgoThere.getUTCMinutes()]
  const cron = `${minute} ${hour} * * *`
  const { id } = await schedule.add({ cron, prompt: 'look', madeBy: 'person', durable: true })
  const createdAt = new Date(Date.now() - 2 * HOUR).toISOString()
  await schedule.update(id, job => ({ ...job, createdAt }))
  await begin()
  await expect.poll(() => schedule.scheduler(), FAR_OFF).toBeDefined() // it has looked
  expect(ledger.runs()).toEqual([])
  settings(() => ({
    ...DEFAULTS,
    model: 'embedded',
    schedule: { ...DEFAULTS.schedule, timeZone: FAR_EAST },
  }))
  await expect.poll(() => ledger.runs().map(({ status }) => status), FAR_OFF).toEqual(['completed'])
})

test('a project whose settings or jobs cannot be read is told once, and stops no other', async () => {
  const { home, own, other, lines, begin, jobsOf, settings } = await world()
  const job = { every: '1s', prompt: 'look', madeBy: 'person', durable: true } as const
  await jobsOf(own).schedule.add(job)
  await jobsOf(other).schedule.add(job)
  const broken = join(home.projects, 'broken-1')
  mkdirSync(join(broken, 'scheduled_tasks.json'), { recursive: true })
  const unreadable = join(home.projects, 'unreadable-1')
  mkdirSync(unreadable)
  writeFileSync(join(unreadable, 'scheduled_tasks.json'), '{')
  chmodSync(join(unreadable, 'scheduled_tasks.json'), 0)
  settings(slug => {
    if (slug === other.slug) throw new Error('its settings are broken')
    return { ...DEFAULTS, model: 'embedded' }
  })
  await begin()
  await expect
    .poll(() => jobsOf(own).ledger.newest(jobsOf(own).schedule.list().jobs[0]?.id ?? '')?.status, FAR_OFF)
    .toBe('completed')
  const told = (slug: string) => lines.filter(line => line.startsWith(`Jobs of ${slug} are not begun`))
  expect(told(other.slug)).toEqual([expect.stringContaining('its settings are broken')])
  expect(told('broken-1')).toHaveLength(1)
  expect(told('unreadable-1')).toHaveLength(1)
  expect(jobsOf(other).ledger.runs()).toEqual([])
  settings(() => ({ ...DEFAULTS, model: 'embedded' }))
  await expect.poll(() => jobsOf(other).ledger.runs().length, FAR_OFF).toBeGreaterThan(0)
})

test('what a job came to just before the gateway ends is not lost', async () => {
  const { home, own, lines, begin, jobsOf } = await world()
  await jobsOf(own).schedule.add({ every: '1s', prompt: 'look', madeBy: 'person', durable: true })
  const lock = await acquireLock(join(home.projects, own.slug, 'locks', 'news'))
  const end = await begin()
  await expect.poll(() => lines.filter(line => line.includes('is done')).length, FAR_OFF).toBeGreaterThan(0)
  const ended = end()
  await expect.poll(() => jobsOf(own).schedule.scheduler(), FAR_OFF).toBeUndefined() // all else has ended
  await lock.release()
  await ended
  expect(await new NewsBox(home, own).take()).toMatchObject([{ kind: 'result' }])
})
