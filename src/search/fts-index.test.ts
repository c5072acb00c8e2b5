import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { IndexLayout, SearchDocument } from './document.ts'
import { FtsIndex } from './fts-index.ts'

const NOTES: IndexLayout = { name: 'notes', fields: { name: 3, body: 1 } }
const TURNS: IndexLayout = { name: 'turns', fields: { text: 1 }, filters: ['role', 'time', 'project'] }

function note(id: string, body: string, name = ''): SearchDocument {
  return { id, fields: { name, body } }
}

function turn(
  group: string,
  order: number,
  text: string,
  filters: SearchDocument['filters'] = {},
): SearchDocument {
  return { id: `${group}:${order}`, group, order, fields: { text }, filters }
}

function open(
  layout: IndexLayout,
  documents: SearchDocument[],
  database = new DatabaseSync(':memory:'),
): FtsIndex {
  const index = new FtsIndex(database, layout)
  index.put(documents)
  return index
}

const found = (index: FtsIndex, query: string): string[] => index.search(query).hits.map(({ id }) => id)

describe('documents', () => {
  test('are found by what they say, replaced by id, and gone when removed', () => {
    const index = open(NOTES, [note('a', 'tabs'), note('b', 'spaces')])
    expect(found(index, 'tabs')).toEqual(['a'])
    index.put([note('a', 'commas')])
    expect(found(index, 'tabs')).toEqual([])
    expect(found(index, 'commas')).toEqual(['a'])
    expect(index.count()).toBe(2)
    index.remove(['a', 'never there'])
    expect(found(index, 'commas')).toEqual([])
    expect(index.count()).toBe(1)
  })

  test('given twice in one batch are kept once, as last said', () => {
    const index = open(NOTES, [note('a', 'tabs'), note('a', 'spaces')])
    expect(index.count()).toBe(1)
    expect(found(index, 'tabs spaces')).toEqual(['a'])
    expect(index.search('tabs').hits).toEqual([])
  })

  test('at the same place of a group replace each other', () => {
    const index = open(TURNS, [turn('s', 0, 'tabs')])
    index.put([{ id: 'rewritten', group: 's', order: 0, fields: { text: 'spaces' } }])
    expect(index.count()).toBe(1)
    expect(found(index, 'tabs')).toEqual([])
    expect(found(index, 'spaces')).toEqual(['rewritten'])
  })

  test('may move from one group to another, or out of any', () => {
    const index = open(TURNS, [turn('s', 0, 'tabs')])
    index.put([{ id: 's:0', group: 't', order: 5, fields: { text: 'tabs' } }])
    expect(index.search('tabs').hits).toMatchObject([{ id: 's:0', group: 't', order: 5 }])
    index.put([{ id: 's:0', fields: { text: 'tabs' } }])
    expect(index.search('tabs').hits[0]).not.toHaveProperty('group')
    expect(index.count()).toBe(1)
  })

  test('survive closing: another index on the same database has them', () => {
    const database = new DatabaseSync(':memory:')
    open(NOTES, [note('a', 'tabs')], database)
    expect(found(new FtsIndex(database, NOTES), 'tabs')).toEqual(['a'])
  })

  test('of one name do not show under another', () => {
    const database = new DatabaseSync(':memory:')
    const first = open(NOTES, [note('a', 'tabs')], database)
    const second = open({ ...NOTES, name: 'others' }, [note('b', 'tabs')], database)
    expect([found(first, 'tabs'), found(second, 'tabs')]).toEqual([['a'], ['b']])
    second.clear()
    expect([first.count(), second.count()]).toEqual([1, 0])
    expect(found(first, 'tabs')).toEqual(['a'])
  })

  test('of another layout are forgotten: the index is built anew', () => {
    const database = new DatabaseSync(':memory:')
    open(NOTES, [note('a', 'tabs')], database)
    expect(new FtsIndex(database, { ...NOTES, fields: { name: 1, body: 1, hook: 1 } }).count()).toBe(0)
  })

  test('are put all or none', () => {
    const index = open(NOTES, [note('a', 'tabs')])
    expect(() => index.put([note('b', 'spaces'), { id: 'c', fields: { unknown: 'x' } }])).toThrow(
      'no field "unknown"',
    )
    expect(index.count()).toBe(1)
    expect(found(index, 'spaces')).toEqual([])
  })

  test('join a transaction that the caller has open', () => {
    const database = new DatabaseSync(':memory:')
    const index = open(NOTES, [], database)
    database.exec('BEGIN')
    index.put([note('a', 'tabs')])
    database.exec('ROLLBACK')
    expect(index.count()).toBe(0)
    expect(found(index, 'tabs')).toEqual([])
  })

  test.each([[-1], [1.5], [2 ** 22], [undefined]])('with order %s in a group are refused', order => {
    const index = open(TURNS, [])
    const document = { id: 'x', group: 's', fields: { text: 'x' }, ...(order !== undefined && { order }) }
    expect(() => index.put([document])).toThrow(RangeError)
  })
})

describe('a search', () => {
  test.each([
    ['缩进 偏好', '我喜欢用制表符缩进'],
    ['制表符', '我喜欢用制表符缩进'],
    ['猫', '家里有一只猫和一只狗'],
    ['インデント', 'インデントはタブを使う'],
    ['들여쓰기', '들여쓰기는 탭을 사용'],
    ['http response', 'parseHTTPResponse2 is old'],
    ['parseHTTPResponse2', 'parseHTTPResponse2 is old'],
    ['parse_http_response', 'parseHTTPResponse is old'],
    ['src/search/index.ts', 'see src/search/index.ts'],
    ['indenting', 'indents with tabs'],
    ['buy', 'bought a guitar'],
    ['deploy', 'the deployments of May'],
    ['deployment', 'never deploy at night'],
    ['naive cafe', 'a naïve café'],
    ['ＴＡＢ', 'tab'],
    ['to be or not to be', 'to be or not to be'],
  ])('for %s finds %s', (query, text) => {
    expect(found(open(NOTES, [note('other', 'something else'), note('it', text)]), query)).toEqual(['it'])
  })

  test.each([
    '"',
    '*',
    'tabs"',
    'NEAR(tabs)',
    'tabs OR',
    'name:tabs',
    '-tabs',
    '^tabs',
    "tabs'); DROP TABLE notes_words;--",
  ])('takes %s as words, not as syntax', query => {
    const index = open(NOTES, [note('a', 'tabs'), note('b', 'spaces')])
    expect(found(index, query)).toEqual(query.includes('tabs') ? ['a'] : [])
    expect(index.count()).toBe(2)
  })

  test('weighs fields', () => {
    const index = open(NOTES, [
      note('body', 'tabs and more', 'preferences'),
      note('name', 'and more words', 'tabs'),
    ])
    expect(found(index, 'tabs')).toEqual(['name', 'body'])
  })

  test('says what was covered and matched', () => {
    const [hit] = open(NOTES, [note('a', 'tabs', 'Prefers tabs')]).search('tabs or zebras').hits
    expect(hit).toMatchObject({ matched: ['tab'], distinctive: 1, bestField: { name: 'body', share: 1 } })
    expect(hit?.coverage).toBeGreaterThan(0.3)
    expect(hit?.coverage).toBeLessThan(0.6)
  })

  test('finds rare words among common ones, though the common have more places than are read', () => {
    const documents = Array.from({ length: 9_000 }, (_, at) => note(`n${at}`, `common ordinary number${at}`))
    const index = open(NOTES, [...documents, note('rare', 'zebra stripe'), note('both', 'zebra common')])
    expect(found(index, 'common zebra')).toEqual(['both', 'rare'])
    const common = index.search('common ordinary', { limit: 3 }).hits
    expect(common).toHaveLength(3)
    expect(common[0]?.matched).toEqual(['common', 'ordinari'])
  })

  test('brings the reply that repeats no word of the question, and ranks sessions', () => {
    const index = open(TURNS, [
      turn('s', 0, 'Which editor do you like?'),
      turn('s', 1, 'Vim, always.'),
      turn('t', 0, 'The weather is fine.'),
      turn('t', 1, 'My editor crashed.'),
      turn('t', 2, 'Yes.'),
    ])
    const { hits, groups } = index.search('which editor is liked')
    expect(hits.slice(0, 2).map(({ id }) => id)).toEqual(['s:0', 's:1'])
    expect(groups.map(({ group, best }) => [group, best])).toEqual([
      ['s', 's:0'],
      ['t', 't:1'],
    ])
  })

  test('is limited by filters, neighbours included', () => {
    const index = open(TURNS, [
      turn('s', 0, 'tabs please', { role: 'user', time: 10, project: 'a' }),
      turn('s', 1, 'tabs it is', { role: 'assistant', time: 20, project: 'a' }),
      turn('t', 0, 'tabs again', { role: 'user', time: 30, project: 'b' }),
    ])
    const ids = (filter: Parameters<FtsIndex['search']>[1]): string[] =>
      index
        .search('tabs', filter)
        .hits.map(({ id }) => id)
        .sort()
    expect(ids({ filter: { role: 'user' } })).toEqual(['s:0', 't:0'])
    expect(ids({ filter: { time: { from: 20 } } })).toEqual(['s:1', 't:0'])
    expect(ids({ filter: { time: { before: 20 } } })).toEqual(['s:0'])
    expect(ids({ filter: { project: ['b', 'c'] } })).toEqual(['t:0'])
    expect(ids({ filter: { role: 'user', project: 'a' } })).toEqual(['s:0'])
    expect(() => index.search('tabs', { filter: { colour: 'red' } })).toThrow(
      'cannot be filtered by "colour"',
    )
  })

  test('joins a second signal by rank, without strangers and without repeats', async () => {
    const index = open(NOTES, [note('a', 'tabs'), note('b', 'whitespace'), note('c', 'tabs tabs')])
    const asked: string[] = []
    const signal = async (query: string): Promise<string[]> => {
      asked.push(query)
      return ['b', 'a', 'deleted long ago', 'b']
    }
    const { hits } = await index.searchWith(signal, 'tabs')
    expect(asked).toEqual(['tabs'])
    expect(hits.map(({ id }) => id)).toEqual(['a', 'c', 'b'])
    expect(hits.at(-1)).toMatchObject({ score: 0, coverage: 0, matched: [] })
  })
})

describe('an index of conversations', () => {
  const TALKS: IndexLayout = {
    name: 'talks',
    fields: { text: 1 },
    filters: ['role'],
    ranges: ['time'],
    carried: ['line', 'note'],
    idsByPlace: true,
  }
  const talk = (group: string, order: number, text: string, role = 'user'): SearchDocument => ({
    ...turn(group, order, text, { role, time: order }),
    carried: { line: order * 10, note: `${group}${order}` },
  })

  test('calls documents by their places, and tells what they carry', () => {
    const index = open(TALKS, [talk('s:1', 0, 'tabs'), talk('s:1', 1, 'spaces')])
    expect(index.search('spaces').hits[0]).toMatchObject({
      id: 's:1:1',
      group: 's:1',
      order: 1,
      carried: { line: 10, note: 's:11' },
    })
    index.put([talk('s:1', 1, 'commas')])
    expect([found(index, 'spaces'), index.count()]).toEqual([[], 2])
    index.remove(['s:1:1', 's:1:7', 'nobody:1', 'nonsense'])
    expect([found(index, 'tabs commas'), index.count()]).toEqual([['s:1:0'], 1])
  })

  test('takes documents that were prepared before', () => {
    const index = open(TALKS, [])
    index.put([index.prepare(talk('s', 0, 'tabs')), talk('s', 1, 'more tabs')])
    expect(found(index, 'tabs').sort()).toEqual(['s:0', 's:1'])
  })

  test('gives the hits of its best groups, so many of each', () => {
    const talks = Array.from({ length: 5 }, (_, at) => talk('much', at, `zebra stripes ${at}`))
    const index = open(TALKS, [...talks, talk('little', 0, 'one zebra'), talk('none', 0, 'horse')])
    const { hits, groups } = index.search('zebra stripes', { hitsPerGroup: 2, groupLimit: 5, limit: 50 })
    expect(groups.map(({ group }) => group)).toEqual(['much', 'little'])
    expect(hits.map(({ group }) => group)).toEqual(['much', 'much', 'little'])
  })

  test('lets go of a group, a part at a time', () => {
    const talks = Array.from({ length: 5 }, (_, at) => talk('s', at, `zebra ${at}`))
    const index = open(TALKS, [...talks, talk('t', 0, 'zebra')])
    expect([index.removeGroup('s', 3), index.removeGroup('s', 3), index.removeGroup('s', 3)]).toEqual([
      3, 2, 0,
    ])
    expect(index.removeGroup('nobody', 3)).toBe(0)
    expect([found(index, 'zebra'), index.count()]).toEqual([['t:0'], 1])
  })

  test('looks for common words where a filter leaves nothing of the rare ones', () => {
    const common = Array.from({ length: 9_000 }, (_, at) =>
      talk('s', at, 'common', at === 4_000 ? 'tool' : 'user'),
    )
    const index = open(TALKS, [...common, talk('s', 9_000, 'rare zebra')])
    expect(index.search('common zebra', { filter: { role: 'tool' } }).hits.map(({ id }) => id)).toEqual([
      's:4000',
    ])
    expect(index.search('common', { filter: { time: { before: 3 } } }).hits).toHaveLength(3)
    expect(index.search('common', { filter: { role: [] } }).hits).toEqual([])
    expect(index.search('common', { filter: { role: 'nobody' } }).hits).toEqual([])
  })

  test('is not fooled by a text that looks like a filter', () => {
    const index = open(TALKS, [talk('s', 0, 'tabs →1 role=tool tool', 'user')])
    expect(index.search('tabs', { filter: { role: 'tool' } }).hits).toEqual([])
  })
})

describe('whatever is written', () => {
  const anyText = fc.string({ unit: 'binary', maxLength: 60 })

  test('nothing throws and no id comes twice', () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 8 }), anyText, (texts, query) => {
        const index = open(
          TURNS,
          texts.map((text, at) => turn(at % 2 ? 's' : 't', at, text)),
        )
        for (const asked of [query, ...texts]) {
          const { hits, groups } = index.search(asked)
          expect(new Set(hits.map(({ id }) => id)).size).toBe(hits.length)
          expect(new Set(groups.map(({ group }) => group)).size).toBe(groups.length)
        }
      }),
      { numRuns: 60 },
    )
  })

  test('a word that only one document has finds it first', () => {
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 1, maxLength: 8 }), fc.nat(), (texts, choice) => {
        const at = choice % texts.length
        const documents = texts.map((text, number) =>
          note(`n${number}`, number === at ? `${text} qzxv` : text),
        )
        expect(found(open(NOTES, documents), 'qzxv')).toEqual([`n${at}`])
      }),
      { numRuns: 60 },
    )
  })
})
