import {
  appendFileSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Message } from '../message.ts'
import { asText, contentsOf, line, SessionHome } from './session-home.fixture.ts'
import { SessionIndex, type SessionSearchOptions } from './session-index.ts'

function open(home: SessionHome): SessionIndex {
  const index = SessionIndex.open(home)
  onTestFinished(() => index[Symbol.dispose]())
  return index
}

async function opened(home: SessionHome): Promise<SessionIndex> {
  const index = open(home)
  await index.refresh()
  return index
}

async function found(index: SessionIndex, query: string, options?: SessionSearchOptions): Promise<string[]> {
  return (await index.search(query, options)).map(({ session, line }) => `${session}:${line}`)
}

describe('a hit', () => {
  test('says where the message stands, and shows it', async () => {
    const home = new SessionHome()
    const text = `We shall indent with tabs. ${'Nothing of interest. '.repeat(30)}`
    const path = home.write('a', ['Good morning.', text])
    const [hit] = await (await opened(home)).search('indenting')
    expect(hit).toEqual({
      session: 'a',
      project: 'demo',
      title: 'Good morning.',
      at: '2026-03-04T05:06:07.000Z',
      role: 'user',
      snippet: expect.stringMatching(/^We shall indent with tabs\..*…$/),
      file: path,
      line: 3,
      offset: readFileSync(path).indexOf('{"kind":"message","id":"m1"'),
      score: expect.any(Number),
    })
  })

  test('is found by what was said in any language', async () => {
    const home = new SessionHome()
    home.write('a', [
      '我喜欢用制表符缩进',
      'インデントはタブを使う',
      'un café naïve',
      'parseHTTPResponse2 is old',
    ])
    const index = await opened(home)
    expect(await found(index, '缩进')).toContain('a:2')
    expect((await found(index, 'インデント'))[0]).toBe('a:3')
    expect((await found(index, 'cafe naive'))[0]).toBe('a:4')
    expect((await found(index, 'http response'))[0]).toBe('a:5')
  })

  test('is not what was only injected or thought', async () => {
    const home = new SessionHome()
    home.write('a', [
      {
        parts: [
          asText('Which editor?'),
          { type: 'attachment', kind: 'memory', origin: 'memory', text: 'zebra' },
          { type: 'thinking', text: 'giraffe' },
        ],
      },
    ])
    const index = await opened(home)
    expect(await found(index, 'editor')).toEqual(['a:2'])
    expect(await found(index, 'zebra giraffe')).toEqual([])
  })

  test('has the title that the session was last given', async () => {
    const home = new SessionHome()
    home.write('a', ['zebra'])
    const index = await opened(home)
    appendFileSync(home.path('a'), line({ kind: 'meta', at: '', title: 'Stripes' }))
    await index.refresh()
    expect((await index.search('zebra'))[0]?.title).toBe('Stripes')
    appendFileSync(home.path('a'), line({ kind: 'boundary', at: '', summary: '', meta: { title: 'Horses' } }))
    await index.refresh()
    expect((await index.search('zebra'))[0]?.title).toBe('Horses')
  })

  test('has no title that is none', async () => {
    const home = new SessionHome()
    home.write('a', ['zebra'])
    appendFileSync(home.path('a'), line({ kind: 'meta', at: '', title: { not: 'a title' } }))
    expect((await (await opened(home)).search('zebra'))[0]?.title).toBe('zebra')
  })

  test('is left out when its message no longer stands there', async () => {
    const home = new SessionHome()
    home.write('a', ['zebra one'])
    home.write('b', ['zebra two'])
    const index = await opened(home)
    writeFileSync(home.path('a'), readFileSync(home.path('a'), 'utf8').replace('zebra', 'horse'))
    home.remove('b')
    expect(await found(index, 'zebra')).toEqual([])
  })

  test('comes once, however often the message was written or forked', async () => {
    const home = new SessionHome()
    home.write('a', ['zebra stripes'])
    const [header = '', message = ''] = readFileSync(home.path('a'), 'utf8').split('\n')
    appendFileSync(home.path('a'), `${message}\n`)
    home.write('fork', [])
    writeFileSync(home.path('fork'), `${header.replace('"a"', '"fork"')}\n${message}\n`)
    const hits = await (await opened(home)).search('zebra')
    expect(hits).toHaveLength(1)
  })
})

describe('hits', () => {
  test('come by session, the best first, and of each the best three', async () => {
    const home = new SessionHome()
    const filler = Array.from({ length: 12 }, (_, at) => `The weather of day ${at} was fine.`)
    home.write('passing', [...filler, 'A zebra once.', ...filler])
    home.write('about', ['zebra stripes', 'zebra food', 'zebra sleep', 'zebra fur', 'zebra stripes and food'])
    const index = await opened(home)
    const hits = await index.search('zebra stripes')
    expect(hits.map(({ session }) => session)).toEqual([
      'about',
      'about',
      'about',
      'passing',
      'passing',
      'passing',
    ])
    expect(hits[0]?.score).toBeGreaterThanOrEqual(hits[1]?.score ?? 0)
    expect(await found(index, 'zebra stripes', { limit: 1 })).toHaveLength(1)
  })

  test('can be limited to a time, a role, a project', async () => {
    const home = new SessionHome()
    const said = (role: Message['role'], at: string): Partial<Message> => ({
      role,
      at,
      parts: [asText(`zebra ${role} ${at}`)],
    })
    home.write('a', [said('user', '2026-01-10T00:00:00Z'), said('assistant', '2026-02-10T00:00:00Z')], 'one')
    home.write('b', [said('user', '2026-02-20T00:00:00Z'), said('tool', 'no time')], 'two')
    const index = await opened(home)
    const limited = async (options: SessionSearchOptions): Promise<string[]> =>
      (await found(index, 'zebra', options)).sort()
    expect(await limited({ since: new Date('2026-02-10T00:00:00Z') })).toEqual(['a:3', 'b:2'])
    expect(await limited({ before: new Date('2026-02-10T00:00:00Z') })).toEqual(['a:2'])
    expect(await limited({ since: new Date('2026-02-15'), before: new Date('2026-02-16') })).toEqual([])
    expect(await limited({ since: new Date('2031-01-01') })).toEqual([])
    expect(await limited({ role: 'user' })).toEqual(['a:2', 'b:2'])
    expect(await limited({ role: 'tool' })).toEqual(['b:3'])
    expect(await limited({ project: 'one' })).toEqual(['a:2', 'a:3'])
    expect(await limited({ project: 'one', role: 'user', since: new Date('2026-01-01') })).toEqual(['a:2'])
    expect(await limited({ project: 'none' })).toEqual([])
  })
})

describe('a refresh', () => {
  test('reads what is new, and nothing twice', async () => {
    const home = new SessionHome()
    const path = home.write('a', ['zebra one', 'x'.repeat(100_000)])
    home.write('b', ['horse'])
    const index = open(home)
    const size = statSync(path).size + statSync(home.path('b')).size
    expect(await index.refresh()).toEqual({ files: 2, changed: 2, bytes: size, turns: 3, unreadable: [] })
    expect(await index.refresh()).toMatchObject({ bytes: 0, turns: 0 })
    home.append('a', 'zebra two')
    const added = statSync(path).size + statSync(home.path('b')).size - size
    expect(await index.refresh()).toMatchObject({ bytes: added, turns: 1 })
    expect(await found(index, 'zebra')).toEqual(expect.arrayContaining(['a:2', 'a:4']))
  })

  test('by another index goes on where the last one ended', async () => {
    const home = new SessionHome()
    home.write('a', ['zebra one'])
    await opened(home)
    home.append('a', 'zebra two')
    const other = open(home)
    expect(await other.refresh()).toMatchObject({ turns: 1 })
    expect((await found(other, 'zebra')).sort()).toEqual(['a:2', 'a:3'])
  })

  test('leaves an unfinished last line to the next', async () => {
    const home = new SessionHome()
    home.write('a', ['zebra one'])
    const torn = home.lines(['zebra two'])
    appendFileSync(home.path('a'), torn.slice(0, 40))
    const index = await opened(home)
    expect(await found(index, 'zebra')).toEqual(['a:2'])
    appendFileSync(home.path('a'), torn.slice(40))
    expect(await index.refresh()).toMatchObject({ bytes: torn.length, turns: 1 })
    expect((await found(index, 'zebra')).sort()).toEqual(['a:2', 'a:3'])
  })

  test('passes over lines that are no records, and counts them', async () => {
    const home = new SessionHome()
    home.write('a', ['zebra one'])
    appendFileSync(
      home.path('a'),
      '\n{"kind":"mess\n[]\n{"kind":"message","id":"x"}\n{"kind":"of tomorrow"}\n',
    )
    home.append('a', 'zebra two')
    expect((await found(await opened(home), 'zebra')).sort()).toEqual(['a:2', 'a:8'])
  })

  test.each([
    ['cut off', (path: string) => truncateSync(path, readFileSync(path).lastIndexOf('{'))],
    ['rewritten', (path: string) => writeFileSync(path, readFileSync(path, 'utf8').replaceAll('two', 'too'))],
    [
      'rewritten and longer',
      (path: string) => writeFileSync(path, `${readFileSync(path, 'utf8').replaceAll('two', 'too')}\n\n`),
    ],
    [
      'replaced',
      (path: string) => {
        writeFileSync(`${path}.new`, readFileSync(path, 'utf8').replaceAll('two', 'twice'))
        renameSync(`${path}.new`, path)
      },
    ],
  ])('reads a file anew that was %s', async (_, change) => {
    const home = new SessionHome()
    home.write('a', ['zebra one', 'zebra two', 'zebra two'])
    home.write('b', ['zebra two'])
    const index = await opened(home)
    change(home.path('a'))
    await index.refresh()
    expect(contentsOf(home.database)).toEqual(await fromScratch(home))
    expect((await index.search('two')).map(({ session }) => session)).toContain('b')
  })

  test('forgets a session that is gone, and finds it when it is back', async () => {
    const home = new SessionHome()
    home.write('a', ['zebra one'])
    home.write('b', ['zebra two'])
    const index = await opened(home)
    renameSync(home.path('a'), `${home.path('a')}.trash`)
    await index.refresh()
    expect(await found(index, 'zebra')).toEqual(['b:2'])
    expect(contentsOf(home.database)).toEqual(await fromScratch(home))
    renameSync(`${home.path('a')}.trash`, home.path('a'))
    await index.refresh()
    expect((await found(index, 'zebra')).sort()).toEqual(['a:2', 'b:2'])
  })

  test('does not read a session of a newer format', async () => {
    const home = new SessionHome()
    home.write('a', ['zebra'])
    writeFileSync(home.path('a'), readFileSync(home.path('a'), 'utf8').replace('"format":1', '"format":99'))
    const index = await opened(home)
    home.append('a', 'zebra again')
    await index.refresh()
    expect(await found(index, 'zebra')).toEqual([])
  })

  test('finds nothing where there is nothing', async () => {
    const home = new SessionHome()
    const index = open(home)
    expect(await index.refresh()).toEqual({ files: 0, changed: 0, bytes: 0, turns: 0, unreadable: [] })
    expect(await index.search('zebra')).toEqual([])
    expect(await index.search('')).toEqual([])
  })

  test('can be stopped, and goes on the next time', async () => {
    const home = new SessionHome()
    for (let at = 0; at < 20; at++) home.write(`s${at}`, ['zebra', 'x '.repeat(20_000)])
    const index = open(home)
    const controller = new AbortController()
    const stopped = index.refresh({ signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(stopped).rejects.toThrow('enough')
    await index.refresh()
    expect(contentsOf(home.database)).toEqual(await fromScratch(home))
  })

  test('in process can be ended by closing the index', async () => {
    const home = new SessionHome()
    home.write('a', ['zebra'])
    home.write('b', ['zebra'])
    const index = open(home)
    const refreshing = index.refresh()
    index[Symbol.dispose]()
    expect(await refreshing).toMatchObject({ files: 2, turns: 0 })
  })
})

describe('the index', () => {
  test('is built anew when it was deleted, also while it is open', async () => {
    const home = new SessionHome()
    home.write('a', ['zebra'])
    const index = await opened(home)
    rmSync(home.cache, { recursive: true })
    await index.refresh()
    expect(await found(index, 'zebra')).toEqual(['a:2'])
    expect(await found(await opened(home), 'zebra')).toEqual(['a:2'])
  })

  test.each([
    ['is no database', () => Buffer.from('this is no database, and it never was one of SQLite')],
    [
      'has pages overwritten',
      (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(bytes.length - 4096, 7)]),
    ],
  ])('is built anew when it %s', async (_, damage) => {
    const home = new SessionHome()
    home.write('a', ['zebra'])
    {
      using index = SessionIndex.open(home)
      await index.refresh()
    }
    writeFileSync(home.database, damage(readFileSync(home.database)))
    const index = await opened(home)
    expect(await found(index, 'zebra')).toEqual(['a:2'])
  })

  test('mends itself when damage shows only in a search', async () => {
    const home = new SessionHome()
    const sessions = Array.from({ length: 30 }, (_, at) => `s${at}`)
    for (const session of sessions) home.write(session, [`zebra ${session}`, 'word '.repeat(500)])
    {
      using index = SessionIndex.open(home)
      await index.refresh()
    }
    {
      // What is told of the words points to nowhere.
      using db = new DatabaseSync(home.database)
      db.enableDefensive(false)
      db.exec("UPDATE turns_words_data SET block = x'00' WHERE id > 10")
    }
    const index = open(home)
    expect(await found(index, 'zebra s7')).toContain('s7:2')
    expect(await index.refresh()).not.toHaveProperty('problem')
  })

  test.skipIf(process.getuid?.() === 0)('is made in memory where it cannot be kept', async () => {
    const home = new SessionHome()
    home.write('a', ['zebra'])
    const index = SessionIndex.open({ projects: home.projects, cache: '/proc/nowhere' })
    expect(await index.refresh()).toMatchObject({
      turns: 1,
      problem: expect.stringContaining('cannot be kept'),
    })
    expect(await found(index, 'zebra')).toEqual(['a:2'])
  })
})

/** What an index holds that was built of the sessions as they are now. */
async function fromScratch(home: SessionHome): Promise<object> {
  const cache = join(home.root, 'scratch')
  rmSync(cache, { recursive: true, force: true })
  using index = SessionIndex.open({ projects: home.projects, cache })
  await index.refresh()
  return contentsOf(join(cache, 'sessions.sqlite'))
}
