import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { homeAt, projectSlug } from '../config/index.ts'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { BackgroundTasks, backgroundDirectory, type RunningTask, type WorkEnd } from '../work/index.ts'
import { reverieBeside } from './reverie.fixture.ts'

/** Never reached by a test that passes: a condition is waited for, not a time. */
const FAR_OFF = { timeout: 30_000 }

/** This process runs things in the background, and the command is another one. */
function beside() {
  const home = temporaryDirectory()
  const directory = backgroundDirectory(homeAt(home), { slug: projectSlug(home) })
  const tasks = new BackgroundTasks({ directory, session: 's1' })
  onTestFinished(() => tasks.close())
  const start = (title: string) => {
    const begun = Promise.withResolvers<RunningTask>()
    const end = Promise.withResolvers<WorkEnd>()
    const live = tasks.start({
      kind: 'agent',
      title,
      run(task) {
        task.signal.addEventListener('abort', () => end.resolve({ summary: '' }))
        begun.resolve(task)
        return end.promise
      },
    })
    return { live, begun: begun.promise, end: end.resolve }
  }
  const run = (...args: string[]) => reverieBeside(['bg', ...args], { home })
  const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout)
  return { directory, start, run, json }
}

test('another process sees what runs, follows what it prints until the end, and ends it', async () => {
  const { start, run, json } = beside()
  const one = start('counts\u001b[2J the files')
  const task = await one.begun
  task.output('first\n\u001b[31mred\u001b[0m\n')
  task.progress('half way')
  await one.live.recorded
  expect(await json('list')).toMatchObject([{ id: task.id, kind: 'agent', status: 'running', session: 's1' }])
  const listed = (await run('list', '--running')).stdout
  expect(listed).toContain(`${task.id}  running`)
  expect(listed).not.toContain('\u001b')
  await expect.poll(async () => (await json('show', task.id)).output.text, FAR_OFF).toContain('first\n')
  const following = run('show', task.id.slice(0, 6), '--follow')
  task.output('last\n')
  one.end({ summary: 'All counted.' })
  expect(await following).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^first\nred\nlast\n.* completed: .*\nAll counted\./),
  })
  const two = start('runs on')
  const { id, signal } = await two.begun
  await two.live.recorded
  expect(await run('stop', id)).toMatchObject({ code: 0, stdout: `${id} was stopped.\n` })
  expect(signal.aborted).toBe(true)
  expect((await run('stop', id)).stdout).toBe(`${id} had ended before: cancelled.\n`)
})

test('what is not there, and what a dead process left, is told', async () => {
  const { directory, start, run, json } = beside()
  expect((await run('list')).stdout).toBe('Nothing has run in the background.\n')
  expect(await run('show', 'sh_none')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/There is no background task "sh_none"/),
  })
  expect(await run('stop')).toMatchObject({ code: 2 })
  const { live } = start('x')
  await live.recorded
  const record = { ...live.task, id: 'sh_0badcafe', owner: { ...live.task.owner, pid: 2 ** 22 + 1 } }
  writeFileSync(join(directory, 'sh_0badcafe.json'), JSON.stringify(record))
  expect(await json('show', 'sh_0bad')).toMatchObject({
    status: 'failed',
    summary: expect.stringMatching(/was lost/),
    output: { text: '', size: 0 },
  })
})
