/** Threads, and other processes, at the same index at the same time. */
import { execFile } from 'node:child_process'
import { appendFileSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { contentsOf, line, SessionHome } from './session-home.fixture.ts'
import { SessionIndex } from './session-index.ts'

const run = promisify(execFile)

/** Refreshes the index of a home in a process of its own; returns what each refresh told. */
async function refreshElsewhere(
  home: SessionHome,
  times = 1,
): Promise<{ turns: number; problem?: string }[]> {
  const code = `
    const { SessionIndex } = await import(${JSON.stringify(new URL('./session-index.ts', import.meta.url).href)})
    const [projects, cache, times] = process.argv.slice(1)
    const told = []
    for (let time = 0; time < Number(times); time++) {
      using index = SessionIndex.open({ projects, cache })
      told.push(await index.refresh())
    }
    console.log(JSON.stringify(told))`
  const args = ['--input-type=module', '-e', code, '--', home.projects, home.cache, String(times)]
  return JSON.parse((await run(process.execPath, args)).stdout)
}

async function fromScratch(home: SessionHome): Promise<object> {
  const cache = join(home.root, 'scratch')
  rmSync(cache, { recursive: true, force: true })
  using index = SessionIndex.open({ projects: home.projects, cache })
  await index.refresh()
  return contentsOf(join(cache, 'sessions.sqlite'))
}

/** Much is given to threads: a quarter of a megabyte and more. Each session has half of that. */
function writeMuch(home: SessionHome, sessions: number): void {
  for (let at = 0; at < sessions; at++) writeSession(home, at)
}

function writeSession(home: SessionHome, at: number): void {
  const word = (turn: number, number: number): string => `w${(at * 7919 + turn * 613 + number * 37) % 20_000}`
  const words = (turn: number): string =>
    Array.from({ length: 300 }, (_, number) => word(turn, number)).join(' ')
  home.write(
    `s${at}`,
    Array.from({ length: 60 }, (_, turn) => `zebra${at} said ${turn} words ${words(turn)}`),
  )
}

test('much is read by threads, to the same end as a little at a time', async () => {
  const home = new SessionHome()
  using slow = SessionIndex.open(home)
  for (let at = 0; at < 80; at++) {
    writeSession(home, at)
    await slow.refresh()
  }
  const cache = join(home.root, 'other')
  using fast = SessionIndex.open({ projects: home.projects, cache })
  const { bytes, ...told } = await fast.refresh()
  expect(told).toEqual({ files: 80, changed: 80, turns: 80 * 60, unreadable: [] })
  expect(bytes).toBeGreaterThan(8 * 2 ** 20) // enough for two threads
  expect((await fast.search('zebra7'))[0]?.session).toBe('s7')
  expect(contentsOf(join(cache, 'sessions.sqlite'))).toEqual(contentsOf(home.database))
})

test('very many sessions are not all open at once', async () => {
  const home = new SessionHome()
  for (let at = 0; at < 1_500; at++) home.write(`s${at}`, ['zebra', `stripe${at}`])
  using index = SessionIndex.open(home)
  expect(await index.refresh()).toMatchObject({ files: 1_500, turns: 3_000, unreadable: [] })
  expect((await index.search('stripe777'))[0]?.session).toBe('s777')
})

test('a search while the index is built finds what is there', async () => {
  const home = new SessionHome()
  writeMuch(home, 80)
  using index = SessionIndex.open(home)
  let building = true
  const built = index.refresh().finally(() => {
    building = false
  })
  let foundMeanwhile = 0
  while (building) {
    const hits = await index.search('words zebra0 zebra1')
    if (building) foundMeanwhile = Math.max(foundMeanwhile, hits.length)
    await sleep(5)
  }
  expect((await built).turns).toBe(80 * 60)
  expect(foundMeanwhile).toBeGreaterThan(0)
})

test('threads can be stopped, and what they did stays', async () => {
  const home = new SessionHome()
  writeMuch(home, 80)
  using index = SessionIndex.open(home)
  const controller = new AbortController()
  const stopped = index.refresh({ signal: controller.signal })
  while ((await index.search('words')).length === 0) await sleep(5)
  controller.abort()
  await expect(stopped).rejects.toThrow()
  await index.refresh()
  expect(contentsOf(home.database)).toEqual(await fromScratch(home))
})

test('a refresh in the background does not keep the process alive', async () => {
  const home = new SessionHome()
  writeMuch(home, 40)
  const code = `
    const { SessionIndex } = await import(${JSON.stringify(new URL('./session-index.ts', import.meta.url).href)})
    const [projects, cache] = process.argv.slice(1)
    const index = SessionIndex.open({ projects, cache })
    index.refresh({ background: true }).then(() => console.log('done'))`
  const args = ['--input-type=module', '-e', code, '--', home.projects, home.cache]
  expect((await run(process.execPath, args)).stdout).toBe('')
  using index = SessionIndex.open(home)
  await index.refresh()
  expect(contentsOf(home.database)).toEqual(await fromScratch(home))
})

test('processes that refresh at once neither lose nor double anything', async () => {
  const home = new SessionHome()
  writeMuch(home, 12)
  using index = SessionIndex.open(home)
  const writing = new AbortController()
  onTestFinished(() => writing.abort())
  const writer = (async () => {
    for (let at = 0; !writing.signal.aborted; at++) {
      home.append(`s${at % 12}`, `zebra added ${at}`)
      if (at % 7 === 0) home.write(`s${at % 12}`, ['zebra begun anew', `and more ${at}`])
      if (at % 11 === 0) home.write(`new${at}`, ['zebra new'])
      await sleep(3)
    }
  })()
  const others = Promise.all([refreshElsewhere(home, 8), refreshElsewhere(home, 8)])
  let running = true
  void others.finally(() => {
    running = false
  })
  while (running) await index.refresh()
  const told = (await others).flat()
  writing.abort()
  await writer
  expect(told.filter(({ problem }) => problem !== undefined)).toEqual([])
  await index.refresh()
  expect(contentsOf(home.database)).toEqual(await fromScratch(home))
})

const session = fc.constantFrom('a', 'b', 'c')
const text = fc.constantFrom('zebra', 'horse and cart', '缩进', 'x '.repeat(3_000))
const change = fc.oneof(
  fc.record({ kind: fc.constant('append' as const), session, text }),
  fc.record({ kind: fc.constant('tear' as const), session, text, at: fc.nat(60) }),
  fc.record({
    kind: fc.constant('cut' as const),
    session,
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  fc.record({ kind: fc.constant('rewrite' as const), session, texts: fc.array(text, { maxLength: 4 }) }),
  fc.record({ kind: fc.constant('overwrite' as const), session, text }),
  fc.record({ kind: fc.constant('title' as const), session, text }),
  fc.record({ kind: fc.constant('delete' as const), session }),
  fc.record({ kind: fc.constant('refresh' as const) }),
)
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

/** What sessions go through, kept in memory so that the files can be written as they should be. */
class Writer {
  #home: SessionHome
  #files = new Map<string, Buffer>()

  constructor(home: SessionHome) {
    this.#home = home
    mkdirSync(join(home.path('a'), '..'), { recursive: true })
  }

  make(change: Exclude<Change, { kind: 'refresh' }>): void {
    const path = this.#home.path(change.session)
    const before = this.#files.get(path) ?? Buffer.alloc(0)
    switch (change.kind) {
      case 'append':
        this.#append(path, this.#home.lines([change.text]))
        break
      case 'tear':
        this.#append(path, this.#home.lines([change.text]).slice(0, change.at))
        break
      case 'title':
        this.#append(path, line({ kind: 'meta', at: '', title: change.text }))
        break
      case 'cut':
        if (before.length > 0) this.#cut(path, Math.floor(before.length * change.share))
        break
      case 'overwrite': // the same size, and often the same beginning
        this.#write(path, Buffer.from(before.toString('latin1').replaceAll('zebra', 'camel'), 'latin1'))
        break
      case 'rewrite':
        this.#write(path, Buffer.from(this.#home.lines(change.texts)))
        break
      case 'delete':
        this.#files.delete(path)
        rmSync(path, { force: true })
    }
  }

  #cut(path: string, length: number): void {
    this.#files.set(path, (this.#files.get(path) ?? Buffer.alloc(0)).subarray(0, length))
    truncateSync(path, length)
  }

  #append(path: string, text: string): void {
    this.#files.set(path, Buffer.concat([this.#files.get(path) ?? Buffer.alloc(0), Buffer.from(text)]))
    appendFileSync(path, text)
  }

  #write(path: string, bytes: Buffer): void {
    this.#files.set(path, bytes)
    writeFileSync(path, bytes)
  }
}

test('whatever happens to the files, a refresh leaves what building anew would', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 25 }), async changes => {
      const home = new SessionHome()
      const writer = new Writer(home)
      using index = SessionIndex.open(home)
      for (const change of changes) {
        if (change.kind === 'refresh') await index.refresh()
        else writer.make(change)
      }
      await index.refresh()
      expect(contentsOf(home.database)).toEqual(await fromScratch(home))
    }),
    { numRuns: 60 },
  )
})
