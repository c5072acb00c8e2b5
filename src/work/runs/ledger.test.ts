import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { homeAt } from '../../config/index.ts'
import { ownIdentity } from '../../store/index.ts'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { RunLedger, runFile } from './ledger.ts'
import { perform } from './perform.ts'

function open(directory = temporaryDirectory(), options: ConstructorParameters<typeof RunLedger>[1] = {}) {
  const home = homeAt(directory)
  const path = join(home.projects, 'p', 'runs.json')
  return { path, directory, ledger: new RunLedger(runFile(home, { slug: 'p' }), options) }
}

const quiet = { trigger: 'schedule', source: 'a', signal: new AbortController().signal } as const

test('a run from its first line to its last, in a private file', async () => {
  const { ledger, path } = open()
  const steps: string[] = []
  const look = (name: string) => steps.push(`${name} ${ledger.runs().map(({ status }) => status)}`)
  const performed = await perform(ledger, {
    ...quiet,
    advance: async () => void look('advance'),
    work: async run => {
      look('work')
      await ledger.noteSession(run.id, 'session-1')
    },
  })
  look('after')
  expect(steps).toEqual(['advance queued', 'work running', 'after completed'])
  expect(performed).toMatchObject({ ending: { status: 'completed' } })
  expect(ledger.runs()).toMatchObject([{ owner: { pid: process.pid, session: 'session-1' }, error: null }])
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test.each([
  ['an error', new Error('broken'), 'failed'],
  ['what is no error', 'words', 'failed'],
  ['a closed stream', Object.assign(new Error('x'), { code: 'ERR_STREAM_PREMATURE_CLOSE' }), 'cancelled'],
  ['an abort', new DOMException('x', 'AbortError'), 'cancelled'],
])('%s ends it as it should', async (_, error, status) => {
  const { ledger } = open()
  await perform(ledger, { ...quiet, advance: async () => {}, work: () => Promise.reject(error) })
  expect(ledger.runs()).toMatchObject([{ status }])
})

test('what was cancelled before it began is not begun', async () => {
  const { ledger } = open()
  const work = () => Promise.reject(new Error('it ran'))
  const advance = async () => {
    const [run] = ledger.runs()
    await ledger.end(run?.id ?? '', { status: 'cancelled', error: 'not wanted' })
  }
  await perform(ledger, { ...quiet, advance, work })
  expect(ledger.runs()).toMatchObject([{ status: 'cancelled', error: 'not wanted', startedAt: null }])
})

test('a run of a machine that cannot be asked blocks for an hour, and no longer', async () => {
  let now = new Date('2026-04-08T12:00:00Z')
  const elsewhere = { ...ownIdentity(), host: 'elsewhere' }
  const { ledger, directory } = open(undefined, { identity: elsewhere, now: () => now })
  await ledger.begin('schedule', 'a')
  const here = open(directory, { now: () => now }).ledger
  now = new Date('2026-04-08T12:59:00Z')
  expect(await here.begin('schedule', 'a')).toHaveProperty('inTheWay')
  now = new Date('2026-04-08T13:01:00Z')
  expect(await here.begin('schedule', 'a')).toHaveProperty('run')
  expect(here.runs().map(({ status }) => status)).toEqual(['failed', 'queued'])
})

test('a long error is cut; a damaged ledger is put aside, and stops nothing', async () => {
  const { ledger, path } = open()
  const work = () => Promise.reject(new Error('x'.repeat(10_000)))
  await perform(ledger, { ...quiet, advance: async () => {}, work })
  expect(ledger.runs()[0]?.error).toHaveLength(500)
  writeFileSync(path, readFileSync(path, 'utf8').slice(0, 100))
  expect(ledger.runs()).toEqual([])
  expect(await ledger.begin('schedule', 'a')).toHaveProperty('run')
  expect(readdirSync(dirname(path)).some(name => name.startsWith('runs.json.damaged-'))).toBe(true)
})

test('of a ledger that somebody edited, what can be read stays: what goes on does not begin twice', async () => {
  const { ledger, path } = open()
  const begun = await ledger.begin('schedule', 'a')
  await ledger.start('run' in begun ? begun.run.id : '')
  const { runs } = JSON.parse(readFileSync(path, 'utf8'))
  const odd = [
    7,
    null,
    { ...runs[0], id: 'r-1', source: 'b', owner: { pid: 1 } },
    { ...runs[0], id: 'r-2', source: 'b', createdAt: 'long ago' },
    { ...runs[0], id: 'r-3', source: 'b', startedAt: 'then' },
  ]
  writeFileSync(path, JSON.stringify({ version: 1, runs: [...odd, ...runs] }))
  expect(ledger.runs()).toMatchObject([{ source: 'a', status: 'running' }])
  expect(await ledger.begin('schedule', 'a')).toHaveProperty('inTheWay')
  expect(await ledger.begin('schedule', 'b')).toHaveProperty('run')
  expect(ledger.runs().map(({ source }) => source)).toEqual(['a', 'b'])
  const aside = readdirSync(dirname(path)).find(name => name.startsWith('runs.json.damaged-')) ?? ''
  expect(JSON.parse(readFileSync(join(dirname(path), aside), 'utf8')).runs).toHaveLength(6)
})

test('a directory where the ledger should be is put aside', async () => {
  const { ledger, path } = open()
  mkdirSync(path, { recursive: true })
  expect(ledger.runs()).toEqual([])
  expect(await ledger.begin('schedule', 'a')).toHaveProperty('run')
  expect(ledger.runs()).toHaveLength(1)
})
