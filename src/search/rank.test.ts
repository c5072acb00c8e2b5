import { expect, test } from 'vitest'
import { fuseByRank } from './fuse.ts'
import { type Candidate, type CandidateGroup, inverseFrequency, rank, type TermStatistics } from './rank.ts'
import { planReadings, shortlist } from './shortlist.ts'

const corpus = { documents: 100, groups: 10, averageLengths: [10], averageGroupLength: 100 }
const rare: TermStatistics = { term: 'rare', weight: 1, documents: 2, groups: 2 }
const common: TermStatistics = { term: 'common', weight: 1, documents: 60, groups: 10 }

function document(id: string, mentions: number[], more: Partial<Candidate> = {}): Candidate {
  return { id, prior: 1, lengths: [10], mentions: mentions.map(count => [count]), ...more }
}

function turn(group: string, order: number, mentions: number[]): Candidate {
  return document(`${group}:${order}`, mentions, { group, order })
}

function order(candidates: Candidate[], terms = [rare, common], groups: CandidateGroup[] = []): string[] {
  return rank(terms, corpus, [1], candidates, groups).documents.map(({ candidate }) => candidate.id)
}

test('a rare word counts more than a common one', () => {
  expect(order([document('common', [0, 3]), document('rare', [1, 0])])).toEqual(['rare', 'common'])
})

test('two words count more than one of them twice', () => {
  const terms = [rare, { ...rare, term: 'other' }]
  expect(order([document('twice', [2, 0]), document('both', [1, 1])], terms)).toEqual(['both', 'twice'])
})

test('a short document that says it is before a long one', () => {
  const long = document('long', [1, 0], { lengths: [80] })
  expect(order([long, document('short', [1, 0])])).toEqual(['short', 'long'])
})

test('a word in a weighty field counts more', () => {
  const inBody: Candidate = { id: 'body', prior: 1, lengths: [10, 10], mentions: [[0, 1]] }
  const inName: Candidate = { id: 'name', prior: 1, lengths: [10, 10], mentions: [[1, 0]] }
  const { documents } = rank([rare], { ...corpus, averageLengths: [10, 10] }, [3, 1], [inBody, inName], [])
  expect(documents.map(({ candidate }) => candidate.id)).toEqual(['name', 'body'])
})

test('a prior decides between equals and yields to better evidence', () => {
  const favoured = document('favoured', [1, 0], { prior: 1.1 })
  expect(order([document('a', [1, 0]), favoured])).toEqual(['favoured', 'a'])
  expect(order([document('a', [1, 1]), document('b', [0, 1], { prior: 1.1 })])).toEqual(['a', 'b'])
})

test('equals come in the order of their ids, and no id twice', () => {
  const same = ['c', 'a', 'b', 'a'].map(id => document(id, [1, 0]))
  expect(order(same)).toEqual(['a', 'b', 'c'])
})

test('documents that mention nothing and stand beside nothing are left out', () => {
  expect(order([document('a', [0, 0]), document('b', [1, 0])])).toEqual(['b'])
})

test('a reply that repeats no word is found beside its question, nearer before farther', () => {
  const turns = [turn('s', 0, [1, 1]), turn('s', 1, [0, 0]), turn('s', 2, [0, 0]), turn('s', 9, [0, 0])]
  expect(order(turns)).toEqual(['s:0', 's:1', 's:2'])
})

test('neighbours are of the same group only', () => {
  expect(order([turn('s', 0, [1, 0]), turn('t', 1, [0, 0])])).toEqual(['s:0'])
})

test('of equal turns, the one in the session about the question is first', () => {
  const groups = [
    { group: 'passing', length: 100, mentions: [1, 0] },
    { group: 'about', length: 100, mentions: [6, 2] },
  ]
  expect(order([turn('passing', 50, [1, 0]), turn('about', 50, [1, 0])], [rare, common], groups)).toEqual([
    'about:50',
    'passing:50',
  ])
})

test('groups are ranked by all they say and by their best place, which is named', () => {
  const candidates = [turn('a', 0, [1, 1]), turn('a', 9, [1, 0]), turn('b', 0, [0, 1])]
  const groups = [
    { group: 'b', length: 100, mentions: [0, 1] },
    { group: 'a', length: 100, mentions: [2, 1] },
  ]
  const ranked = rank([rare, common], corpus, [1], candidates, groups).groups
  expect(ranked.map(({ group, best }) => [group, best])).toEqual([
    ['a', 'a:0'],
    ['b', 'b:0'],
  ])
})

test('the rarer a word the more it says, and it never says less than nothing', () => {
  const values = [0, 1, 50, 100, 200].map(mentioning => inverseFrequency(100, mentioning))
  expect(values).toEqual([...values].sort((a, b) => b - a))
  expect(values.at(-1)).toBeGreaterThan(0)
})

test.each([
  [
    [
      ['a', 'b', 'c'],
      ['c', 'b', 'x'],
    ],
    ['c', 'b', 'a', 'x'],
  ],
  [
    [['a', 'a', 'b'], []],
    ['a', 'b'],
  ],
  [
    [['a'], ['b']],
    ['a', 'b'],
  ],
  [[], []],
])('lists %j are fused by rank to %j', (lists, expected) => {
  expect(fuseByRank(lists)).toEqual(expected)
})

test('rare words are read whole, a common one only among what they brought', () => {
  const plan = planReadings(
    [
      { term: 0, documents: 900_000 },
      { term: 1, documents: 500 },
      { term: 2, documents: 30 },
      { term: 3, documents: 0 },
    ],
    200,
  )
  expect(plan).toEqual([
    { kind: 'all', term: 2 },
    { kind: 'all', term: 1 },
    { kind: 'among', term: 0, others: [2, 1], limit: expect.any(Number) },
  ])
})

test('when every word is common, places where they meet are read first', () => {
  const plan = planReadings(
    [300_000, 100_000, 200_000].map((documents, term) => ({ term, documents })),
    200,
  )
  expect(plan).toMatchObject([
    { kind: 'together', terms: [1, 2, 0] },
    { kind: 'together', terms: [1, 2] },
    { kind: 'together', terms: [1] },
  ])
})

test('the shortlist holds the heaviest places, of equals the newest, and counts neighbours of groups', () => {
  const masses = new Map([10, 11, 12, 500, 900, 950].map(place => [place, place === 500 ? 1.9 : 1]))
  expect(shortlist(masses, () => false, 3)).toEqual([500, 900, 950])
  expect(shortlist(masses, () => true, 1)).toEqual([11])
})
