import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ownIdentity, withLock } from '../../store/index.ts'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { BadTask, MalformedTask, NoSuchTask, TaskCycle, TaskRefused, TasksBusy } from './errors.ts'
import type { TaskEvent } from './events.ts'
import { endedProcess, listAt } from './tasks.fixture.ts'

const ann = { name: 'ann' }

/** Every file of a list with its content. */
function contents(directory: string): Record<string, string> {
  const names = readdirSync(directory).sort()
  return Object.fromEntries(names.map(name => [name, readFileSync(join(directory, name), 'utf8')]))
}

async function chain(directory = temporaryDirectory()) {
  const list = listAt(directory)
  await list.create({ subject: 'Design' })
  await list.create({ subject: 'Build', blockedBy: [1] })
  await list.create({ subject: 'Test', blockedBy: [2] })
  return { list, directory }
}

test('a task is a private JSON file, and dependencies stand in both', async () => {
  const { list } = await chain()
  expect(JSON.parse(readFileSync(join(list.directory, '2.json'), 'utf8'))).toEqual({
    id: 2,
    subject: 'Build',
    description: '',
    activeForm: '',
    owner: null,
    status: 'pending',
    blocks: [3],
    blockedBy: [1],
    metadata: {},
  })
  expect(readdirSync(list.directory)).toEqual(['.highwatermark', '1.json', '2.json', '3.json'])
  const { tasks, problems } = await list.list()
  expect(tasks.map(({ id, ready, blocks }) => [id, ready, blocks])).toEqual([
    [1, true, [2]],
    [2, false, [3]],
    [3, false, []],
  ])
  expect(problems).toEqual([])
})

test('claimed, completed, unblocked; told once each, after the fact', async () => {
  const directory = temporaryDirectory()
  const told: TaskEvent[] = []
  const list = listAt(directory, { onEvent: event => void told.push(event) })
  await list.create({ subject: 'Design' })
  await list.create({ subject: 'Build', blockedBy: [1] })
  expect(await list.claim(2, ann)).toMatchObject({ claimed: false, reason: 'blocked' })
  expect(await list.claim(1, ann)).toMatchObject({ claimed: true })
  expect(await list.claim(1, { name: 'bob' })).toMatchObject({ reason: 'already_claimed' })
  expect(await list.claim(9, ann)).toMatchObject({ reason: 'not_found' })
  await expect(list.complete(1, { name: 'bob' })).rejects.toThrow(TaskRefused)
  expect(await list.complete(1, ann)).toMatchObject({ unblocked: [2], task: { owner: 'ann' } })
  expect(await list.claim(1, ann)).toMatchObject({ reason: 'already_resolved' })
  await expect(list.complete(1)).rejects.toMatchObject({ reason: 'already_resolved' })
  expect(told.map(({ name, task }) => `${name} ${task.id}`)).toEqual([
    'task.created 1',
    'task.created 2',
    'task.claimed 1',
    'task.completed 1',
  ])
  expect(told.at(-1)?.unblocked).toEqual([2])
})

test('whoever says that they do what another is doing is told so, in an update too', async () => {
  const list = listAt(temporaryDirectory())
  await list.create({ subject: 'One' })
  await list.claim(1, ann)
  await expect(list.update(1, { status: 'in_progress' }, { name: 'bob' })).rejects.toMatchObject({
    reason: 'already_claimed',
  })
  expect((await list.update(1, { status: 'in_progress' }, ann)).task.owner).toBe('ann')
})

test('what is to wait for itself, or for what is not there, is told as missing', async () => {
  const { list } = await chain()
  await expect(list.create({ subject: 'Four', blockedBy: [4] })).rejects.toThrow(NoSuchTask)
  expect((await list.list()).tasks).toHaveLength(3)
})

test('one at a time, when asked for', async () => {
  const list = listAt(temporaryDirectory())
  await list.create({ subject: 'One' })
  await list.create({ subject: 'Two' })
  await list.claim(1, ann, { oneAtATime: true })
  expect(await list.claim(2, ann, { oneAtATime: true })).toMatchObject({ reason: 'busy' })
  expect(await list.claim(2, ann)).toMatchObject({ claimed: true })
})

test('a dead process loses its tasks, a named owner does not', async () => {
  const directory = temporaryDirectory()
  const told: string[] = []
  const list = listAt(directory, { onEvent: ({ name, task }) => void told.push(`${name} ${task.id}`) })
  for (const subject of ['Of the dead', 'Of the living', 'Of Ann', 'Done by the dead'])
    await list.create({ subject })
  const dead = { name: 'agent 1', process: await endedProcess(ownIdentity()) }
  await list.claim(1, dead)
  await list.claim(2, { name: 'agent 2', process: ownIdentity() })
  await list.claim(3, ann)
  await list.claim(4, dead)
  await list.complete(4)
  told.splice(0)
  const { tasks } = await list.list()
  expect(tasks.map(({ status, owner, ready }) => [status, owner, ready])).toEqual([
    ['pending', null, true],
    ['in_progress', 'agent 2', false],
    ['in_progress', 'ann', false],
    ['completed', null, false],
  ])
  expect(told).toEqual(['task.released 1'])
  expect(JSON.parse(readFileSync(join(list.directory, '1.json'), 'utf8'))).not.toHaveProperty('process')
  expect(await list.claim(1, ann)).toMatchObject({ claimed: true })
})

test('a task that a process held can be claimed at once, without a look at the list before', async () => {
  const list = listAt(temporaryDirectory())
  await list.create({ subject: 'Of the dead' })
  await list.claim(1, { name: 'agent 1', process: await endedProcess(ownIdentity()) })
  expect(await list.claim(1, ann)).toMatchObject({ claimed: true, task: { owner: 'ann' } })
})

test('released by its owner, or by a person who does not say who', async () => {
  const { list } = await chain()
  await list.claim(1, ann)
  await expect(list.release(1, { name: 'bob' })).rejects.toMatchObject({ reason: 'already_claimed' })
  expect(await list.release(1)).toMatchObject({ status: 'pending', owner: null })
  await list.claim(1, ann)
  expect(await list.releaseAll('ann')).toEqual([1])
})

test('a circle is refused, named, and changes nothing', async () => {
  const { list } = await chain()
  const before = contents(list.directory)
  await expect(list.update(1, { addBlockedBy: [3] })).rejects.toThrow(TaskCycle)
  await expect(list.update(1, { addBlockedBy: [3], subject: 'Other' })).rejects.toThrow('1 → 3 → 2 → 1')
  await expect(list.update(3, { addBlocks: [1] })).rejects.toThrow('1 → 3 → 2 → 1')
  await expect(list.update(1, { addBlocks: [1] })).rejects.toThrow('1 → 1')
  expect(contents(list.directory)).toEqual(before)
})

test('deleting removes every mention, and the number does not come back', async () => {
  const { list } = await chain()
  await list.delete(2)
  expect((await list.get(1)).blocks).toEqual([])
  expect((await list.get(3)).blockedBy).toEqual([])
  await list.delete(3)
  expect(readFileSync(join(list.directory, '.highwatermark'), 'utf8')).toBe('3\n')
  expect((await list.create({ subject: 'Next' })).id).toBe(4)
  await expect(list.delete(3)).rejects.toThrow(NoSuchTask)
})

test('the number of a file that was taken away by hand does not come back, and a lost mark is made again', async () => {
  const { list } = await chain()
  rmSync(join(list.directory, '3.json'))
  expect((await list.create({ subject: 'Next' })).id).toBe(4)
  const mark = join(list.directory, '.highwatermark')
  rmSync(mark)
  await list.claim(1, ann)
  expect(readFileSync(mark, 'utf8')).toBe('4\n')
})

test('an update changes what it names, in both directions, and its status obeys the same rules', async () => {
  const { list } = await chain()
  await list.update(1, { metadata: { branch: 'main', tries: 1 } })
  const { task } = await list.update(1, { subject: ' New\nname ', metadata: { tries: null, note: 'x' } })
  expect(task).toMatchObject({ subject: 'New name', metadata: { branch: 'main', note: 'x' } })
  expect(task.metadata).not.toHaveProperty('tries')
  await list.update(3, { removeBlockedBy: [2], addBlockedBy: [1] })
  expect((await list.get(1)).blocks).toEqual([2, 3])
  expect((await list.get(2)).blocks).toEqual([])
  await expect(list.update(2, { status: 'in_progress' }, ann)).rejects.toMatchObject({ reason: 'blocked' })
  await expect(list.update(1, { status: 'in_progress' })).rejects.toThrow(BadTask)
  expect((await list.update(1, { status: 'in_progress' }, ann)).task.owner).toBe('ann')
  expect(await list.update(1, { status: 'completed' })).toMatchObject({ unblocked: [2, 3] })
  expect(await list.update(1, { status: 'completed' })).toMatchObject({ unblocked: [] })
  expect((await list.update(1, { status: 'pending' })).task.status).toBe('pending')
  expect((await list.get(2)).ready).toBe(false)
})

test.each<[what: string, run: (list: ReturnType<typeof listAt>) => Promise<unknown>]>([
  ['no subject', list => list.create({ subject: ' ' })],
  ['a subject of a page', list => list.create({ subject: 'x'.repeat(400) })],
  ['a blocker that is not there', list => list.create({ subject: 'x', blockedBy: [1, 77] })],
  ['giant metadata', list => list.create({ subject: 'x', metadata: { a: 'x'.repeat(30_000) } })],
  ['an owner without a name', list => list.claim(1, { name: '' })],
  ['an unknown task', list => list.update(77, { subject: 'x' })],
  ['an unknown task to complete', list => list.complete(77)],
  ['an unknown dependency', list => list.update(1, { addBlocks: [77] })],
])('%s: an error with a sentence, and nothing changes', async (_, run) => {
  const { list } = await chain()
  const before = contents(list.directory)
  await expect(run(list)).rejects.toThrow(/\w+ .*\./)
  expect(contents(list.directory)).toEqual(before)
})

test.each(['../x', '.hidden', '', 'a/b', 'con'])('%j is no name of a list', name => {
  expect(() => listAt('/nowhere', { list: name })).toThrow(BadTask)
})

test('files that cannot be read are reported, still block, and stop nothing else', async () => {
  const { list } = await chain()
  writeFileSync(join(list.directory, '2.json'), '{"id": 2, "subject"')
  mkdirSync(join(list.directory, '7.json'))
  writeFileSync(join(list.directory, '8.json'), '{"id":9,"subject":"x","status":"pending"}')
  writeFileSync(join(list.directory, 'notes.txt'), 'mine')
  writeFileSync(join(list.directory, '.highwatermark'), 'many')
  const { tasks, problems } = await list.list()
  expect(tasks.map(({ id, ready }) => [id, ready])).toEqual([
    [1, true],
    [3, false],
  ])
  expect(problems.map(({ file, problem }) => [file.slice(list.directory.length + 1), problem])).toEqual([
    ['.highwatermark', expect.stringMatching(/number/)],
    ['2.json', 'it is not JSON'],
    ['7.json', expect.stringMatching(/plain file/)],
    ['8.json', expect.stringMatching(/says that it is task 9/)],
  ])
  await expect(list.get(2)).rejects.toThrow(MalformedTask)
  expect(await list.claim(3, ann)).toMatchObject({ reason: 'blocked' })
  expect((await list.create({ subject: 'Next' })).id).toBe(9)
  await list.delete(2)
  expect(await list.claim(3, ann)).toMatchObject({ claimed: true })
})

test('a circle that somebody wrote into the files by hand is told; a long one by its ends', async () => {
  const { list } = await chain()
  const first = JSON.parse(readFileSync(join(list.directory, '1.json'), 'utf8'))
  writeFileSync(join(list.directory, '1.json'), JSON.stringify({ ...first, blockedBy: [3] }))
  expect((await list.list()).problems).toEqual([
    { file: join(list.directory, '1.json'), problem: 'it waits for itself: 1 → 3 → 2 → 1' },
  ])
  await list.update(1, { removeBlockedBy: [3] })
  expect((await list.list()).problems).toEqual([])
  for (let id = 4; id <= 40; id++) await list.create({ subject: 'Next', blockedBy: [id - 1] })
  await expect(list.update(1, { addBlockedBy: [40] })).rejects.toThrow(
    'wait for each other: 1 → 40 → 39 → 38 → 37 → 36 → 29 more → 6 → 5 → 4 → 3 → 2 → 1.',
  )
})

test('what a file says besides stays, and what it leaves out is empty', async () => {
  const { list } = await chain()
  writeFileSync(
    join(list.directory, '1.json'),
    '{"id":1,"subject":"By hand","status":"pending","colour":"red"}',
  )
  await list.update(1, { description: 'More' })
  expect(JSON.parse(readFileSync(join(list.directory, '1.json'), 'utf8'))).toMatchObject({
    colour: 'red',
    description: 'More',
    owner: null,
  })
})

test('what was begun when a process was killed is finished by the next', async () => {
  const { list, directory } = await chain()
  const after = structuredClone(await list.get(1))
  const { ready: _, ...task } = { ...after, blocks: [] }
  writeFileSync(
    join(list.directory, '.unfinished'),
    JSON.stringify([
      [2, 'removed'],
      [1, task],
    ]),
  )
  writeFileSync(join(list.directory, '.reverie-0123456789abcdef.tmp'), 'half')
  expect((await listAt(directory).create({ subject: 'Next' })).id).toBe(4)
  expect(readdirSync(list.directory)).toEqual(['.highwatermark', '1.json', '3.json', '4.json'])
  expect((await list.get(1)).blocks).toEqual([])
  writeFileSync(join(list.directory, '.unfinished'), 'not ours')
  await list.claim(1, ann)
  expect(readdirSync(list.directory)).toEqual(['.highwatermark', '1.json', '3.json', '4.json'])
})

test('a change is finished however large it is', async () => {
  const { list } = await chain()
  const tasks = [1, 2, 3].map(id => JSON.parse(readFileSync(join(list.directory, `${id}.json`), 'utf8')))
  const description = 'x'.repeat(500_000)
  writeFileSync(
    join(list.directory, '.unfinished'),
    JSON.stringify(tasks.map(task => [task.id, { ...task, description }])),
  )
  const { tasks: found } = await list.list()
  expect(found.map(task => task.description.length)).toEqual([500_000, 500_000, 500_000])
})

test('where nothing can be written, what a dead process had is shown as free all the same', async () => {
  const here = ownIdentity()
  const { list, directory } = await chain()
  await list.claim(1, { name: 'agent', process: await endedProcess(here) })
  const locks = join(list.directory, '..', '..', 'locks')
  rmSync(locks, { recursive: true })
  writeFileSync(locks, '')
  expect((await listAt(directory).list()).tasks[0]).toMatchObject({ owner: null, status: 'pending' })
  expect(await listAt(directory).get(1)).toMatchObject({ ready: true })
})

test('whoever only looks sees no half of a change either', async () => {
  const { list } = await chain()
  await list.get(1)
  writeFileSync(join(list.directory, '.unfinished'), JSON.stringify([[1, 'removed']]))
  expect((await list.list()).tasks.map(({ id }) => id)).toEqual([2, 3])
  expect(readdirSync(list.directory)).not.toContain('.unfinished')
})

test('others are waited for, not for ever, and told who holds it', async () => {
  const { list, directory } = await chain()
  const hasty = listAt(directory, { waitMs: 20 })
  await withLock(join(directory, 'projects', 'p', 'locks', 'tasks-default'), async () => {
    await expect(hasty.claim(1, ann)).rejects.toThrow(TasksBusy)
    expect((await hasty.list()).tasks).toHaveLength(3)
  })
  expect(await hasty.claim(1, ann)).toMatchObject({ claimed: true })
  rmSync(list.directory, { recursive: true })
  expect(await list.list()).toEqual({ tasks: [], problems: [] })
})

test('changes of one process that wait in line do not ask for the lock in vain', async () => {
  const directory = temporaryDirectory()
  let line: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(change: () => Promise<T>): Promise<T> => {
    const done = line.then(change)
    line = done
    return done
  }
  const lists = Array.from({ length: 10 }, () => listAt(directory, { waitMs: 0, inTurn }))
  const made = await Promise.all(lists.map(list => list.create({ subject: 'One of many' })))
  expect(made.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
})
