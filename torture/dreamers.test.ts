import { readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { DreamerProcess, dreamPlace, startTogether } from './dreamers/together.ts'

async function place() {
  const made = await dreamPlace()
  onTestFinished(() => rmSync(made.directory, { recursive: true, force: true }))
  using memory = await made.open()
  const [directory, state] = [memory.place('project'), memory.state('project')]
  const fact = () => readFileSync(join(directory, 'project_fact.md'), 'utf8')
  return { ...made, state, fact }
}

test('two that are told to dream while a third is in mid-dream hear that the lock is held', async () => {
  const { directory, fact } = await place()
  const third = new DreamerProcess(directory, 'wait')
  await third.inside
  const others = [new DreamerProcess(directory, 'go'), new DreamerProcess(directory, 'go')]
  for (const { outcome } of others) expect(await outcome).toEqual({ status: 'skipped', gate: 'lock' })
  third.goOn()
  expect(await third.outcome).toEqual({ status: 'done' })
  expect(fact()).toContain(`Dreamt by ${third.child.pid}`)
})

test('of many that start at once never two are inside', async () => {
  const { directory } = await place()
  const { outcomes, most } = await startTogether(directory, 8)
  expect(most).toBe(1)
  expect(outcomes.filter(({ failed }) => failed)).toEqual([])
  expect(outcomes.some(({ status }) => status === 'done')).toBe(true)
})

test('one that slept through its own staleness wakes up and applies nothing', async () => {
  const { directory, state, fact } = await place()
  const sleeper = new DreamerProcess(directory, 'wait')
  await sleeper.inside
  sleeper.child.kill('SIGSTOP')
  const claims = join(state, 'dream-lock')
  const longAgo = new Date(Date.now() - 2 * 60 * 60 * 1000)
  for (const name of readdirSync(claims)) utimesSync(join(claims, name), longAgo, longAgo)
  const second = new DreamerProcess(directory, 'go')
  expect(await second.outcome).toEqual({ status: 'done' })
  const after = fact()
  sleeper.child.kill('SIGCONT')
  sleeper.goOn()
  expect((await sleeper.outcome).failed).toMatch(/taken over|lost/i)
  expect(fact()).toBe(after)
  expect(after).toContain(`Dreamt by ${second.child.pid}`)
})
