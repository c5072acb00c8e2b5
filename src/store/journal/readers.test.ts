import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import fsPromises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { LockLost } from '../lock.ts'
import { ownIdentity } from '../process-identity.ts'
import { temporaryDirectory } from '../temporary-directory.fixture.ts'
import { everyObject } from './every-object.fixture.ts'
import { freezeAt } from './frozen.fixture.ts'
import { UnknownEntry } from './history.ts'
import { git, hasGit, logOf, messagesOf, newJournal, save } from './journal.fixture.ts'
import { Journal } from './journal.ts'

const JOURNAL = new URL('journal.ts', import.meta.url).href

function inAnotherProcess(home: string, work: string): Promise<string> {
  const script = `const { Journal } = await import('${JOURNAL}')
    const journal = new Journal({ home: process.argv[1] })
    ${work}`
  const args = ['--input-type=module', '-e', script, home]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let complaints = ''
  child.stderr.on('data', data => {
    complaints += data
  })
  return once(child, 'close').then(([code]) => (code === 0 ? 'done' : complaints))
}

test('four processes that commit, and one that packs, lose nothing; a reader never meets damage', async () => {
  const { home, journal } = newJournal()
  const commits = (writer: number) => `
    for (let n = 0; n < 12; n++)
      await journal.commit({ message: '${writer} ' + n, kind: 'save',
        changes: [{ path: 'memory/${writer}.md', after: Buffer.from('${writer} ' + n) }] })`
  const packing = `for (let n = 0; n < 12; n++) await journal.pack()`
  let working = true
  const writers = Promise.all([
    ...[1, 2, 3, 4].map(writer => inAnotherProcess(home, commits(writer))),
    inAnotherProcess(home, packing),
  ]).finally(() => {
    working = false
  })
  while (working) {
    const [newest] = await logOf(journal)
    if (newest) expect((await journal.changes(newest.id)).length).toBe(1)
    // A reader without a cache, too.
    await logOf(new Journal({ home }))
  }
  expect(await writers).toEqual(Array(5).fill('done'))
  const messages = await messagesOf(journal)
  for (const writer of [1, 2, 3, 4])
    expect(messages.filter(message => message.startsWith(`${writer} `))).toEqual(
      Array.from({ length: 12 }, (_, n) => `${writer} ${11 - n}`),
    )
  expect(messages.length).toBe(48)
  if (hasGit) expect(git(journal, 'fsck', '--strict', '--full')).toMatchObject({ status: 0, stderr: '' })
})

test('a reader that has seen old packs goes on after they were replaced', async () => {
  const { home, journal } = newJournal()
  for (let n = 0; n < 4; n++) await save(journal, 'memory/a.md', `${n}`, `message ${n}`)
  await journal.pack()
  const reader = new Journal({ home })
  const walk = reader.log()
  expect((await walk.next()).value).toMatchObject({ message: 'message 3' })
  await save(journal, 'memory/a.md', 'more')
  await journal.pack()
  const rest: string[] = []
  for await (const { message } of walk) rest.push(message)
  expect(rest).toEqual(['message 2', 'message 1', 'message 0'])
})

test('a log that is being read while history is rewritten goes on where it was', async () => {
  const { home, journal } = newJournal()
  const paths = ['a', 'secret', 'b', 'secret', 'c', 'secret', 'd']
  for (const [n, name] of paths.entries()) await save(journal, `memory/${name}.md`, `${n}`, `${name} ${n}`)
  for (let read = 1; read <= paths.length; read++) {
    const copy = join(temporaryDirectory(), 'home')
    fs.cpSync(home, copy, { recursive: true })
    const walk = new Journal({ home: copy }).log()
    const seen: string[] = []
    while (seen.length < read) {
      const next = await walk.next()
      if (!next.done) seen.push(next.value.message)
    }
    await new Journal({ home: copy }).purge('memory/secret.md')
    for await (const { message } of walk) seen.push(message)
    const expected = ['d 6', 'secret 5', 'c 4', 'secret 3', 'b 2', 'secret 1', 'a 0']
    expect(seen, `${read} read before`).toEqual(
      expected.filter((message, n) => n < read || !message.startsWith('secret')),
    )
  }
})

test('stopped at any step, packing loses nothing', async () => {
  const top = temporaryDirectory()
  const template = join(top, 'template')
  fs.mkdirSync(template)
  const first = new Journal({ home: template })
  for (let n = 0; n < 3; n++) await save(first, 'memory/a.md', `${n}`, `message ${n}`)
  await first.pack()
  await save(first, 'memory/b.md', 'b', 'message 3')
  const dead = { ...ownIdentity(), pid: 2 ** 22 + 1 }
  for (let step = 1; ; step++) {
    const home = join(top, `stopped-${step}`)
    fs.cpSync(template, home, { recursive: true })
    const killed = new Journal({ home, lock: { identity: dead } })
    const outcome = await freezeAt(step, () => killed.pack())
    const journal = new Journal({ home })
    everyObject(journal.gitdir)
    expect(await messagesOf(journal), `after step ${step}`).toEqual([
      'message 3',
      'message 2',
      'message 1',
      'message 0',
    ])
    for (const { id } of await logOf(journal)) expect((await journal.changes(id)).length).toBe(1)
    await save(journal, 'memory/c.md', 'c')
    await journal.pack()
    expect(fs.readdirSync(join(journal.gitdir, 'objects'))).toEqual(['pack'])
    expect(fs.readdirSync(join(journal.gitdir, 'objects/pack')).length).toBe(2)
    if (outcome === 'finished') {
      expect(step).toBeGreaterThan(8)
      return
    }
  }
})

/** Takes over from any holder the moment a file is renamed to a name that `when` accepts. */
function robAt(lock: string, when: (to: string) => boolean): void {
  const { rename } = fsPromises
  const restore = () => {
    fsPromises.rename = rename
    syncBuiltinESMExports()
  }
  onTestFinished(restore)
  fsPromises.rename = async (from, to) => {
    if (when(String(to))) {
      restore()
      const highest = Math.max(
        ...fs
          .readdirSync(lock)
          .filter(name => /^\d+$/.test(name))
          .map(Number),
      )
      fs.writeFileSync(
        join(lock, String(highest + 1)),
        `${JSON.stringify({ ...ownIdentity(), token: '' })}\n`,
      )
    }
    return rename(from, to)
  }
  syncBuiltinESMExports()
}

test('who has lost the lock moves no branch and removes no objects', async () => {
  const { journal } = newJournal()
  await save(journal, 'memory/a.md', 'a', 'first')
  const lock = join(journal.gitdir, 'reverie-lock')
  robAt(lock, to => to.includes('/objects/'))
  await expect(save(journal, 'memory/a.md', 'b', 'second')).rejects.toThrow(LockLost)
  expect(await messagesOf(journal)).toEqual(['first'])
  const before = everyObject(journal.gitdir).map(({ oid }) => oid)
  robAt(lock, to => to.endsWith('.pack'))
  await expect(journal.pack()).rejects.toThrow(LockLost)
  const after = everyObject(journal.gitdir).map(({ oid }) => oid)
  expect(before.filter(oid => !after.includes(oid))).toEqual([])
  await save(journal, 'memory/a.md', 'c', 'third')
  expect(await messagesOf(journal)).toEqual(['third', 'first'])
})

/** Runs `before` once, just before this process next reads a file whose path ends like that. */
function beforeReading(end: string, before: () => Promise<unknown>): void {
  const { readFile } = fsPromises
  const restore = () => {
    fsPromises.readFile = readFile
    syncBuiltinESMExports()
  }
  onTestFinished(restore)
  const hooked = async (path: string, ...rest: unknown[]) => {
    if (path.endsWith(end)) {
      restore()
      await before()
    }
    return (readFile as (...args: unknown[]) => unknown)(path, ...rest)
  }
  Object.assign(fsPromises, { readFile: hooked })
  syncBuiltinESMExports()
}

test.each(['.idx', '.pack'])('a pack replaced just before its %s is read is no damage', async end => {
  const { home, journal } = newJournal()
  await save(journal, 'memory/a.md', '1', 'first')
  await journal.pack()
  const second = await save(journal, 'memory/a.md', '2', 'second')
  const reader = new Journal({ home })
  let replaced = false
  beforeReading(end, async () => {
    await new Journal({ home }).pack()
    replaced = true
  })
  expect(await messagesOf(reader)).toEqual(['second', 'first'])
  expect(replaced).toBe(true)
  expect((await reader.read(second.id, 'memory/a.md'))?.toString()).toBe('2')
})

test('an entry purged while it is being read is unknown, and no damage', async () => {
  const { home, journal } = newJournal()
  const { id } = await save(journal, 'memory/a.md', 'a')
  await save(journal, 'memory/b.md', 'b')
  await journal.pack()
  beforeReading('.pack', () => new Journal({ home }).purge('memory/a.md'))
  await expect(new Journal({ home }).changes(id)).rejects.toThrow(UnknownEntry)
})

test('a first entry made while the branch is being looked for is no damage', async () => {
  const { home, journal } = newJournal()
  await journal.pack()
  const commit = `await journal.commit({ message: 'first', kind: 'save',
    changes: [{ path: 'SOUL.md', after: Buffer.from('x') }] })`
  // Looked at after the place where the branch will be. In another process: the library that resolves
  // references makes others in the same one wait.
  beforeReading('refs/refs/heads/main', () => inAnotherProcess(home, commit))
  expect(await messagesOf(journal)).toEqual(['first'])
})

test('an entry rewritten by a purge while it is being read is read as it is now', async () => {
  const { home, journal } = newJournal()
  await save(journal, 'memory/a.md', 'a')
  const entry = await journal.commit({
    message: 'both',
    kind: 'save',
    changes: [
      { path: 'memory/b.md', after: Buffer.from('b') },
      { path: 'memory/secret.md', after: Buffer.from('secret') },
    ],
  })
  const commit = everyObject(journal.gitdir).find(({ oid }) => oid.startsWith(entry?.id ?? 'none'))
  const tree = /tree ([0-9a-f]{40})/.exec(commit?.bytes.toString('latin1') ?? '')?.[1] ?? ''
  let purged = false
  beforeReading(tree.slice(2), async () => {
    await new Journal({ home }).purge('memory/secret.md')
    purged = true
  })
  const changes = await new Journal({ home }).changes(entry?.id ?? '')
  expect(purged).toBe(true)
  expect(changes.map(({ path }) => path)).toEqual(['memory/b.md'])
})
