import { chmodSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fileAgent } from './agent.fixture.ts'
import { Snapshots } from './snapshots.ts'

async function changed() {
  const agent = fileAgent()
  agent.put('edited', 'one\n')
  chmodSync(agent.at('edited'), 0o750)
  agent.put('deleted', 'gone\n')
  agent.put('moved', 'm\n')
  for (const path of ['edited', 'deleted', 'moved']) await agent.text('read_file', { path })
  agent.state.message = 'm1'
  await agent.text('edit_file', { path: 'edited', old: 'one', new: 'two' })
  await agent.text('edit_file', { path: 'edited', old: 'two', new: 'three' })
  agent.state.message = 'm2'
  await agent.text('write_file', { path: 'dir/created', content: 'new\n' })
  await agent.text('edit_file', { path: 'edited', old: 'three', new: 'four' })
  const patch =
    '*** Begin Patch\n*** Delete File: deleted\n*** Update File: moved\n*** Move to: there\n@@\n-m\n+M\n*** End Patch'
  await agent.text('apply_patch', { patch })
  return agent
}

test('rewinds to what files were when a message came, also after a restart', async () => {
  const agent = await changed()
  const again = new Snapshots(agent.snapshots.directory)
  expect((await again.list()).map(({ message, paths }) => [message, paths.length])).toEqual([
    ['m1', 1],
    ['m2', 5],
  ])
  const second = await again.rewind('m2')
  expect(second).toEqual({
    restored: [agent.at('edited'), agent.at('moved'), agent.at('deleted')].sort(
      (a, b) => second.restored.indexOf(a) - second.restored.indexOf(b),
    ),
    removed: [agent.at('dir/created'), agent.at('there')],
    skipped: [],
  })
  expect([agent.get('edited'), agent.get('deleted'), agent.get('moved')]).toEqual([
    'three\n',
    'gone\n',
    'm\n',
  ])
  expect(existsSync(agent.at('dir/created'))).toBe(false)
  expect((await again.list()).map(({ message }) => message)).toEqual(['m1'])
  expect(await again.rewind('m1')).toEqual({ restored: [agent.at('edited')], removed: [], skipped: [] })
  expect(agent.get('edited')).toBe('one\n')
  expect(statSync(agent.at('edited')).mode & 0o777).toBe(0o750)
  await expect(agent.text('edit_file', { path: 'edited', old: 'one', new: 'x' })).rejects.toThrow(
    'Read it again',
  )
})

test('an earlier message takes back all later ones; one that changed nothing is found by those after it', async () => {
  const agent = await changed()
  expect(await agent.snapshots.rewind('m0')).toEqual({ restored: [], removed: [], skipped: [] })
  await agent.snapshots.rewind('m0', ['m1', 'm2'])
  expect([agent.get('edited'), agent.get('deleted'), agent.get('moved')]).toEqual(['one\n', 'gone\n', 'm\n'])
})

test('what somebody else changed since stays, and is told', async () => {
  const agent = await changed()
  agent.put('edited', 'theirs\n')
  agent.put('deleted', 'back again\n')
  rmSync(agent.at('dir/created'))
  const done = await agent.snapshots.rewind('m1')
  expect(done.skipped).toEqual(
    ['edited', 'deleted'].map(path => ({ path: agent.at(path), reason: 'somebody else changed it since' })),
  )
  expect([agent.get('edited'), agent.get('deleted'), agent.get('moved')]).toEqual([
    'theirs\n',
    'back again\n',
    'm\n',
  ])
})

test('what somebody else changed in between stays, too', async () => {
  const agent = fileAgent()
  agent.put('a', '1\n')
  await agent.text('read_file', { path: 'a' })
  await agent.text('edit_file', { path: 'a', old: '1', new: '2' })
  agent.put('a', '2\ntheirs\n')
  await agent.text('read_file', { path: 'a' })
  await agent.text('edit_file', { path: 'a', old: '2', new: '3' })
  expect((await agent.snapshots.rewind('m1')).skipped).toEqual([
    { path: agent.at('a'), reason: 'somebody else changed it since' },
  ])
})

test('a change that was announced and never made is nobody else’s', async () => {
  const agent = fileAgent()
  agent.put('a', '1\n')
  await agent.snapshots.before(agent.at('a'), 'm1', 'hash of what never came')
  expect(await agent.snapshots.rewind('m1')).toEqual({ restored: [agent.at('a')], removed: [], skipped: [] })
})

test('large files are not kept, and it is said', async () => {
  const agent = fileAgent()
  agent.put('big', `start\n${'x'.repeat(11 * 1024 * 1024)}\n`)
  await agent.text('read_file', { path: 'big' })
  expect(await agent.text('edit_file', { path: 'big', old: 'start', new: 'begin' })).toContain('is not kept')
  expect((await agent.snapshots.rewind('m1')).skipped).toEqual([
    { path: agent.at('big'), reason: 'it had 11 MB, too much to be kept' },
  ])
})

test('only the newest 100 messages are kept, and no content that none of them needs', async () => {
  const agent = fileAgent()
  for (let at = 0; at < 125; at++) {
    agent.state.message = `m${at}`
    await agent.text('write_file', { path: 'a', content: `${at}\n` })
  }
  const points = await agent.snapshots.list()
  expect(points.length).toBeLessThanOrEqual(121)
  expect(points.at(-1)?.message).toBe('m124')
  expect(readdirSync(join(agent.snapshots.directory, 'contents')).length).toBeLessThanOrEqual(121)
  await agent.snapshots.rewind('m100')
  expect(agent.get('a')).toBe('99\n')
})
