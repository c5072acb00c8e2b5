import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import fsPromises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { everyObject } from './every-object.fixture.ts'
import { logOf, newJournal, save } from './journal.fixture.ts'
import { Journal } from './journal.ts'
import { CorruptJournal, ForeignJournal } from './repository.ts'

/** Every file below a directory with its content, but for the lock, which is taken to look. */
function snapshot(directory: string): Map<string, string> {
  const names = fs.readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort()
  const files = names.filter(
    name => !name.includes('reverie-lock') && fs.statSync(join(directory, name)).isFile(),
  )
  return new Map(files.map(name => [name, fs.readFileSync(join(directory, name), 'hex')]))
}

const FOREIGN: Array<[what: string, make: (gitdir: string) => void]> = [
  ['somebody else’s repository', gitdir => void spawnSync('git', ['init', '--bare', '--quiet', gitdir])],
  [
    'a directory of other things',
    gitdir => {
      fs.mkdirSync(gitdir)
      fs.writeFileSync(join(gitdir, 'diary.txt'), 'dear diary')
    },
  ],
  [
    'a journal of a later version',
    gitdir => {
      fs.mkdirSync(gitdir)
      fs.writeFileSync(join(gitdir, 'config'), '[reverie]\n\tjournal = 2\n')
    },
  ],
  ['a file', gitdir => fs.writeFileSync(gitdir, 'a file')],
]
test.each(FOREIGN)('%s is reported and left as it is', async (_, make) => {
  const { home, journal } = newJournal()
  make(journal.gitdir)
  // Without git there is no repository to make, and a directory of other things stands in.
  if (!fs.existsSync(journal.gitdir)) fs.mkdirSync(journal.gitdir)
  const before = snapshot(home)
  expect(await journal.health()).toMatchObject({ state: 'foreign' })
  await expect(save(journal, 'SOUL.md', 'x')).rejects.toThrow(ForeignJournal)
  await expect(journal.purge('SOUL.md')).rejects.toThrow(ForeignJournal)
  await expect(journal.pack()).rejects.toThrow(ForeignJournal)
  await expect(logOf(journal)).rejects.toThrow(ForeignJournal)
  expect(snapshot(home)).toEqual(before)
})

function overwrite(path: string, change: (bytes: Buffer) => Buffer): void {
  fs.chmodSync(path, 0o600)
  fs.writeFileSync(path, change(fs.readFileSync(path)))
}

function looseFile(gitdir: string, oid: string): string {
  return join(gitdir, 'objects', oid.slice(0, 2), oid.slice(2))
}

function headOf(gitdir: string): string {
  return fs.readFileSync(join(gitdir, 'refs/heads/main'), 'utf8').trim()
}

function packFile(gitdir: string, suffix: string): string {
  const directory = join(gitdir, 'objects/pack')
  return join(directory, fs.readdirSync(directory).find(name => name.endsWith(suffix)) ?? '')
}

const DAMAGE: Array<[what: string, packed: boolean, damage: (gitdir: string) => void]> = [
  ['an empty branch', false, gitdir => fs.writeFileSync(join(gitdir, 'refs/heads/main'), '')],
  ['a branch of nonsense', false, gitdir => fs.writeFileSync(join(gitdir, 'refs/heads/main'), 'nonsense\n')],
  [
    'a branch to nowhere',
    false,
    gitdir => fs.writeFileSync(join(gitdir, 'refs/heads/main'), `${'1'.repeat(40)}\n`),
  ],
  ['a torn commit', false, gitdir => overwrite(looseFile(gitdir, headOf(gitdir)), b => b.subarray(0, 20))],
  [
    'an empty commit file',
    false,
    gitdir => overwrite(looseFile(gitdir, headOf(gitdir)), () => Buffer.alloc(0)),
  ],
  ['no objects', false, gitdir => fs.rmSync(join(gitdir, 'objects'), { recursive: true })],
  ['a torn pack', true, gitdir => overwrite(packFile(gitdir, '.pack'), b => b.subarray(0, 30))],
  ['an index without its pack', true, gitdir => fs.rmSync(packFile(gitdir, '.pack'))],
  ['a pack without its index', true, gitdir => fs.rmSync(packFile(gitdir, '.idx'))],
  ['a torn index', true, gitdir => overwrite(packFile(gitdir, '.idx'), b => b.subarray(0, 50))],
]
test.each(DAMAGE)('a journal with %s is reported and left as it is', async (_, packed, damage) => {
  const { home, journal } = newJournal()
  await save(journal, 'memory/a.md', 'a')
  await save(journal, 'memory/a.md', 'b')
  if (packed) await journal.pack()
  damage(journal.gitdir)
  const before = snapshot(home)
  const fresh = () => new Journal({ home })
  expect(await fresh().health()).toMatchObject({ state: 'corrupt', problem: expect.stringContaining('mv "') })
  await expect(save(fresh(), 'memory/a.md', 'c')).rejects.toThrow(CorruptJournal)
  await expect(fresh().pack()).rejects.toThrow(CorruptJournal)
  await expect(logOf(fresh())).rejects.toThrow(CorruptJournal)
  expect(snapshot(home)).toEqual(before)
})

test('packing does not copy a damaged object, and keeps what is there', async () => {
  const { home, journal } = newJournal()
  await save(journal, 'memory/a.md', 'precious')
  await save(journal, 'memory/b.md', 'other')
  const blob = everyObject(journal.gitdir).find(({ bytes }) => bytes.includes('precious'))
  overwrite(looseFile(journal.gitdir, blob?.oid ?? ''), bytes => bytes.subarray(0, 8))
  const before = snapshot(home)
  await expect(new Journal({ home }).pack()).rejects.toThrow(CorruptJournal)
  expect(snapshot(home)).toEqual(before)
})

/** The user and group that own nothing. */
const NOBODY = 65_534

test('a journal that cannot be written is reported in a sentence, and can still be read', async () => {
  const { home, journal } = newJournal()
  await save(journal, 'memory/a.md', 'a', 'readable')
  fs.chmodSync(home, 0o555)
  for (const name of fs.readdirSync(journal.gitdir, { recursive: true, encoding: 'utf8' })) {
    const path = join(journal.gitdir, name)
    fs.chmodSync(path, fs.statSync(path).isDirectory() ? 0o555 : 0o444)
  }
  fs.chmodSync(journal.gitdir, 0o555)
  onTestFinished(() => void spawnSync('chmod', ['-R', 'u+w', home]))
  const script = `
    const { Journal } = await import(process.argv[1])
    const journal = new Journal({ home: process.argv[2] })
    for await (const entry of journal.log()) console.log(entry.message)
    const changes = [{ path: 'memory/a.md', after: Buffer.from('b') }]
    await journal.commit({ message: 'x', kind: 'x', changes }).catch(error => {
      console.log(Object.getPrototypeOf(error.constructor).name, error.message)
    })`
  const url = new URL('journal.ts', import.meta.url).href
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script, url, home], {
    encoding: 'utf8',
    ...(process.getuid?.() === 0 && { uid: NOBODY, gid: NOBODY }),
  })
  expect(stderr).toBe('')
  expect(stdout).toMatch(/^readable\n/)
  expect(stdout).toContain('permission was denied (EACCES)')
  expect(stdout).not.toMatch(/^Object/m)
})

test('a disk too full to pack does not unmake the entry', async () => {
  const { journal } = newJournal()
  await save(journal, 'SOUL.md', 'x')
  const sample = join(journal.gitdir, 'objects/17')
  fs.mkdirSync(sample, { recursive: true })
  for (let n = 0; n < 28; n++) fs.writeFileSync(join(sample, String(n).padStart(38, '0')), '')
  const { rename } = fsPromises
  const restore = () => {
    fsPromises.rename = rename
    syncBuiltinESMExports()
  }
  onTestFinished(restore)
  fsPromises.rename = async (from, to) => {
    if (String(to).endsWith('.pack')) throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
    return rename(from, to)
  }
  syncBuiltinESMExports()
  expect((await save(journal, 'SOUL.md', 'y')).message).toBe('save SOUL.md')
  await expect(journal.pack()).rejects.toThrow('Could not write the journal')
  await expect(journal.pack()).rejects.toThrow('the disk is full')
  restore()
  await journal.pack()
  expect((await logOf(journal)).length).toBe(2)
})

test('what a process killed while starting a journal left behind is removed by the next', async () => {
  const { home, journal } = newJournal()
  fs.mkdirSync(`${journal.gitdir}.new-${2 ** 22 + 1}-1`)
  const alive = `.journal.new-${process.ppid}-1`
  fs.mkdirSync(join(home, alive))
  await save(journal, 'SOUL.md', 'x')
  expect(fs.readdirSync(home).sort()).toEqual(['.journal', alive])
})
