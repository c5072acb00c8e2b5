import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { DatabaseUnusable, inTransaction, openDerivedDatabase } from './sqlite.ts'
import { temporaryDirectory } from './temporary-directory.fixture.ts'

const SQLITE = new URL('sqlite.ts', import.meta.url).href
/** The user and group that own nothing. */
const NOBODY = 65_534
const isRoot = process.getuid?.() === 0

const notes = {
  version: 1,
  create: (db: DatabaseSync) => db.exec('CREATE TABLE note (text TEXT)'),
}

function texts(db: DatabaseSync): unknown[] {
  return db
    .prepare('SELECT text FROM note ORDER BY text')
    .all()
    .map(row => row.text)
}

/** Opens the database of `path` in a process of its own, as somebody who is not root. */
function openAsNobody(path: string): { mode: string; texts: unknown[] } {
  const script = `
    const { openDerivedDatabase } = await import('${SQLITE}')
    const create = db => db.exec('CREATE TABLE note (text TEXT)')
    const { db, mode } = openDerivedDatabase(process.argv[1], { version: 1, create })
    const texts = db.prepare('SELECT text FROM note').all().map(row => row.text)
    if (mode === 'memory') db.exec("INSERT INTO note VALUES ('works')")
    process.stdout.write(JSON.stringify({ mode, texts }))`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script, path], {
    encoding: 'utf8',
    ...(isRoot && { uid: NOBODY, gid: NOBODY }),
  })
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout) as { mode: string; texts: unknown[] }
}

/** A directory that anybody may enter but nobody but root may write; that is put right again afterwards. */
function readOnlyDirectory(fill: (directory: string) => void): string {
  const top = temporaryDirectory()
  const directory = join(top, 'home')
  fs.mkdirSync(directory)
  fill(directory)
  for (const name of fs.readdirSync(directory)) fs.chmodSync(join(directory, name), 0o444)
  fs.chmodSync(top, 0o755)
  fs.chmodSync(directory, 0o555)
  onTestFinished(() => fs.chmodSync(directory, 0o755))
  return directory
}

test('keeps what is written, in private files, and waits for other writers', () => {
  const path = join(temporaryDirectory(), 'index', 'notes.db')
  const { db, mode } = openDerivedDatabase(path, notes)
  expect(mode).toBe('writable')
  inTransaction(db, () => db.exec(`INSERT INTO note VALUES ('one')`))
  expect(db.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
  expect(db.prepare('PRAGMA busy_timeout').get()).toEqual({ timeout: 10_000 })
  for (const suffix of ['', '-wal', '-shm']) expect(fs.statSync(path + suffix).mode & 0o777).toBe(0o600)
  expect(fs.statSync(join(path, '..')).mode & 0o777).toBe(0o700)
  db.close()
  const again = openDerivedDatabase(path, notes)
  expect(texts(again.db)).toEqual(['one'])
  expect(again.setAside).toBeUndefined()
  again.db.close()
})

test('a transaction that fails leaves nothing behind', () => {
  const { db } = openDerivedDatabase(join(temporaryDirectory(), 'notes.db'), notes)
  const failing = () =>
    inTransaction(db, () => {
      db.exec(`INSERT INTO note VALUES ('half')`)
      throw new Error('as planned')
    })
  expect(failing).toThrow('as planned')
  expect(texts(db)).toEqual([])
  expect(inTransaction(db, () => 7)).toBe(7)
  db.close()
})

test('a database of another version is built anew, whatever it held', () => {
  const path = join(temporaryDirectory(), 'notes.db')
  const old = openDerivedDatabase(path, {
    version: 1,
    create: db =>
      db.exec(`
        CREATE TABLE parent (id INTEGER PRIMARY KEY);
        CREATE TABLE child (parent INTEGER NOT NULL REFERENCES parent (id));
        CREATE VIRTUAL TABLE words USING fts5 (text);
        CREATE INDEX by_parent ON child (parent);
        CREATE VIEW families AS SELECT * FROM parent JOIN child ON child.parent = parent.id;
        INSERT INTO parent VALUES (1);
        INSERT INTO child VALUES (1);
        INSERT INTO words VALUES ('hello');`),
  })
  old.db.close()
  for (const version of [2, 1]) {
    const { db, mode, setAside } = openDerivedDatabase(path, { ...notes, version })
    const names = db.prepare(`SELECT name FROM sqlite_schema`).all()
    expect({ mode, setAside, names }).toEqual({
      mode: 'writable',
      setAside: undefined,
      names: [{ name: 'note' }],
    })
    db.exec(`INSERT INTO note VALUES ('of version ${version}')`)
    expect(texts(db)).toEqual([`of version ${version}`])
    db.close()
  }
})

test('tables that cannot be made leave the old ones as they were', () => {
  const path = join(temporaryDirectory(), 'notes.db')
  const first = openDerivedDatabase(path, notes)
  first.db.exec(`INSERT INTO note VALUES ('kept')`)
  first.db.close()
  const broken = { version: 2, create: (db: DatabaseSync) => db.exec('CREATE TABLE oops (') }
  expect(() => openDerivedDatabase(path, broken)).toThrow(DatabaseUnusable)
  const { db } = openDerivedDatabase(path, notes)
  expect(texts(db)).toEqual(['kept'])
  db.close()
})

test.each([
  ['text', Buffer.from('this is not a database, but it is long enough to be looked at as one'.repeat(40))],
  ['a header and noise', Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(8_000, 0xa5)])],
])('a file that holds %s is moved aside and kept', (_, content) => {
  const directory = temporaryDirectory()
  const path = join(directory, 'notes.db')
  fs.writeFileSync(path, content)
  fs.writeFileSync(`${path}-wal`, 'left behind')
  const { db, mode, setAside } = openDerivedDatabase(path, notes)
  expect(mode).toBe('writable')
  expect(setAside && fs.readFileSync(setAside).equals(content)).toBe(true)
  db.exec(`INSERT INTO note VALUES ('new')`)
  expect(texts(db)).toEqual(['new'])
  expect(fs.statSync(path).mode & 0o777).toBe(0o600)
  db.close()
})

test('an empty file becomes a database', () => {
  const path = join(temporaryDirectory(), 'notes.db')
  fs.writeFileSync(path, '')
  const { db, setAside } = openDerivedDatabase(path, notes)
  expect(setAside).toBeUndefined()
  expect(texts(db)).toEqual([])
  db.close()
})

test('in a home that cannot be written, what is there is read', () => {
  const directory = readOnlyDirectory(home => {
    const { db } = openDerivedDatabase(join(home, 'notes.db'), notes)
    db.exec(`INSERT INTO note VALUES ('there')`)
    db.close()
  })
  expect(openAsNobody(join(directory, 'notes.db'))).toEqual({ mode: 'readonly', texts: ['there'] })
  expect(fs.readdirSync(directory)).toEqual(['notes.db', 'notes.db.guard'])
})

test('in a home that cannot be written, memory serves where there is nothing to read', () => {
  const directory = readOnlyDirectory(home => {
    fs.writeFileSync(join(home, 'damaged.db'), 'x'.repeat(4_096))
    const { db } = openDerivedDatabase(join(home, 'old.db'), { ...notes, version: 7 })
    db.close()
  })
  const before = fs.readdirSync(directory)
  for (const name of ['missing.db', 'damaged.db', 'old.db', 'sub/missing.db'])
    expect(openAsNobody(join(directory, name))).toEqual({ mode: 'memory', texts: [] })
  expect(fs.readdirSync(directory)).toEqual(before)
})

/** Waits for a line on stdin, so that all open at the same moment; then writes some rows. */
const OPEN_AND_WRITE = `
  const { openDerivedDatabase, inTransaction } = await import('${SQLITE}')
  process.stdout.write('ready')
  await new Promise(resolve => process.stdin.once('data', resolve))
  const create = db => db.exec('CREATE TABLE note (text TEXT)')
  const { db, setAside } = openDerivedDatabase(process.argv[1], { version: 2, create })
  for (let n = 0; n < 20; n++)
    inTransaction(db, () => db.prepare('INSERT INTO note VALUES (?)').run(process.pid + ' ' + n))
  db.close()
  process.stdout.write(setAside ? ' aside' : ' opened')
  process.exit()
`
const PROCESSES = 4

async function openAtOnce(path: string): Promise<string[]> {
  const children = Array.from({ length: PROCESSES }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', OPEN_AND_WRITE, path], {
      stdio: ['pipe', 'pipe', 'pipe'],
    }),
  )
  onTestFinished(() => {
    for (const child of children) child.kill('SIGKILL')
  })
  const told = children.map(child => {
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', data => (text += data))
    return once(child, 'close').then(() => text)
  })
  await Promise.all(children.map(child => once(child.stdout, 'data')))
  for (const child of children) child.stdin.write('go\n')
  return Promise.all(told)
}

test.each<[string, (path: string) => void]>([
  ['a new database', () => {}],
  ['one of another version', path => openDerivedDatabase(path, notes).db.close()],
  ['a damaged one', path => fs.writeFileSync(path, 'damaged'.repeat(1_000))],
])('several processes that open %s at once all find it in order and lose nothing', async (what, make) => {
  for (let round = 0; round < 3; round++) {
    const directory = temporaryDirectory()
    const path = join(directory, 'notes.db')
    make(path)
    const told = await openAtOnce(path)
    const aside = told.filter(text => text === 'ready aside').length
    expect(told.filter(text => text === 'ready opened').length + aside, told.join('\n')).toBe(PROCESSES)
    expect(aside).toBe(what === 'a damaged one' ? 1 : 0)
    const { db } = openDerivedDatabase(path, { ...notes, version: 2 })
    expect(texts(db).length).toBe(PROCESSES * 20)
    db.close()
    expect(fs.readdirSync(directory).filter(name => name.includes('damaged')).length).toBe(aside)
  }
})
