import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findProject, homeAt } from '../config/index.ts'
import { type FakeProvider, startFakeProvider } from '../models/wire.fixture.ts'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { NewsBox, RunLedger, runFile, Schedule } from '../work/index.ts'
import { BIN, reverieBeside } from './reverie.fixture.ts'

const FAR_OFF = { timeout: 60_000 }

/** A home with a model on the wire, and a project with a job that is due every second. */
async function world(provider: FakeProvider) {
  const directory = temporaryDirectory()
  const home = homeAt(join(directory, 'home'))
  mkdirSync(home.path)
  const config = { model: 'custom/model-x', providers: provider.settings('custom') }
  writeFileSync(home.config, JSON.stringify(config))
  const root = join(directory, 'project')
  mkdirSync(root)
  const project = findProject(root)
  const schedule = new Schedule(home, project)
  const { id } = await schedule.add({ every: '1s', prompt: 'look', madeBy: 'person', durable: true })
  const ledger = new RunLedger(runFile(home, project))
  return { directory, home, project, id, ledger, schedule }
}

/** As a person would start it, in a directory that has nothing to do with the jobs. */
function gateway(home: string, cwd: string): ChildProcess & { said: () => string } {
  const env = { PATH: process.env.PATH, HOME: join(home, 'nobody'), REVERIE_HOME: home }
  const child = spawn(BIN, ['gateway'], { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let text = ''
  child.stderr?.setEncoding('utf8').on('data', part => {
    text += part
  })
  return Object.assign(child, { said: () => text })
}

const stall = { fault: { stall: 'request' as const } }

test('killed in the middle of a run and started again: the run counts as recovered, and the next one starts', async () => {
  await using provider = await startFakeProvider(stall)
  provider.always({ text: 'All is quiet.' })
  const { home, project, id, ledger, directory } = await world(provider)
  const first = gateway(home.path, directory)
  await expect.poll(() => provider.requests.length, FAR_OFF).toBe(1)
  expect(ledger.runs()).toMatchObject([{ source: id, status: 'running', owner: { pid: first.pid } }])
  first.kill('SIGKILL')
  await once(first, 'exit')

  const second = gateway(home.path, directory)
  await expect.poll(() => ledger.runs().at(1)?.status, FAR_OFF).toBe('completed')
  expect(ledger.runs()[0]).toMatchObject({ status: 'failed', error: expect.stringMatching(/^recovered/) })
  expect(second.said()).toMatch(/was left by a process that has ended/)
  const [news] = await new NewsBox(home, project).take()
  expect(news).toMatchObject({ source: id, kind: 'result', text: 'All is quiet.' })

  const refused = await reverieBeside(['gateway'], { home: home.path, cwd: directory })
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/A gateway runs here already/) })
  const status = await reverieBeside(['gateway', 'status', '--json'], { home: home.path, cwd: directory })
  expect(status.code).toBe(0)
  expect(JSON.parse(status.stdout)).toMatchObject({
    running: true,
    pid: second.pid,
    parts: [
      { name: 'schedules', status: 'running', note: expect.stringContaining(project.slug) },
      { name: 'dreams', status: 'running', note: expect.stringMatching(/dream\.cron/) },
      { name: 'programs', status: 'running', note: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+ /) },
      { name: 'page', status: 'running', note: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) },
    ],
  })
  const { note: page } = JSON.parse(status.stdout).parts.at(-1)
  expect((await fetch(`${page}/api/memory`)).status).toBe(401)
  expect(second.said()).not.toContain('token=')
  const stopped = await reverieBeside(['gateway', 'stop', '--json'], { home: home.path, cwd: directory })
  expect(JSON.parse(stopped.stdout)).toEqual({ stopped: true, pid: second.pid })
  const after = await reverieBeside(['gateway', 'status'], { home: home.path, cwd: directory })
  expect(after).toMatchObject({ code: 1, stdout: expect.stringMatching(/No gateway runs here/) })
})

test('SIGTERM in the middle of a run: within 5 seconds all is written down, with exit code 0', async () => {
  await using provider = await startFakeProvider(stall)
  const { home, ledger, directory } = await world(provider)
  const child = gateway(home.path, directory)
  await expect.poll(() => provider.requests.length, FAR_OFF).toBe(1)
  const asked = performance.now()
  child.kill('SIGTERM')
  const [code] = (await once(child, 'exit')) as [number]
  expect(code).toBe(0)
  expect(performance.now() - asked).toBeLessThan(5_000)
  expect(ledger.runs()).toMatchObject([{ status: 'cancelled', error: 'the scheduler was stopped' }])
  expect(readFileSync(join(home.path, 'logs', 'gateway.log'), 'utf8')).toMatch(/gateway: has ended\n$/)
})
