import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { processWith } from './scheduler.fixture.ts'

const BY_PERSON = { madeBy: 'person', durable: true } as const
const MINUTE = 60
const DAY = 24 * 60 * MINUTE

test('a recurring job runs in its slots, and each run is in the ledger', async () => {
  const { schedule, ran, pass, ledger } = processWith()
  const { id } = await schedule.add({ every: '2m', prompt: 'look', ...BY_PERSON })
  await pass(10 * MINUTE + 30)
  expect(ran.map(({ source, trigger, prompt }) => [source, trigger, prompt])).toEqual(
    Array.from({ length: 5 }, () => [id, 'schedule', 'look']),
  )
  expect(ledger.runs().map(({ source, status, error }) => [source, status, error])).toEqual(
    Array.from({ length: 5 }, () => [id, 'completed', null]),
  )
})

test('however many slots were missed, it runs once', async () => {
  const { schedule, ran, pass, clock } = processWith()
  await schedule.add({ cron: '*/5 * * * *', prompt: 'look', ...BY_PERSON })
  clock.now = new Date('2026-04-10T09:02:00Z')
  await pass(5)
  expect(ran).toHaveLength(1)
  await pass(2 * MINUTE + 55)
  expect(ran).toHaveLength(1)
  await pass(MINUTE)
  expect(ran).toHaveLength(2)
})

test('a one-shot runs once and is over; a missed one is offered, told once, and not run', async () => {
  const { schedule, ran, pass, clock, told } = processWith()
  await schedule.add({ in: '10 minutes', prompt: 'call', ...BY_PERSON })
  const { id } = await schedule.add({ in: '2 hours', prompt: 'leave', ...BY_PERSON })
  await pass(11 * MINUTE)
  expect(ran.map(({ prompt }) => prompt)).toEqual(['call'])
  clock.now = new Date('2026-04-08T15:00:00Z')
  await pass(10)
  expect(ran).toHaveLength(1)
  expect(schedule.list().jobs).toMatchObject([{ id, missed: true, nextAt: null }])
  expect(told).toEqual([expect.stringMatching(/leave\) was missed.*cron run/)])
})

test('a one-shot whose run fails, or dies with its process, is not lost: it is offered', async () => {
  const failing = processWith({ run: () => Promise.reject(new Error('no model')) })
  const { id } = await failing.schedule.add({ in: '1m', prompt: 'call', ...BY_PERSON })
  await failing.pass(2 * MINUTE)
  expect(failing.schedule.get(id).job).toMatchObject({ missed: true })
  expect(failing.ran).toHaveLength(1)
  expect(failing.told).toEqual([expect.stringMatching(/failed: no model Still wanted\?/)])

  await failing.schedule.update(id, ({ missed: _, ...job }) => ({ ...job, begun: true }))
  await failing.pass(2)
  expect(failing.schedule.get(id).job).toMatchObject({ missed: true })
  expect(failing.told[1]).toMatch(/was cut short/)
})

test('a one-shot that was interrupted by the end of the process is offered by the next one, once', async () => {
  const first = processWith({
    run: (_, signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
  })
  const { id } = await first.schedule.add({ in: '1m', prompt: 'call', ...BY_PERSON })
  first.clock.now = new Date('2026-04-08T12:01:05Z')
  await first.scheduler.tick()
  await expect.poll(() => first.ran.length).toBe(1)
  await first.scheduler.stop()
  expect(first.told).toEqual([])
  const { directory, clock } = first
  const next = processWith({ directory, clock })
  await next.pass(10)
  expect(next.ran).toEqual([])
  expect(next.told).toEqual([expect.stringMatching(/call\) was cut short\. Still wanted\?.*cron run/)])
  expect(next.schedule.get(id).job).toMatchObject({ missed: true })
})

test('what was missed and not told by a process that died is told by the next one', async () => {
  const { schedule, pass, told } = processWith()
  const { id } = await schedule.add({ in: '1h', prompt: 'call', ...BY_PERSON })
  await schedule.update(id, job => ({ ...job, missed: true, unoffered: true }))
  await pass(5)
  expect(told).toEqual([expect.stringMatching(/call\) was missed\. Still wanted\?/)])
  expect(schedule.get(id).job.unoffered).toBeUndefined()
})

test('a failing job stops no other, and is tried again in its next slot', async () => {
  const { schedule, ran, pass, ledger, told } = processWith({
    run: async ({ prompt }) => {
      if (prompt === 'bad') throw new Error('broken')
    },
  })
  await schedule.add({ every: '1m', prompt: 'bad', ...BY_PERSON })
  await schedule.add({ every: '1m', prompt: 'good', ...BY_PERSON })
  await pass(2 * MINUTE + 10)
  expect(ran.map(({ prompt }) => prompt).sort()).toEqual(['bad', 'bad', 'good', 'good'])
  expect(ledger.runs().filter(({ status, error }) => status === 'failed' && error === 'broken')).toHaveLength(
    2,
  )
  expect(told.filter(text => /failed: broken/.test(text))).toHaveLength(2)
})

test('a run that takes longer than its period: the ticks that find it are skipped, with a line', async () => {
  const finish = Promise.withResolvers<void>()
  const { schedule, ran, scheduler, clock, told, ledger } = processWith({ run: () => finish.promise })
  await schedule.add({ every: '1m', prompt: 'slow', ...BY_PERSON })
  for (let second = 0; second < 4 * MINUTE; second++) {
    clock.now = new Date(clock.now.getTime() + 1000)
    await scheduler.tick()
    if (second === 70) await expect.poll(() => ran.length).toBe(1)
  }
  expect(ran).toHaveLength(1)
  expect(told).toHaveLength(2)
  expect(told[0]).toMatch(/still running; this time it is skipped/)
  finish.resolve()
  await scheduler.settled()
  expect(ledger.runs().map(({ status }) => status)).toEqual(['completed'])
})

test('what an agent made says a day before that it ends, and ends', async () => {
  const { schedule, pass, told, clock } = processWith({ expireDays: 3 })
  await schedule.add({ every: '6h', prompt: 'look', madeBy: 'agent', durable: true })
  await schedule.add({ every: '6h', prompt: 'mine', ...BY_PERSON })
  await pass(2 * DAY - MINUTE, { step: MINUTE })
  expect(told).toEqual([])
  await pass(2 * MINUTE, { step: MINUTE })
  expect(told).toEqual([expect.stringMatching(/look\) ends on 2026-04-11 12:00:00 \(UTC\)/)])
  await pass(DAY, { step: MINUTE })
  expect(told).toHaveLength(2)
  expect(told[1]).toMatch(/has ended/)
  expect(schedule.list().jobs).toMatchObject([{ prompt: 'mine' }])
  expect(clock.now.toISOString()).toBe('2026-04-11T12:01:00.000Z')
})

test('where jobs end after a day, no one is told so a second after it was made', async () => {
  const { schedule, pass, told } = processWith({ expireDays: 1 })
  await schedule.add({ every: '6h', prompt: 'look', madeBy: 'agent', durable: true })
  await pass(5)
  expect(told).toEqual([])
  await pass(DAY, { step: MINUTE })
  expect(told).toEqual([expect.stringMatching(/has ended/)])
})

test('a clock that is set back stops nothing for longer than a period', async () => {
  const { schedule, ran, pass, clock } = processWith()
  await schedule.add({ every: '1m', prompt: 'look', ...BY_PERSON })
  await pass(3 * MINUTE)
  const before = ran.length
  clock.now = new Date('2026-04-01T00:00:00Z')
  await pass(2 * MINUTE + 10)
  expect(ran.length).toBe(before + 2)
})

test('heartbeats run beside jobs, and what is no longer in the file no longer runs', async () => {
  const { home, ran, pass, schedule, ledger } = processWith({ heartbeats: true })
  await schedule.add({ every: '1m', prompt: 'job', ...BY_PERSON })
  writeFileSync(join(home.path, 'HEARTBEAT.md'), '- every 30s: beat\n```\n- every 10s: example\n```\n')
  await pass(MINUTE + 20)
  const prompts = ran.map(({ trigger, prompt }) => `${trigger} ${prompt}`)
  expect(prompts.sort()).toEqual(['heartbeat beat', 'heartbeat beat', 'schedule job'])
  writeFileSync(join(home.path, 'HEARTBEAT.md'), '')
  await pass(MINUTE)
  expect(ledger.runs().filter(({ trigger }) => trigger === 'heartbeat')).toHaveLength(2)
})

test('a heartbeat at a time of day comes at that time, once a day', async () => {
  const { home, ran, pass, clock, ledger } = processWith({ heartbeats: true })
  writeFileSync(join(home.path, 'HEARTBEAT.md'), '- every day at 13:00: beat\n')
  await pass(59 * MINUTE, { step: MINUTE })
  expect(ran).toEqual([])
  await pass(17 * MINUTE, { step: MINUTE }) // up to 15 minutes late
  expect(ran.map(({ prompt }) => prompt)).toEqual(['beat'])
  clock.now = new Date('2026-04-09T12:59:00Z')
  await pass(5, { step: 1 })
  expect(ran).toHaveLength(1)
  await pass(17 * MINUTE, { step: MINUTE })
  expect(ledger.runs().map(({ trigger }) => trigger)).toEqual(['heartbeat', 'heartbeat'])
})

test('one process at a time begins the jobs of a project; another follows when it lets go', async () => {
  const one = processWith()
  const other = processWith({ directory: one.directory, clock: one.clock })
  await one.schedule.add({ every: '1m', prompt: 'look', ...BY_PERSON })
  await other.schedule.add({ every: '1m', prompt: 'own', madeBy: 'person', durable: false })
  const both = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      one.clock.now = new Date(one.clock.now.getTime() + 1000)
      await Promise.all([one.scheduler.tick(), other.scheduler.tick()])
      await Promise.all([one.scheduler.settled(), other.scheduler.settled()])
    }
  }
  await both(3 * MINUTE + 10)
  const [first, second] = one.scheduler.isOwner ? [one, other] : [other, one]
  expect(second.scheduler.isOwner).toBe(false)
  const looks = () => [first, second].map(({ ran }) => ran.filter(({ prompt }) => prompt === 'look').length)
  expect(looks()).toEqual([3, 0])
  expect(other.ran.filter(({ prompt }) => prompt === 'own')).toHaveLength(3)
  await first.scheduler.stop()
  await second.pass(MINUTE + 10)
  expect(looks()).toEqual([3, 1])
})

test('another takes over within seconds when the owner is killed, and what it ran counts as failed', async () => {
  const { directory, schedule, scheduler, ledger, clock, told, ran } = processWith()
  const { id } = await schedule.add({ every: '1s', prompt: 'look', ...BY_PERSON })
  const script = fileURLToPath(new URL('scheduler-child.fixture.ts', import.meta.url))
  const child = spawn(process.execPath, [script, directory], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data') // a run of its has begun, and never ends
  clock.now = new Date(Date.now())
  for (let tick = 0; tick < 6; tick++) await scheduler.tick()
  expect(scheduler.isOwner).toBe(false)
  expect(ledger.runs()).toMatchObject([{ source: id, status: 'running' }])
  child.kill('SIGKILL')
  await once(child, 'exit')
  for (let tick = 0; tick < 6; tick++) {
    clock.now = new Date(clock.now.getTime() + 1000)
    await scheduler.tick()
    await scheduler.settled()
  }
  expect(scheduler.isOwner).toBe(true)
  expect(ledger.runs()[0]).toMatchObject({ status: 'failed', error: expect.stringMatching(/^recovered/) })
  expect(told[0]).toMatch(/left by a process that has ended/)
  expect(ran.length).toBeGreaterThan(0)
})

test('stopping interrupts what runs, says so in the ledger, and begins nothing any more', async () => {
  const { schedule, scheduler, clock, ran, ledger, pass } = processWith({
    run: (_, signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
  })
  await schedule.add({ every: '1m', prompt: 'look', ...BY_PERSON })
  clock.now = new Date('2026-04-08T12:02:00Z')
  await scheduler.tick()
  await expect.poll(() => ran.length).toBe(1)
  await scheduler.stop()
  expect(ledger.runs()).toMatchObject([{ status: 'cancelled', error: 'the scheduler was stopped' }])
  await pass(2 * MINUTE)
  expect(ran).toHaveLength(1)
})

test('a look begins five runs and no more; the others follow with the next', async () => {
  const { schedule, scheduler, clock, ran } = processWith()
  for (let at = 0; at < 12; at++) await schedule.add({ every: '1m', prompt: `${at}`, ...BY_PERSON })
  clock.now = new Date('2026-04-08T13:00:30Z')
  for (const count of [5, 10, 12]) {
    await scheduler.tick()
    await scheduler.settled()
    expect(ran).toHaveLength(count)
  }
})

test('where more is due than may run, everybody gets a turn, whatever comes first in the file', async () => {
  const { schedule, scheduler, clock, ran } = processWith({
    run: () => new Promise(resolve => setTimeout(resolve)),
  })
  for (let at = 0; at < 15; at++) await schedule.add({ every: '1s', prompt: `${at}`, ...BY_PERSON })
  for (let look = 0; look < 9; look++) {
    clock.now = new Date(clock.now.getTime() + 10_000)
    await scheduler.tick()
    await scheduler.settled()
  }
  const times = Map.groupBy(ran, ({ prompt }) => prompt)
  expect([...times.values()].map(each => each.length)).toEqual(Array.from({ length: 15 }, () => 3))
})

test('a one-shot that was done by a process that died before it could say so is over, and not offered', async () => {
  const { schedule, pass, ledger, told, ran } = processWith()
  const { id } = await schedule.add({ in: '1h', prompt: 'call', ...BY_PERSON })
  const begun = await ledger.begin('schedule', id)
  await schedule.update(id, job => ({ ...job, begun: true }))
  await ledger.end('run' in begun ? begun.run.id : '', { status: 'completed' })
  await pass(5)
  expect(schedule.list().jobs).toEqual([])
  expect([told, ran]).toEqual([[], []])
})

test('jobs that cannot be read stop neither heartbeats nor those of the session', async () => {
  const { home, schedule, pass, told, ran } = processWith({ heartbeats: true })
  await schedule.add({ every: '30s', prompt: 'file', ...BY_PERSON })
  await schedule.add({ every: '30s', prompt: 'session', madeBy: 'person', durable: false })
  writeFileSync(join(home.path, 'HEARTBEAT.md'), '- every 30s: beat\n')
  writeFileSync(schedule.path, '{')
  await pass(40)
  expect(ran.map(({ prompt }) => prompt).sort()).toEqual(['beat', 'session'])
  expect(told).toEqual([
    expect.stringMatching(
      /^Jobs of the project could not be looked at: .*not JSON\. Mend it, or move it away\.$/,
    ),
  ])
})

test.each([
  ['an interval without end', { everyMs: Number.MAX_SAFE_INTEGER }, {}],
  ['a time after all times', { everyMs: 60_000 }, { lastRunAt: '+275760-09-12T23:59:59.000Z' }],
])('%s, written by hand, is no job, and does not run every second', async (_, when, more) => {
  const { schedule, pass, ran } = processWith()
  await schedule.add({ every: '1m', prompt: 'look', ...BY_PERSON })
  const content = JSON.parse(readFileSync(schedule.path, 'utf8'))
  content.jobs = [{ ...content.jobs[0], when, ...more }]
  writeFileSync(schedule.path, JSON.stringify(content))
  expect(schedule.list()).toMatchObject({ jobs: [], problems: [/1 entries are no jobs/] })
  await pass(10)
  expect(ran).toEqual([])
})

test('a file that cannot be read is told once, and stops nothing for good', async () => {
  const { schedule, pass, told, ran } = processWith()
  await schedule.add({ every: '1m', prompt: 'look', ...BY_PERSON })
  const text = readFileSync(schedule.path, 'utf8')
  writeFileSync(schedule.path, '{')
  await pass(MINUTE)
  expect(told).toEqual([expect.stringMatching(/cannot be used: it is not JSON/)])
  writeFileSync(schedule.path, text)
  await pass(30)
  expect(ran).toHaveLength(1)
})

test('where nothing can be written down no job is tried every second, and it goes on when it can', async () => {
  const { schedule, ledger, pass, told, ran } = processWith()
  await schedule.add({ every: '1m', prompt: 'look', ...BY_PERSON })
  const inTheWay = join(schedule.locks, 'runs')
  writeFileSync(inTheWay, '') // nothing of a run can be written down
  await pass(5 * MINUTE)
  expect(ran).toEqual([])
  expect(told.length).toBeGreaterThan(1)
  expect(told.length).toBeLessThan(10)
  rmSync(inTheWay)
  await pass(2 * MINUTE)
  expect(ran.length).toBeGreaterThan(0)
  expect(ledger.runs().at(-1)).toMatchObject({ status: 'completed' })
})

test('of a file that somebody filled by hand the first fifty jobs count, and none is endless', async () => {
  const { schedule, pass, ran } = processWith()
  await schedule.add({ every: '1m', prompt: 'look', ...BY_PERSON })
  const content = JSON.parse(readFileSync(schedule.path, 'utf8'))
  const [job] = content.jobs
  const copy = (at: number, prompt: string) => ({ ...job, id: `copy-${at}`, prompt })
  content.jobs = [copy(-1, 'x'.repeat(5_000)), ...Array.from({ length: 2_000 }, (_, at) => copy(at, 'many'))]
  writeFileSync(schedule.path, JSON.stringify(content))
  expect(schedule.list().problems).toEqual([
    expect.stringMatching(/1 entries are no jobs/),
    expect.stringMatching(/2000 jobs; only the first 50/),
  ])
  expect(schedule.jobs({ durable: true })).toHaveLength(50)
  await pass(MINUTE / 2)
  expect(ran).toEqual([])
  expect(JSON.parse(readFileSync(schedule.path, 'utf8')).jobs).toHaveLength(2_001)
})
