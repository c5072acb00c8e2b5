import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ownIdentity } from '../process-identity.ts'
import { temporaryDirectory } from '../temporary-directory.fixture.ts'
import { everyObject } from './every-object.fixture.ts'
import { freezeAt } from './frozen.fixture.ts'
import { UnknownEntry } from './history.ts'
import { git, hasGit, logOf, messagesOf, newJournal, save } from './journal.fixture.ts'
import { Journal } from './journal.ts'

const SECRET = 'the password is swordfish'
const PATH = 'memory/secret.md'

function traces(gitdir: string, text: string): number {
  return everyObject(gitdir).filter(({ bytes }) => bytes.includes(text)).length
}

/** No object, and no other file of the journal either. */
function expectNoTrace(gitdir: string): void {
  for (const text of [SECRET, 'secret.md', 'told you a secret']) expect(traces(gitdir, text), text).toBe(0)
  const names = fs.readdirSync(gitdir, { recursive: true, encoding: 'utf8' })
  expect(names.filter(name => /tmp|reverie-purge/.test(name))).toEqual([])
}

async function withSecret(journal: Journal) {
  const before = await save(journal, 'memory/a.md', 'a', 'before')
  const alone = await save(journal, PATH, SECRET, 'told you a secret')
  const between = await save(journal, 'memory/a.md', 'aa', 'between')
  const together = await journal.commit({
    message: 'told you a secret, and more',
    kind: 'save',
    changes: [
      { path: PATH, after: Buffer.from(`${SECRET}!`) },
      { path: 'memory/b.md', after: Buffer.from('b') },
    ],
  })
  const removed = await save(journal, PATH, null, 'told you a secret no more')
  const after = await save(journal, 'memory/a.md', 'aaa', 'after')
  return { before, alone, between, together, removed, after }
}

const LEFT = ['after', 'Changed several files, one of them since purged', 'between', 'before']

test.each(['loose', 'packed'])(
  'a purge leaves no trace in %s objects, and old ids find what is left',
  async how => {
    const { journal } = newJournal()
    const entries = await withSecret(journal)
    if (how === 'packed') await journal.pack()
    expect(traces(journal.gitdir, SECRET)).toBe(2)
    await journal.purge(PATH)
    expectNoTrace(journal.gitdir)
    expect(await messagesOf(journal)).toEqual(LEFT)
    expect(await logOf(journal, PATH)).toEqual([])
    for (const kept of ['before', 'between', 'together', 'after'] as const) {
      const { id, at } = entries[kept] ?? { id: '', at: new Date() }
      expect((await journal.entry(id)).at).toEqual(at)
      expect(await journal.read(id, PATH)).toBeUndefined()
    }
    expect((await journal.read(entries.between.id, 'memory/a.md'))?.toString()).toBe('aa')
    expect((await journal.changes(entries.together?.id ?? '')).map(({ path }) => path)).toEqual([
      'memory/b.md',
    ])
    for (const gone of [entries.alone, entries.removed])
      await expect(journal.entry(gone.id)).rejects.toThrow(UnknownEntry)
    if (hasGit) expect(git(journal, 'fsck', '--strict', '--full')).toMatchObject({ status: 0, stderr: '' })
    // A second purge of other entries: the first ids still find them.
    await journal.purge('memory/b.md')
    expect((await journal.entry(entries.after.id)).message).toBe('after')
    await save(journal, PATH, 'another content', 'once more')
    expect(await messagesOf(journal, PATH)).toEqual(['once more'])
  },
)

test('a purge also removes what a killed commit left behind', async () => {
  const dead = { ...ownIdentity(), pid: 2 ** 22 + 1 }
  for (let step = 1; ; step++) {
    const { home, journal } = newJournal()
    const killed = new Journal({ home, lock: { identity: dead } })
    expect(await freezeAt(step, () => save(killed, PATH, SECRET))).toBe('frozen')
    if (traces(journal.gitdir, SECRET) === 0) continue
    expect(await logOf(journal)).toEqual([])
    await journal.purge(PATH)
    expectNoTrace(journal.gitdir)
    return
  }
})

test('a purge of all there is leaves a journal that goes on', async () => {
  const { journal } = newJournal()
  await save(journal, PATH, SECRET)
  await journal.purge(PATH)
  expectNoTrace(journal.gitdir)
  expect((await logOf(journal)).map(({ kind }) => kind)).toEqual(['purge'])
  await save(journal, 'memory/a.md', 'a')
  await journal.purge('memory/a.md')
  await save(journal, 'memory/b.md', 'b')
  expect((await journal.health()).state).toBe('ok')
  if (hasGit) expect(git(journal, 'fsck', '--strict', '--full')).toMatchObject({ status: 0, stderr: '' })
})

test('a purge out of an entry of very many files removes just the one', async () => {
  const { journal } = newJournal()
  const many = Array.from({ length: 150 }, (_, n) => ({ path: `memory/${n}.md`, after: Buffer.from(`${n}`) }))
  const entry = await journal.commit({
    message: 'import',
    kind: 'import',
    changes: [...many, { path: PATH, after: Buffer.from(SECRET) }],
  })
  await journal.purge(PATH)
  expectNoTrace(journal.gitdir)
  expect((await journal.changes(entry?.id ?? '')).length).toBe(150)
  expect(await messagesOf(journal, 'memory/149.md')).toEqual(['import'])
})

test('stopped at any step, a purge that was begun is finished with the next commit', async () => {
  const top = temporaryDirectory()
  const template = join(top, 'template')
  fs.mkdirSync(template)
  const first = new Journal({ home: template })
  await save(first, 'memory/a.md', 'a', 'before')
  await save(first, PATH, SECRET, 'told you a secret')
  await save(first, 'memory/a.md', 'aa', 'after')
  // Packed, it has far fewer files, each of which is a step.
  await first.pack()
  const dead = { ...ownIdentity(), pid: 2 ** 22 + 1 }
  let begunAt = 0
  for (let step = 1; ; step++) {
    const home = join(top, `stopped-${step}`)
    fs.cpSync(template, home, { recursive: true })
    const killed = new Journal({ home, lock: { identity: dead } })
    if ((await freezeAt(step, () => killed.purge(PATH))) === 'finished') {
      expect(step).toBeGreaterThan(20)
      break
    }
    const journal = new Journal({ home })
    const begun = fs.existsSync(join(journal.gitdir, 'reverie-purge'))
    if (begun && begunAt === 0) begunAt = step
    expect(await journal.health(), `after step ${step}`).toMatchObject({ state: 'ok' })
    everyObject(journal.gitdir)
    await save(journal, 'memory/c.md', 'c', 'next')
    const messages = await messagesOf(journal)
    expect(messages, `after step ${step}`).toContain('after')
    if (begunAt > 0) {
      expectNoTrace(journal.gitdir)
      expect(messages, `after step ${step}`).toEqual(['next', 'after', 'before'])
    } else expect(traces(journal.gitdir, SECRET)).toBe(1)
    fs.rmSync(home, { recursive: true })
  }
  expect(begunAt).toBeGreaterThan(0)
})

test('a purge ended by kill -9 is finished with the next commit', async () => {
  const { home, journal } = newJournal()
  await withSecret(journal)
  const script = `
    import fs from 'node:fs/promises'
    import { syncBuiltinESMExports } from 'node:module'
    const { Journal } = await import(process.argv[1])
    const { rename } = fs
    fs.rename = async (from, to) => {
      if (String(to).endsWith('/main')) process.kill(process.pid, 'SIGKILL')
      return rename(from, to)
    }
    syncBuiltinESMExports()
    await new Journal({ home: process.argv[2] }).purge('${PATH}')`
  const url = new URL('journal.ts', import.meta.url).href
  const child = spawnSync(process.execPath, ['--input-type=module', '-e', script, url, home])
  expect(child.signal).toBe('SIGKILL')
  expect(traces(journal.gitdir, SECRET)).toBe(2)
  await save(journal, 'memory/c.md', 'c', 'next')
  expectNoTrace(journal.gitdir)
  expect(await messagesOf(journal)).toEqual(['next', ...LEFT])
})

test('a purge changes the message of entries about the path, and of no other', async () => {
  const { journal } = newJournal()
  const change = (path: string) => ({ path, after: Buffer.from(path) })
  const commit = (message: string, ...paths: string[]) =>
    journal.commit({ message, kind: 'save', changes: paths.map(change) })
  await commit('number one', 'memory/b.md', 'memory/index.md')
  await commit('about a', 'memory/a.md', 'memory/b.md')
  await commit('number two', 'memory/c.md', 'memory/index.md')
  await journal.purge('memory/b.md')
  const messages = []
  for await (const { message } of journal.log()) messages.push(message)
  expect(messages).toEqual(['number two', 'about a', 'Changed several files, one of them since purged'])
})
