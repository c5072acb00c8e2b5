import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { homeAt } from '../../config/index.ts'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { MalformedSchedule, NoSuchJob, TooManyJobs } from './errors.ts'
import { Schedule } from './schedule.ts'

const NOW = new Date('2026-04-08T12:00:00Z')

function open(directory = temporaryDirectory(), options: { expireDays?: number } = {}) {
  return new Schedule(homeAt(directory), { slug: 'p' }, { timeZone: 'UTC', now: () => NOW, ...options })
}

const BY_PERSON = { madeBy: 'person', durable: true } as const

test('what was added is there for every process, and private', async () => {
  const directory = temporaryDirectory()
  const schedule = open(directory)
  const job = await schedule.add({ every: '10m', prompt: 'look', ...BY_PERSON })
  expect(job).toMatchObject({ cron: 'every 10m', recurring: true, durable: true, expiresAt: null })
  expect(job.nextAt).toMatch(/^2026-04-08T12:10/)
  const once = await schedule.add({ at: '2026-04-08T13:07:00Z', prompt: 'call', ...BY_PERSON })
  expect(once).toMatchObject({ recurring: false, nextAt: '2026-04-08T13:07:00.000Z' })
  expect(open(directory).list()).toEqual({ jobs: [job, once], problems: [] })
  expect(statSync(schedule.path).mode & 0o777).toBe(0o600)
  await open(directory).remove(job.id)
  expect(schedule.list().jobs).toEqual([once])
})

test('what is for the session only is nowhere but in its process', async () => {
  const directory = temporaryDirectory()
  const schedule = open(directory)
  const job = await schedule.add({ every: '10m', prompt: 'look', madeBy: 'agent', durable: false })
  expect(schedule.list().jobs).toEqual([job])
  expect(job.durable).toBe(false)
  expect(existsSync(schedule.path)).toBe(false)
  expect(open(directory).list().jobs).toEqual([])
  await schedule.remove(job.id)
  expect(schedule.list().jobs).toEqual([])
})

test('recurring jobs that an agent made end after 7 days, or what was set; one-shots and those of a person do not', async () => {
  const make = { prompt: 'look', madeBy: 'agent', durable: true } as const
  expect((await open().add({ every: '1h', ...make })).expiresAt).toBe('2026-04-15T12:00:00.000Z')
  expect((await open(undefined, { expireDays: 30 }).add({ every: '1h', ...make })).expiresAt).toBe(
    '2026-05-08T12:00:00.000Z',
  )
  expect((await open().add({ in: '1h', ...make })).expiresAt).toBe(null)
})

test('what an agent makes is refused where it would end before it starts; one that will not start again says so', async () => {
  const make = { prompt: 'look', madeBy: 'agent', durable: true } as const
  const schedule = open()
  for (const when of [{ cron: '0 9 1 * *' }, { every: '8 days' }])
    await expect(schedule.add({ ...when, ...make })).rejects.toThrow(
      /ends on 2026-04-15 12:00:00 \(UTC\), and this would start on 2026-\S+ .*"at".*reverie cron add/,
    )
  expect(existsSync(schedule.path)).toBe(false)
  await schedule.add({ cron: '0 9 1 * *', ...make, madeBy: 'person' })
  const { id } = await schedule.add({ every: '5 days', ...make })
  expect(schedule.list().jobs.find(job => job.id === id)).toMatchObject({
    nextAt: expect.stringMatching(/^2026-04-13/),
  })
  await schedule.update(id, job => ({ ...job, lastRunAt: '2026-04-13T12:10:00.000Z' }))
  expect(schedule.list().jobs.find(job => job.id === id)).toMatchObject({ nextAt: null })
})

test.each([
  ['a bad line', { cron: '99 * * * *', prompt: 'x' }],
  ['the past', { at: '2020-01-01T00:00:00Z', prompt: 'x' }],
  ['no prompt', { every: '1h', prompt: '  ' }],
  ['a prompt without end', { every: '1h', prompt: 'x'.repeat(4_001) }],
])('%s is refused, and nothing changes', async (_, draft) => {
  const schedule = open()
  await expect(schedule.add({ ...draft, ...BY_PERSON })).rejects.toThrow()
  expect(existsSync(schedule.path)).toBe(false)
})

test('the 51st is refused, those of the session counted', async () => {
  const schedule = open()
  for (let at = 0; at < 48; at++) await schedule.add({ every: '1h', prompt: `${at}`, ...BY_PERSON })
  for (let at = 0; at < 2; at++)
    await schedule.add({ every: '1h', prompt: `${at}`, madeBy: 'person', durable: false })
  const before = readFileSync(schedule.path, 'utf8')
  for (const durable of [true, false])
    await expect(schedule.add({ every: '1h', prompt: 'x', madeBy: 'person', durable })).rejects.toThrow(
      TooManyJobs,
    )
  expect(readFileSync(schedule.path, 'utf8')).toBe(before)
  expect(schedule.list().jobs).toHaveLength(50)
})

test('of many processes that add at once, none loses a job and 50 are the most', async () => {
  const directory = temporaryDirectory()
  const adding = Array.from({ length: 53 }, (_, at) =>
    open(directory).add({ every: '1h', prompt: `${at}`, ...BY_PERSON }),
  )
  const results = await Promise.allSettled(adding)
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(3)
  expect(open(directory).list().jobs).toHaveLength(50)
})

test('an unknown id is told, and nothing changes', async () => {
  const schedule = open()
  await schedule.add({ every: '1h', prompt: 'x', ...BY_PERSON })
  const before = readFileSync(schedule.path, 'utf8')
  await expect(schedule.remove('nope')).rejects.toThrow(NoSuchJob)
  expect(() => schedule.get('nope')).toThrow(/no job "nope"/)
  expect(readFileSync(schedule.path, 'utf8')).toBe(before)
})

test.each([['{'], ['[]'], ['{"version": 2, "jobs": []}'], ['{"version": 1, "jobs": 7}']])(
  'a file that says %s is refused and left as it is',
  async text => {
    const schedule = open()
    await schedule.add({ every: '1h', prompt: 'x', ...BY_PERSON })
    writeFileSync(schedule.path, text)
    expect(() => schedule.list()).toThrow(MalformedSchedule)
    await expect(schedule.add({ every: '1h', prompt: 'x', ...BY_PERSON })).rejects.toThrow(MalformedSchedule)
    expect(readFileSync(schedule.path, 'utf8')).toBe(text)
  },
)

test('entries that are no jobs are told and kept, and so are fields of a later version', async () => {
  const schedule = open()
  const { id } = await schedule.add({ every: '1h', prompt: 'x', ...BY_PERSON })
  const file = JSON.parse(readFileSync(schedule.path, 'utf8'))
  file.jobs[0].colour = 'blue'
  file.jobs.push({ id: 'y', when: { cron: '99 * * * *' } }, 7)
  writeFileSync(schedule.path, JSON.stringify(file))
  expect(schedule.list()).toMatchObject({ jobs: [{ id }], problems: [/2 entries are no jobs/] })
  await schedule.update(id, job => ({ ...job, warned: true }))
  expect(JSON.parse(readFileSync(schedule.path, 'utf8')).jobs).toEqual([
    { ...file.jobs[0], warned: true },
    ...file.jobs.slice(1),
  ])
})
