import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { everyObject } from './every-object.fixture.ts'
import { UnknownEntry } from './history.ts'
import { git, hasGit, logOf, messagesOf, newJournal, save } from './journal.fixture.ts'
import { Journal } from './journal.ts'
import { NotJournalled } from './layout.ts'

test('an absent journal is empty, and looking makes none', async () => {
  const { home, journal } = newJournal()
  expect(await journal.health()).toEqual({ state: 'absent' })
  expect(await logOf(journal)).toEqual([])
  expect(fs.readdirSync(home)).toEqual([])
})

test('records, lists, shows and reads back changes', async () => {
  const { journal } = newJournal()
  const at = new Date('2026-03-01T10:00:00Z')
  const first = await journal.commit({
    message: 'Saved two memories',
    kind: 'save',
    by: 'Claude Code',
    at,
    changes: [
      { path: 'memory/b.md', after: Buffer.from('b\n') },
      { path: 'memory/a.md', after: Buffer.from('one\ntwo\n') },
    ],
  })
  const second = await save(journal, 'memory/a.md', 'one\n2\n')
  const third = await save(journal, 'memory/b.md', null, 'Forgot b')
  expect(await messagesOf(journal)).toEqual(['Forgot b', 'save memory/a.md', 'Saved two memories'])
  expect(first).toMatchObject({ by: 'Claude Code', kind: 'save', at })
  expect(await journal.changes(first?.id ?? '')).toEqual([
    { path: 'memory/a.md', before: null, after: Buffer.from('one\ntwo\n') },
    { path: 'memory/b.md', before: null, after: Buffer.from('b\n') },
  ])
  expect(await journal.diff(second.id)).toContain('-two\n+2\n')
  expect(await journal.diff(third.id)).toContain('+++ /dev/null')
  expect((await journal.read(first?.id ?? '', 'memory/a.md'))?.toString()).toBe('one\ntwo\n')
  expect(await journal.read(third.id, 'memory/b.md')).toBeUndefined()
  expect(await messagesOf(journal, 'memory/b.md')).toEqual(['Forgot b', 'Saved two memories'])
  expect(await journal.health()).toEqual({ state: 'ok', entries: 3 })
})

test('what changes nothing makes no entry', async () => {
  const { journal } = newJournal()
  await save(journal, 'SOUL.md', 'same')
  const again = await journal.commit({
    message: 'again',
    kind: 'save',
    changes: [
      { path: 'SOUL.md', after: Buffer.from('same') },
      { path: 'USER.md', after: null },
    ],
  })
  expect(again).toBeUndefined()
  expect(await journal.health()).toEqual({ state: 'ok', entries: 1 })
})

test('what the owner changed by hand is recorded as theirs first', async () => {
  const { journal } = newJournal()
  await save(journal, 'memory/a.md', 'ours')
  await journal.commit({
    message: 'ours again',
    kind: 'save',
    changes: [
      { path: 'memory/a.md', before: Buffer.from('by hand'), after: Buffer.from('ours again') },
      // The same path twice: only what was there before both was found.
      { path: 'memory/a.md', before: Buffer.from('ours again'), after: Buffer.from('ours at last') },
      { path: 'memory/unknown.md', before: Buffer.from('never seen'), after: null },
    ],
  })
  const [last, found, first] = await logOf(journal)
  expect([last?.message, found?.message, first?.message]).toEqual([
    'ours again',
    'Found on disk',
    'save memory/a.md',
  ])
  expect(found).toMatchObject({ by: 'Owner', kind: 'found' })
  expect((await journal.read(found?.id ?? '', 'memory/a.md'))?.toString()).toBe('by hand')
  expect((await journal.read(found?.id ?? '', 'memory/unknown.md'))?.toString()).toBe('never seen')
  expect((await journal.read(last?.id ?? '', 'memory/a.md'))?.toString()).toBe('ours at last')
  expect(await journal.read(last?.id ?? '', 'memory/unknown.md')).toBeUndefined()
})

test('an entry is found by a unique beginning of its id', async () => {
  const { journal } = newJournal()
  const { id } = await save(journal, 'SOUL.md', 'x')
  expect((await journal.entry(id.slice(0, 6).toUpperCase())).id).toBe(id)
  for (const wrong of ['', 'abc', 'main', 'HEAD', '../..', 'zzzz', '0'.repeat(40)])
    await expect(journal.entry(wrong)).rejects.toThrow(UnknownEntry)
})

test.each([
  'config.json',
  'projects/p/sessions/s.jsonl',
  'memory',
  'memory/',
  'memory/../config.json',
  'memory/.hidden',
  '/memory/a.md',
  'memory//a.md',
  'memory\\a.md',
  'memory/a\0.md',
  'projects/p/trash/a.md',
  'elsewhere/x',
  // Names that the journal gives to directories of its own.
  'memory/~ab/x.md',
  'memory/~00',
])('%j is refused before anything is written', async path => {
  const { home, journal } = newJournal()
  await expect(
    journal.commit({ message: 'x', kind: 'x', changes: [{ path, after: Buffer.from('x') }] }),
  ).rejects.toThrow(NotJournalled)
  await expect(journal.purge(path)).rejects.toThrow(NotJournalled)
  expect(fs.readdirSync(home)).toEqual([])
})

test('every place that is journalled comes back under its own path', async () => {
  const { journal } = newJournal()
  const paths = ['SOUL.md', 'elsewhere/m/a/b.md', 'memory/x.md', 'memory/x/~abc/y.md', 'skills/s/SKILL.md']
  const changes = paths.map(path => ({ path, after: Buffer.from(path) }))
  const entry = await journal.commit({ message: 'all', kind: 'save', changes })
  expect((await journal.changes(entry?.id ?? '')).map(({ path }) => path)).toEqual(paths)
  for (const path of paths) expect((await journal.read(entry?.id ?? '', path))?.toString(), path).toBe(path)
})

test('2,000 files are recorded at once, in one pack, and each is found', async () => {
  const { journal } = newJournal()
  const changes = Array.from({ length: 2_000 }, (_, n) => ({
    path: `memory/note-${n}.md`,
    after: Buffer.from(`note ${n}\n`),
  }))
  const entry = await journal.commit({ message: 'import', kind: 'import', changes })
  await save(journal, 'memory/note-7.md', 'changed')
  const packs = fs.readdirSync(join(journal.gitdir, 'objects/pack'))
  expect(packs.map(name => name.replace(/^.*\./, '')).sort()).toEqual(['idx', 'pack'])
  expect((await journal.changes(entry?.id ?? '')).length).toBe(2_000)
  expect((await journal.read(entry?.id ?? '', 'memory/note-1999.md'))?.toString()).toBe('note 1999\n')
  // The paths of so large an entry are not listed in it, and it is found all the same.
  expect(await messagesOf(journal, 'memory/note-7.md')).toEqual(['save memory/note-7.md', 'import'])
  expect(await messagesOf(journal, 'memory/note-8.md')).toEqual(['import'])
  expect(await messagesOf(journal, 'memory/absent.md')).toEqual([])
  if (hasGit) expect(git(journal, 'fsck', '--strict', '--full')).toMatchObject({ status: 0, stderr: '' })
})

test.skipIf(!hasGit)('native git finds nothing wrong and shows the same', async () => {
  const { journal } = newJournal()
  await save(journal, 'memory/ä b.md', 'hello\n', 'Saved “ä b”\n\nwith a body')
  await save(journal, 'memory/sub/c.md', 'deep')
  await journal.commit({
    message: '',
    kind: 'odd',
    by: 'Eve <eve@x>\n',
    changes: [{ path: 'SOUL.md', after: Buffer.alloc(0) }],
  })
  for (const path of ['memory/ä b.md', 'memory/sub/c.md', 'SOUL.md']) await save(journal, path, null)
  const check = () => {
    expect(git(journal, 'fsck', '--strict', '--full')).toMatchObject({ status: 0, stderr: '' })
    expect(git(journal, 'log', '--format=%s', 'main').stdout.trim().split('\n')).toEqual([
      'save SOUL.md',
      'save memory/sub/c.md',
      'save memory/ä b.md',
      'odd',
      'save memory/sub/c.md',
      'Saved “ä b”',
    ])
    const first = git(journal, 'rev-list', '--max-parents=0', 'main').stdout.trim()
    expect(git(journal, 'show', '--format=', first).stdout).toContain('+hello')
  }
  check()
  await journal.pack()
  check()
  expect((await logOf(journal)).find(({ kind }) => kind === 'odd')).toMatchObject({ by: 'Eve eve@x' })
})

test.skipIf(!hasGit)('goes on after native git has packed objects and references itself', async () => {
  const { journal } = newJournal()
  for (let n = 0; n < 5; n++) await save(journal, 'memory/a.md', `version ${n}\n`.repeat(100))
  expect(git(journal, 'gc', '--quiet').status).toBe(0)
  await save(journal, 'memory/a.md', 'after gc')
  await journal.pack()
  expect((await messagesOf(journal, 'memory/a.md')).length).toBe(6)
  expect(git(journal, 'fsck', '--strict', '--full').status).toBe(0)
})

test('many commits are packed by themselves, and none is lost', async () => {
  const { journal } = newJournal()
  const sample = join(journal.gitdir, 'objects/17')
  await save(journal, 'SOUL.md', 'x')
  // As many loose objects as weeks of use leave, in the directory that is sampled.
  fs.mkdirSync(sample, { recursive: true })
  for (let n = 0; n < 28; n++) fs.writeFileSync(join(sample, String(n).padStart(38, '0')), '')
  await save(journal, 'SOUL.md', 'y')
  expect(fs.existsSync(sample)).toBe(false)
  expect(fs.readdirSync(join(journal.gitdir, 'objects'))).toEqual(['pack'])
  expect((await logOf(journal)).length).toBe(2)
  expect(everyObject(journal.gitdir).length).toBe(6)
})

test('a journal moved aside while it is in use is started anew, properly', async () => {
  const { home, journal } = newJournal()
  await save(journal, 'SOUL.md', 'x')
  fs.renameSync(journal.gitdir, `${journal.gitdir}.damaged`)
  await save(journal, 'SOUL.md', 'y')
  expect(await new Journal({ home }).health()).toEqual({ state: 'ok', entries: 1 })
})
