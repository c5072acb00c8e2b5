import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { reverie } from './reverie.fixture.ts'

function tasks(home = temporaryDirectory()) {
  const run = (...args: string[]) => reverie(['tasks', ...args], { home })
  const json = (...args: string[]) => {
    const ran = run(...args, '--json')
    return { ...ran, value: ran.stdout && JSON.parse(ran.stdout) }
  }
  const say = (line: string) => reverie(['--model', 'embedded', '-m', line], { home })
  return { home, run, json, say }
}

test('created, listed, claimed by one, completed: what can begin now is told', () => {
  const { json, run } = tasks()
  expect(json('create', '--subject', 'Write the parser', '--description', 'By hand')).toMatchObject({
    code: 0,
    value: { id: 1, subject: 'Write the parser', ready: true },
  })
  expect(json('create', '--subject', 'Test it', '--blocked-by', '1').value).toMatchObject({
    id: 2,
    ready: false,
  })
  const both = ['--blocked-by', '1', '--blocked-by', '2']
  expect(json('create', '--subject', 'Sell it', ...both).value.blockedBy).toEqual([1, 2])
  expect(json('list').value).toEqual([
    expect.objectContaining({
      id: 1,
      description: 'By hand',
      status: 'pending',
      owner: null,
      blocks: [2, 3],
      ready: true,
    }),
    expect.objectContaining({ id: 2, blockedBy: [1], ready: false }),
    expect.objectContaining({ id: 3 }),
  ])
  expect(json('claim', '2', '--owner', 'ann')).toMatchObject({ code: 1, value: { reason: 'blocked' } })
  expect(json('claim', '1', '--owner', 'ann')).toMatchObject({
    code: 0,
    value: { claimed: true, owner: 'ann' },
  })
  expect(json('claim', '1', '--owner', 'bob')).toMatchObject({
    code: 1,
    value: { reason: 'already_claimed' },
  })
  expect(json('complete', '1').value).toMatchObject({ id: 1, unblocked: [2] })
  expect(run('list', '--ready').stdout).toMatch(/Test it/)
  expect(json('complete', '7')).toMatchObject({ code: 1, value: { reason: 'not_found' } })
})

test('wrong usage is told with what would be right', () => {
  const { run } = tasks()
  expect(run('create')).toMatchObject({ code: 2, stderr: expect.stringMatching(/--subject/) })
  expect(run('create', '--subject', 'A', '--blocked-by', 'x').code).toBe(2)
  expect(run('create', '--subject', 'A', '--blocked-by', '4')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/no task 4/),
  })
  expect(run('list', '--list', '../x')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/cannot be the name/),
  })
  expect(run('list', '--status', 'done').code).toBe(2)
  expect(run('claim', 'abc')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/"abc" is not the number of a task/),
  })
})

test('in a conversation, with the built-in mind, as in the command', () => {
  const { say, json } = tasks()
  expect(say('/tasks').stdout).toMatch(/no tasks/)
  expect(say('/tasks create Write the "big" parser').stdout).toMatch(/Task 1: Write the big parser/)
  expect(say('/tasks create Test it --after 1').stdout).toMatch(/waits for 1/)
  expect(say('/tasks update 1 --owner ann').stdout).toMatch(/in progress · by ann/)
  expect(say('/tasks complete 1').stdout).toMatch(/Ready now: 2/)
  expect(say('/tasks update 2 --subject "Test it well"').stdout).toMatch(/Test it well/)
  expect(say('/tasks').stdout).toMatch(/ready/)
  expect(say('/tasks delete 2').stdout).toMatch(/deleted/)
  expect(json('list').value).toMatchObject([{ id: 1, status: 'completed', owner: 'ann' }])
  expect(say('/tasks dance').stderr).toMatch(/does not know "dance"/)
  expect(say('/tasks get').stderr).toMatch(/number of a task is missing/)
})

test('hooks hear of tasks, and a broken one is told without undoing anything', () => {
  const { home, run, json } = tasks()
  mkdirSync(home, { recursive: true })
  const hooks = [
    { on: 'task.completed', command: `cat > ${join(home, 'told.json')}` },
    { on: 'task.created', command: 'exit 3' },
  ]
  writeFileSync(join(home, 'config.json'), JSON.stringify({ hooks }))
  expect(run('create', '--subject', 'A')).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/hook failed/),
  })
  expect(json('complete', '1').code).toBe(0)
  expect(JSON.parse(readFileSync(join(home, 'told.json'), 'utf8'))).toMatchObject({
    event: 'task.completed',
    text: 'A',
    task: { id: 1, status: 'completed', list: 'default', unblocked: [] },
  })
})
