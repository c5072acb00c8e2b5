import { expect, test } from 'vitest'
import { homeAt } from '../config/index.ts'
import { ownIdentity } from '../store/index.ts'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { TaskList } from '../work/index.ts'
import { TaskHands } from './tasks.ts'
import type { Tool } from './tool.ts'

/** An agent's hands on a list that others may share. */
function agent(name: string, directory: string) {
  const problems: string[] = []
  const progress: string[] = []
  const hands = new TaskHands({
    home: homeAt(directory),
    project: { slug: 'p' },
    owner: () => ({ name, process: ownIdentity() }),
    onEvent: async () => problems,
  })
  const made = hands.tools()
  const run = async (tool: string, input: unknown) => {
    const { run, input: schema } = made.find(({ name }) => name === `task_${tool}`) as Tool
    const context = { call: 'c', signal: new AbortController().signal, ask: undefined }
    const { text } = await run(schema.parse(input), {
      ...context,
      progress: told => void progress.push(told),
    })
    return JSON.parse(text)
  }
  return { hands, run, problems, progress }
}

test('two agents share what is to be done; neither does what the other does', async () => {
  const directory = temporaryDirectory()
  const [ann, bob] = [agent('ann', directory), agent('bob', directory)]
  await ann.run('create', { subject: 'Build', description: 'All of it', metadata: { branch: 'main' } })
  expect(await ann.run('create', { subject: 'Test', blockedBy: [1] })).toMatchObject({ id: 2 })
  expect(await bob.run('list', {})).toEqual({
    tasks: [
      { id: 1, subject: 'Build', status: 'pending', owner: null, blockedBy: [], ready: true },
      { id: 2, subject: 'Test', status: 'pending', owner: null, blockedBy: [1], ready: false },
    ],
  })
  expect(await ann.run('claim', { id: 1 })).toMatchObject({ claimed: true, owner: 'ann' })
  expect(await bob.run('claim', { id: 1 })).toMatchObject({ claimed: false, reason: 'already_claimed' })
  expect(await bob.run('complete', { id: 1 })).toMatchObject({ completed: false, reason: 'already_claimed' })
  expect(await ann.run('complete', { id: 9 })).toMatchObject({ completed: false, reason: 'not_found' })
  expect(await ann.run('get', { id: 1 })).toMatchObject({ description: 'All of it', blocks: [2] })
  expect(JSON.stringify(await ann.run('get', { id: 1 }))).not.toContain('startTime')
  expect(await ann.run('complete', { id: 1 })).toEqual({ id: 1, status: 'completed', unblocked: [2] })
  expect(await bob.run('update', { id: 2, status: 'in_progress', subject: 'Test it' })).toMatchObject({
    subject: 'Test it',
    owner: 'bob',
  })
  expect(await bob.run('update', { id: 2, status: 'deleted' })).toEqual({ id: 2, deleted: true })
})

test('what an agent has not done is free when it goes, and only that', async () => {
  const directory = temporaryDirectory()
  const [ann, bob] = [agent('ann', directory), agent('bob', directory)]
  for (const subject of ['A', 'B', 'C']) await ann.run('create', { subject })
  await ann.run('claim', { id: 1 })
  await ann.run('complete', { id: 1 })
  await ann.run('claim', { id: 2 })
  await bob.run('claim', { id: 3 })
  await ann.hands.close()
  const { tasks } = await new TaskList(homeAt(directory), { slug: 'p' }).list()
  expect(tasks.map(({ status, owner }) => [status, owner])).toEqual([
    ['completed', 'ann'],
    ['pending', null],
    ['in_progress', 'bob'],
  ])
})

test('what went wrong around a task is shown', async () => {
  const { run, problems, progress } = agent('ann', temporaryDirectory())
  problems.push('A hook failed: exit 3')
  expect(await run('create', { subject: 'A' })).toMatchObject({ id: 1 })
  expect(progress).toEqual(['A hook failed: exit 3'])
})
