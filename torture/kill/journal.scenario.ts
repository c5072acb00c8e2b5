import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { everyObject } from '../../src/store/journal/every-object.fixture.ts'
import { Journal, type JournalEntry } from '../../src/store/journal/index.ts'
import { acquireLock } from '../../src/store/lock.ts'
import { oneOf } from '../random.ts'
import { assertRule, type Scenario } from './scenario.ts'

const PATHS = ['memory/a.md', 'memory/b.md', 'memory/c.md', 'projects/p/memory/d.md', 'SOUL.md']
const PACK_SHARE = 0.05
const PURGE_SHARE = 0.05
/** Native git is slow to start, so it has its say now and then. */
const FSCK_EVERY_KILLS = 8
/** Enough to go through a pack instead of loose objects. */
const BULK_FILES = 120
const BULK_SHARE = 0.05

const hasGit = spawnSync('git', ['--version']).status === 0

async function entriesOf(journal: Journal): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = []
  for await (const entry of journal.log()) entries.push(entry)
  return entries
}

/** Content and message both carry the number, which never comes again. */
const textOf = (number: number, path: string) => `content ${number} of ${path}\n`

/** Commits, packs and purges: what was acknowledged is in the log and readable, what was purged is gone. */
export const scenario: Scenario = {
  name: 'journal',

  async child(directory, acknowledge) {
    const journal = new Journal({ home: directory })
    const life = Date.now()
    for (let step = 1; ; step++) {
      const number = life * 1_000 + step
      const path = oneOf(Math.random, PATHS)
      const dice = Math.random()
      if (dice < PACK_SHARE) {
        await journal.pack()
        acknowledge('packed')
      } else if (dice < PACK_SHARE + PURGE_SHARE) {
        acknowledge(`purging ${path}`)
        await journal.purge(path)
        acknowledge(`purged ${path}`)
      } else {
        const bulk = Array.from({ length: dice > 1 - BULK_SHARE ? BULK_FILES : 0 }, (_, n) => ({
          path: `memory/bulk-${n}.md`,
          after: Buffer.from(textOf(number, String(n))),
        }))
        const after = Buffer.from(textOf(number, path))
        const entry = await journal.commit({
          message: `number ${number}`,
          kind: 'save',
          changes: [{ path, after }, ...bulk],
        })
        acknowledge(`saved ${path} ${number} ${entry?.id} ${bulk.length}`)
      }
    }
  },

  async check(directory, acknowledged, kills) {
    const journal = new Journal({ home: directory })
    const lock = join(journal.gitdir, 'reverie-lock')
    if (!existsSync(journal.gitdir)) {
      const done = acknowledged.filter(record => !record.startsWith('purging'))
      assertRule(done.length === 0, 'what was acknowledged is in a journal')
      return
    }
    await (await acquireLock(lock, { waitMs: 0 })).release()
    const health = await journal.health()
    assertRule(health.state === 'ok', `the journal is well: ${JSON.stringify(health)}`)
    const objects = everyObject(journal.gitdir)
    const messages = new Set((await entriesOf(journal)).map(entry => entry.message))
    const expected = stillExpected(acknowledged)
    for (const { number } of expected)
      assertRule(messages.has(`number ${number}`), `entry ${number}, acknowledged, is in the log`)
    const newest = expected.at(-1)
    if (newest) {
      const content = await journal.read(newest.id, newest.path)
      assertRule(content?.toString() === textOf(newest.number, newest.path), 'the newest entry is readable')
    }
    const all = Buffer.concat(objects.map(object => object.bytes)).toString('latin1')
    for (const text of purged(acknowledged)) assertRule(!all.includes(text), `"${text.trim()}" is gone`)
    if (hasGit && kills % FSCK_EVERY_KILLS === 0) fsck(journal.gitdir)
  },
}

interface Saved {
  path: string
  number: number
  id: string
}

function parse(record: string): Saved & { what: string; bulk: number } {
  const [what = '', path = '', number = '', id = '', bulk = ''] = record.split(' ')
  return { what, path, number: Number(number), id, bulk: Number(bulk) }
}

/** Entries about one path go when a purge of it begins, acknowledged or not; those of many files stay. */
function stillExpected(acknowledged: readonly string[]): Saved[] {
  let expected: ReturnType<typeof parse>[] = []
  for (const record of acknowledged.map(parse)) {
    if (record.what === 'saved') expected.push(record)
    if (record.what === 'purging')
      expected = expected.filter(({ path, bulk }) => path !== record.path || bulk > 0)
  }
  return expected.filter(({ bulk }) => bulk === 0)
}

/** Contents that a purge, acknowledged, has removed. */
function purged(acknowledged: readonly string[]): string[] {
  const saved: Saved[] = []
  const gone: string[] = []
  for (const record of acknowledged.map(parse)) {
    if (record.what === 'saved') saved.push(record)
    if (record.what === 'purged')
      gone.push(...saved.filter(({ path }) => path === record.path).map(s => textOf(s.number, s.path)))
  }
  return gone
}

function fsck(gitdir: string): void {
  const { status, stderr } = spawnSync('git', ['--git-dir', gitdir, 'fsck', '--strict', '--full'], {
    encoding: 'utf8',
  })
  assertRule(status === 0, `git finds nothing wrong: ${stderr}`)
}
