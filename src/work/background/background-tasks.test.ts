import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { BackgroundTasks } from './background-tasks.ts'
import type { RunningTask, WorkEnd } from './live-task.ts'
import { TaskRecords } from './records.ts'
import type { TaskEnd } from './task.ts'

/** Never reached by a test that passes: a condition is waited for, not a time. */
const FAR_OFF = { timeout: 30_000 }

function bench(options: { most?: { agent?: number } } = {}) {
  const directory = join(temporaryDirectory(), 'background')
  const tasks = new BackgroundTasks({ directory, session: 's1', ...options })
  onTestFinished(() => tasks.close())
  const ends: TaskEnd[] = []
  tasks.onEnd(end => ends.push(end))
  return { directory, tasks, ends, records: new TaskRecords(directory) }
}

/** Work that ends when it is told, or stopped. */
function held() {
  const { promise, resolve, reject } = Promise.withResolvers<WorkEnd>()
  const begun = Promise.withResolvers<RunningTask>()
  const run = (task: RunningTask) => {
    begun.resolve(task)
    task.signal.addEventListener('abort', () => resolve({ summary: 'stopped' }))
    return promise
  }
  return { run, resolve, reject, begun: begun.promise }
}

test('from its start to its end: listed, followed, recorded, told once', async () => {
  const { tasks, ends, records } = bench()
  const { run, begun, resolve } = held()
  const live = tasks.start({ kind: 'dream', title: 'tidies up', run })
  const { done } = live
  const { id } = live.task
  await live.recorded
  expect(await records.list()).toMatchObject([
    { id, status: 'running', kind: 'dream', session: 's1', title: 'tidies up' },
  ])
  const task = await begun
  task.output('merging\n')
  task.progress('2 of 5')
  expect(tasks.list()).toMatchObject([{ id, status: 'running', progress: '2 of 5' }])
  await expect.poll(async () => (await tasks.read(id)).text, FAR_OFF).toBe('merging\n')
  resolve({ summary: 'Two memories were merged.', report: 'All of it.' })
  const end = await done
  expect(end).toMatchObject({
    id,
    status: 'completed',
    summary: 'Two memories were merged.',
    report: 'All of it.',
  })
  expect(ends).toEqual([end])
  expect(await tasks.stop(id)).toMatchObject({ status: 'completed' })
  await tasks.close()
  expect(ends).toHaveLength(1)
  expect(records.read(id)).toMatchObject({ status: 'completed', summary: 'Two memories were merged.' })
})

test('what throws has failed; what is awaited in front is no news', async () => {
  const { tasks, ends } = bench()
  const run = async () => {
    throw new Error('no room')
  }
  const { done } = tasks.start({ kind: 'agent', title: 'counts', awaited: true, run })
  expect(await done).toMatchObject({ status: 'failed', summary: '"counts" failed: no room' })
  expect(ends).toEqual([])
})

test('that it was stopped is final before it has cleaned up, and what it says afterwards changes nothing', async () => {
  const { tasks, ends, records } = bench()
  const cleaning = Promise.withResolvers<WorkEnd>()
  const begun = Promise.withResolvers<RunningTask>()
  const run = (task: RunningTask) => {
    begun.resolve(task)
    return cleaning.promise
  }
  const { id } = tasks.start({ kind: 'agent', title: 'counts', run }).task
  const { signal } = await begun.promise
  let stopped = false
  const stopping = tasks.stop(id).then(() => {
    stopped = true
  })
  expect(signal.aborted).toBe(true)
  expect(tasks.list()).toMatchObject([{ status: 'cancelled' }])
  expect(ends).toMatchObject([{ id, status: 'cancelled' }])
  expect(stopped).toBe(false)
  cleaning.resolve({ summary: 'done after all' })
  await stopping
  expect(ends).toHaveLength(1)
  await expect.poll(() => records.read(id)?.status, FAR_OFF).toBe('cancelled')
})

test('work that ended and cleans up is done at once, and waited for when all ends', async () => {
  const { tasks } = bench()
  const cleaned = Promise.withResolvers<void>()
  let isClean = false
  const { done } = tasks.start({
    kind: 'command',
    title: 'leaves much',
    async run(task) {
      task.ended({ status: 'failed', summary: 'it failed', exitCode: 3 })
      await cleaned.promise
      isClean = true
      return { summary: 'not this' }
    },
  })
  expect(await done).toMatchObject({ status: 'failed', exitCode: 3, summary: 'it failed' })
  const closing = tasks.close()
  cleaned.resolve()
  await closing
  expect(isClean).toBe(true)
})

test('more of a kind than may run wait, in order; one that is stopped while it waits never runs', async () => {
  const { tasks, ends } = bench({ most: { agent: 1 } })
  const [first, third] = [held(), held()]
  let ran = false
  const start = (title: string, run: (task: RunningTask) => Promise<WorkEnd>) =>
    tasks.start({ kind: 'agent', title, run })
  const { done } = start('first', first.run)
  const second = start('second', async () => {
    ran = true
    return { summary: 'ran' }
  })
  const last = start('third', third.run)
  expect(tasks.list().map(({ status }) => status)).toEqual(['running', 'queued', 'queued'])
  expect(await tasks.stop(second.task.id)).toMatchObject({ status: 'cancelled' })
  first.resolve({ summary: 'done' })
  await done
  await third.begun
  third.resolve({ summary: 'done' })
  await last.done
  expect(ran).toBe(false)
  expect(ends.map(({ title, status }) => `${title} ${status}`)).toEqual([
    'second cancelled',
    'first completed',
    'third completed',
  ])
})

test('a conversation sees what earlier processes ran for it, and nothing of others', async () => {
  const { directory, tasks, records } = bench()
  const ids = await Promise.all(
    ['s1', 's2'].map(async session => {
      await using others = new BackgroundTasks({ directory, session })
      const { task, done } = others.start({
        kind: 'dream',
        title: session,
        run: async () => ({ summary: '' }),
      })
      await done
      return task.id
    }),
  )
  expect(await records.list()).toHaveLength(2)
  expect(tasks.list()).toEqual([])
  expect(await tasks.all()).toMatchObject([{ id: ids[0], title: 's1', status: 'completed' }])
  await expect(tasks.stop(ids[1] as string)).rejects.toThrow(`There are: ${ids[0]}.`)
})

test('no news is told to nobody, and what was stopped may say more than that', async () => {
  const { tasks, ends } = bench()
  const quiet = tasks.start({
    kind: 'dream',
    title: 'q',
    run: async () => ({ summary: 'nothing', isNews: false }),
  })
  expect(await quiet.done).toMatchObject({ summary: 'nothing' })
  const { run, begun } = held()
  const stopped = () => ({ summary: 'stopped at 3', exitCode: null })
  const { task } = tasks.start({ kind: 'command', title: 'c', run, stopped })
  await begun
  await tasks.stop(task.id)
  expect(ends).toMatchObject([{ id: task.id, status: 'cancelled', summary: 'stopped at 3', exitCode: null }])
})

test('a question is told once, and is over when the task is', async () => {
  const { tasks } = bench()
  const asked: string[] = []
  tasks.onQuestion(({ question }) => asked.push(question))
  const { run, begun, resolve } = held()
  const {
    done,
    task: { id },
  } = tasks.start({ kind: 'command', title: 'asks', run })
  const task = await begun
  for (let times = 0; times < 2; times++) task.waitsFor({ question: 'Overwrite?', advice: 'use -y' })
  expect(tasks.list()).toMatchObject([{ id, waitingFor: 'Overwrite?' }])
  resolve({ summary: 'done' })
  await done
  expect(asked).toEqual(['Overwrite?'])
  expect(tasks.list()[0]?.waitingFor).toBeUndefined()
})

test('where no record can be written, the work is done all the same, and the list says so', async () => {
  const { tasks, directory, ends } = bench()
  writeFileSync(directory, 'a file, where the directory should be') // nobody can write there, root neither
  for (const outputFile of ['/dev/null', undefined]) {
    const how = outputFile === undefined ? {} : { outputFile }
    await tasks.start({ kind: 'agent', title: 'x', ...how, run: async () => ({ summary: 'done' }) }).done
  }
  expect(ends).toMatchObject([{ status: 'completed' }, { status: 'completed' }])
  await expect
    .poll(() => tasks.list().map(({ problem }) => problem), FAR_OFF)
    .toEqual([expect.stringMatching(/could not be written/), expect.stringMatching(/could not be written/)])
})

/** Starts a task, says its id, and does what it is told. */
const CHILD = `
import { BackgroundTasks } from '${import.meta.resolve('./index.ts')}'
const [, directory, how] = process.argv
const tasks = new BackgroundTasks({ directory, session: 's1' })
const { task: { id }, recorded } = tasks.start({
  kind: 'dream', title: 'runs on',
  run: task => new Promise(resolve => task.signal.addEventListener('abort', () => resolve({ summary: '' }))),
})
await recorded
console.log(id)
if (how === 'stays') setInterval(() => {}, 1000)
if (how === 'exits') process.exit(0)
`

async function child(directory: string) {
  const process_ = spawn(process.execPath, ['--input-type=module', '-e', CHILD, directory, 'stays'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void process_.kill('SIGKILL'))
  const [id] = (await once(createInterface(process_.stdout), 'line')) as [string]
  return { id, process: process_ }
}

test('after kill -9 the next start marks what was left, once, and what lives stays', async () => {
  const { directory, tasks, records } = bench()
  const [dead, alive] = await Promise.all([child(directory), child(directory)])
  dead.process.kill('SIGKILL')
  await once(dead.process, 'exit')
  expect(records.read(dead.id)).toMatchObject({ status: 'failed' })
  await records.recover(new Date()) // somebody who has nothing to do with it marks it first
  expect(await tasks.recover()).toMatchObject([{ id: dead.id, status: 'failed', session: 's1' }])
  expect(await tasks.recover()).toEqual([])
  expect(records.read(dead.id)).toMatchObject({
    status: 'failed',
    summary: `"runs on" was lost: process ${dead.process.pid}, which ran it, ended before it did.`,
  })
  expect(records.read(alive.id)).toMatchObject({ status: 'running' })
  // The conversation that had started it sees what became of it.
  expect((await tasks.all()).map(({ id, status }) => `${id} ${status}`).sort()).toEqual(
    [`${dead.id} failed`, `${alive.id} running`].sort(),
  )
})

test('another process asks for the end of a task, and waits until it has ended', async () => {
  const { directory, records } = bench()
  const { id, process: owner } = await child(directory)
  expect(await records.stopElsewhere(id.slice(0, 8))).toMatchObject({ id, status: 'cancelled' })
  expect(await records.stopElsewhere(id)).toMatchObject({ status: 'cancelled' })
  expect(owner.exitCode).toBeNull()
  await expect.poll(() => readdirSync(directory).filter(name => name.endsWith('.stop')), FAR_OFF).toEqual([])
  await expect(records.stopElsewhere('dr_')).resolves.toMatchObject({ id })
  await expect(records.stopElsewhere('../x')).rejects.toThrow(/There is no background task/)
})

test.each(['exits', 'ends'])(
  'nothing keeps the process alive, and a task that it leaves is cancelled (%s)',
  how => {
    const { directory } = bench()
    const args = ['--input-type=module', '-e', CHILD, directory, how]
    const ran = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 30_000 })
    expect(ran).toMatchObject({ status: 0, stderr: '' })
    const id = ran.stdout.trim()
    expect(JSON.parse(readFileSync(join(directory, `${id}.json`), 'utf8'))).toMatchObject({
      status: 'cancelled',
      untold: true,
    })
  },
)

test('the newest 200 that ended are kept, those that run all, and strange files are left alone', async () => {
  const { directory, tasks, records } = bench()
  const { run } = held()
  const live = tasks.start({ kind: 'dream', title: 'old', run })
  const { id } = live.task
  await live.recorded
  const [old] = await records.list()
  for (let at = 0; at < 205; at++) {
    const ended = {
      ...old,
      id: `sh_${String(at).padStart(8, '0')}`,
      status: 'completed',
      createdAt: new Date(2027, 0, 1, 0, at).toISOString(),
    }
    writeFileSync(join(directory, `${ended.id}.json`), JSON.stringify(ended))
  }
  writeFileSync(join(directory, 'sh_00000000.txt'), 'output')
  writeFileSync(join(directory, 'sh_00000001.stop'), '')
  writeFileSync(join(directory, 'sh_ffffffff.json'), 'torn{')
  writeFileSync(join(directory, 'notes.md'), 'mine')
  await tasks.recover()
  const left = await records.list()
  expect(left).toHaveLength(201)
  expect(left.some(task => task.id === id)).toBe(true)
  expect(['sh_00000000.txt', 'sh_00000001.stop'].some(name => existsSync(join(directory, name)))).toBe(false)
  expect(existsSync(join(directory, 'notes.md'))).toBe(true)
})
