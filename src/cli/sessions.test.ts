import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { homeAt, projectSlug } from '../config/index.ts'
import { Sessions } from '../session/index.ts'
import { replied, returned, said } from '../session/session.fixture.ts'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { reverie } from './reverie.fixture.ts'

/** A home with one session of the project that is the home itself, and one of another. */
async function seeded() {
  const home = temporaryDirectory()
  const held = async (root: string, ...messages: ReturnType<typeof said>[]) => {
    await using transcript = new Sessions(homeAt(home), { root, slug: projectSlug(root) }).create()
    await transcript.append(...messages)
    return transcript.id
  }
  const mine = await held(
    home,
    said('Why did we choose Postgres?'),
    replied('Because of row-level security.', [['a', 'bash']]),
    returned('a', 'bash', 'psql 15'),
  )
  const other = await held('/elsewhere', said('制表符缩进怎么设置?'))
  const run = (...args: string[]) => reverie(['sessions', ...args], { home })
  const json = (...args: string[]) => JSON.parse(run(...args, '--json').stdout)
  return { home, mine, other, run, json }
}

test('list: of this project, or of all', async () => {
  const { mine, other, run, json } = await seeded()
  expect(json('list').map(({ id }: { id: string }) => id)).toEqual([mine])
  expect(
    json('list', '--all')
      .map(({ id }: { id: string }) => id)
      .toSorted(),
  ).toEqual([mine, other].toSorted())
  expect(json('list', '--all', '-n', '1')).toHaveLength(1)
  expect(run('list').stdout).toMatch(/Why did we choose Postgres\?/)
  const empty = temporaryDirectory()
  expect(reverie(['sessions', 'list'], { home: empty }).stdout).toBe('There are no sessions yet.\n')
  mkdirSync(join(empty, 'x'))
})

test('search: in every project, by word, by role, by time, in Chinese', async () => {
  const { mine, other, run, json } = await seeded()
  const [hit] = json('search', 'why postgres')
  expect(hit).toMatchObject({ session: mine, role: 'user', line: 2, at: expect.any(String) })
  expect(readFileSync(hit.file, 'utf8').split('\n')[hit.line - 1]).toContain('Postgres')
  expect(json('search', '缩进')).toMatchObject([{ session: other }])
  expect(json('search', '缩进', '--here')).toEqual([])
  expect(json('search', 'row-level security', '--role', 'assistant')).toMatchObject([{ role: 'assistant' }])
  expect(json('search', 'postgres', '--role', 'tool')).toEqual([])
  expect(json('search', 'postgres', '--since', '2026-05-01')).toEqual([])
  expect(json('search', 'postgres', '--before', '2026-05-01')).not.toEqual([])
  expect(json('search', 'zebra')).toEqual([])
  expect(run('search', 'postgres').stdout).toContain('Why did we choose Postgres?')
  expect(run('search', 'x', '--since', 'soon')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/should be a date/),
  })
})

test('show, export, rename, fork, delete, restore', async () => {
  const { home, mine, run, json } = await seeded()
  expect(run('show', mine.slice(0, -2)).stdout).toMatch(
    /## You[\s\S]*Postgres[\s\S]*## Assistant[\s\S]*psql 15/,
  )
  expect(json('show', mine).messages).toHaveLength(3)
  const out = join(home, 'talk.md')
  expect(run('export', mine, '--out', out).code).toBe(0)
  expect(readFileSync(out, 'utf8')).toMatch(/^# Why did we choose Postgres\?/)
  expect(run('export', mine, '--out', out)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/Could not write/),
  })
  expect(run('rename', mine, 'Databases').code).toBe(0)
  const { id } = json('fork', mine)
  expect(json('list').map(({ title }: { title: string }) => title)).toEqual(['Databases', 'Databases'])
  expect(json('show', id).messages).toHaveLength(3)
  expect(run('delete', id).code).toBe(0)
  expect(json('list')).toHaveLength(1)
  expect(run('restore', id).code).toBe(0)
  expect(json('list')).toHaveLength(2)
})

test("another project's session is brought back from where it was deleted", async () => {
  const { other, run, json } = await seeded()
  expect(run('delete', other).code).toBe(0)
  expect(run('restore', other)).toMatchObject({ code: 0, stderr: '' })
  expect(json('show', other).messages).not.toEqual([])
  expect(run('restore', 'nope')).toMatchObject({ code: 1, stderr: expect.stringMatching(/no session nope/) })
})

test('what is not there, ambiguous or damaged is told in a sentence', async () => {
  const { home, mine, other, run, json } = await seeded()
  expect(run('show', 'nope')).toMatchObject({ code: 1, stderr: expect.stringMatching(/no session nope/) })
  expect(run('show', other).stdout).toContain('制表符')
  expect(run('resume', 'nope')).toMatchObject({ code: 1 })
  const path = new Sessions(homeAt(home), { slug: projectSlug(home) }).pathOf(mine)
  writeFileSync(path, 'garbage\n')
  expect(run('show', mine)).toMatchObject({ code: 1, stderr: expect.stringMatching(/is not a session/) })
  expect(json('list')).toMatchObject([{ id: mine, problem: expect.stringMatching(/not a session/) }])
  expect(reverie(['doctor'], { home }).stdout).toMatch(/sessions.*cannot be read/)
})
