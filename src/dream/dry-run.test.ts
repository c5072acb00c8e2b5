import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openModel } from '../models/index.ts'
import { startFakeProvider } from '../models/wire.fixture.ts'
import { History, newMessageId, Sessions } from '../session/index.ts'
import { workplace } from './dream.fixture.ts'
import { dream, placeOf } from './dream.ts'
import { DreamLock } from './dream-lock.ts'
import { modelDreamer } from './model/index.ts'
import { treeOf } from './tree.fixture.ts'

/** Duplicates, history that waits, a daily log, and a session that no index knows yet. */
async function muchToDo() {
  const place = await workplace()
  const { home, project, memory, directory, save } = place
  await save('Prefers tabs', 'Uses tabs for indentation.')
  await save('Likes tabs', 'Uses tabs for indentation.')
  await new History(directory).append('- The owner moved the shop to Postgres.')
  mkdirSync(join(directory, 'logs', '2026', '04'), { recursive: true })
  writeFileSync(join(directory, 'logs', '2026', '04', '2026-04-07.md'), '# 2026-04-07\n\n- 10:30 A thing.\n')
  await using transcript = new Sessions(home, project).create()
  const parts = [{ type: 'text' as const, text: 'I prefer dark mode. Remember that.' }]
  const at = new Date().toISOString()
  await transcript.append({ id: newMessageId(), role: 'user', origin: 'person', at, parts })
  return { ...place, state: memory.state('project') }
}

test('a dry run says what would be done, and leaves the home as it is to the byte', async () => {
  const { context, home } = await muchToDo()
  const before = treeOf(home.path)
  const outcome = await dream(context, { dryRun: true })
  expect(outcome.status).toBe('dry-run')
  expect(outcome.changes.map(({ action }) => action).toSorted()).toEqual(['create', 'merge', 'remove'])
  expect(treeOf(home.path)).toEqual(before)
})

test('so does one with a model, of which no record is kept, also when it fails', async () => {
  const { context, home, project, directory, state } = await muchToDo()
  const finding = { target: 'MEMORY', kind: 'stale', files: ['user_likes-tabs.md'], what: 'let it go' }
  const remove = { file: 'user_likes-tabs.md', reason: 'said twice', wentTo: 'user_prefers-tabs.md' }
  const provider = await startFakeProvider(
    { text: JSON.stringify(finding) },
    { calls: [{ name: 'session_search', input: { query: 'dark mode' } }] },
    { calls: [{ name: 'remove', input: remove }] },
    { text: 'One was enough.' },
    { text: 'no findings at all, but prose' },
  )
  onTestFinished(() => provider.close())
  const settings = { ...context.config, providers: provider.settings('anthropic') }
  const model = await openModel('anthropic/claude-test', settings, {})
  const dreamer = modelDreamer({ home, project, model, directory, state, idleMs: 5_000 })
  const before = treeOf(home.path)
  const { changes } = await dream({ ...context, dreamer }, { dryRun: true })
  expect(changes).toMatchObject([{ file: 'user_likes-tabs.md', action: 'remove' }])
  expect(provider.requests.at(-1)?.text).toContain('dark mode')
  await expect(dream({ ...context, dreamer }, { dryRun: true })).rejects.toThrow(/no list of findings/)
  expect(treeOf(home.path)).toEqual(before)
})

test('while somebody dreams there is no dry run either, and the other is left alone', async () => {
  const { context, home, memory } = await muchToDo()
  await using _held = await DreamLock.acquire(placeOf(memory), new Date())
  const before = treeOf(home.path)
  expect(await dream(context, { dryRun: true })).toMatchObject({ status: 'skipped', gate: 'lock' })
  expect(treeOf(home.path)).toEqual(before)
})
