import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MOST_COUNTED, PackedTerms, SoughtTerms } from './packed-terms.ts'
import { stem } from './porter.ts'
import { TermReader } from './term-reader.ts'
import { fold, queryTerms } from './terms.ts'

const reader = new TermReader()

function termsOf(text: string, using = reader): string[] {
  return Buffer.from(using.read([text]).words)
    .toString()
    .split(' ')
    .filter(term => term !== '')
}

function count(text: string, term: string): number {
  let found = 0
  const { packed } = reader.read([text])
  new PackedTerms(packed, 1).eachOf(new SoughtTerms([[term]]), 0, (_, times) => {
    found += times
  })
  return found
}

test.each([
  ['我喜欢缩进', ['我', '我喜', '喜', '喜欢', '欢', '欢缩', '缩', '缩进', '进']],
  ['getUserName()', ['getusernam', 'get', 'user', 'name']],
  ['用tab缩进', ['用', 'tab', '缩', '缩进', '进']],
  ['a1b2c3d4e5f6a7b8c9', ['a1b2c3d4e5f6a7b8c9']],
  ['naïve Über ÅNGSTRÖM', ['naiv', 'uber', 'angstrom']],
  ['cafe\u0301 ＴＡＢ', ['cafe', 'tab']],
  ['The cats, the cat’s cat', ['the', 'cat', 's']],
  ['snake_case src/a-b.ts', ['snake', 'case', 'src', 'a', 'b', 'ts']],
  ['été 😊 — œuvre', ['et', 'œuvr']],
  [`${'x'.repeat(70)} y`, ['y', 'x'.repeat(70)]],
  ['', []],
])('the terms of %s', (text, expected) => {
  expect(termsOf(text)).toEqual(expected)
})

test.each([
  ['', 0],
  ['one', 1],
  [' two  words. ', 2],
  ['a-b_c 我', 4],
  ['x1 y2\nz3', 9],
  ['don’t', 1],
  ['我喜', 3],
])('the length of %s', (text, expected) => {
  const { lengths, packed } = reader.read([text])
  expect(lengths).toEqual([expected])
  expect(new PackedTerms(packed, 1).lengths).toEqual([expected])
})

test('fields are counted apart, and further words are added as they are', () => {
  const { words, packed } = new TermReader().read(['tabs', '', 'tabs and tabs'], Buffer.from('→x1'))
  const terms = new PackedTerms(packed, 3)
  expect(Buffer.from(words).toString()).toBe('tab tab and →x1 ')
  expect(terms.lengths).toEqual([1, 0, 3])
  const sought = new SoughtTerms([['space'], ['tab', 'tabul']])
  const found: number[][] = []
  for (const field of [0, 1, 2])
    terms.eachOf(sought, field, (which, times) => found.push([field, which, times]))
  expect(found).toEqual([
    [0, 1, 1],
    [2, 1, 2],
  ])
})

test('counts stop at what their bits hold', () => {
  expect(count('tab '.repeat(500), 'tab')).toBe(MOST_COUNTED)
})

test('the share of a field that is named leaves out what says nothing', () => {
  const share = (field: string, sought: string): number =>
    new PackedTerms(reader.read([field]).packed, 1).shareOf(new SoughtTerms([[sought]]), 0)
  expect(share('the tabs of the house', 'tab')).toBe(1 / 2)
  expect(share('the tabs', 'tab')).toBe(1)
  expect(share('to be or not', 'be')).toBe(0)
  expect(share('', 'be')).toBe(0)
})

test('mentions that are kept equal mentions counted by splitting', () => {
  const word = fc.constantFrom(
    ...'indent indented indenting in happy happiness hop hopping é 我 tab Tab TAB getName get'.split(' '),
  )
  fc.assert(
    fc.property(fc.array(word), fc.constantFrom(' ', ', ', '.'), word, (words, separator, sought) => {
      const term = stem(fold(sought))
      const split = words.filter(found => stem(fold(found)) === term).length
      const parts = term === 'get' || term === 'name' ? words.filter(found => found === 'getName').length : 0
      expect(count(words.join(separator), term)).toBe(split + parts)
    }),
  )
})

test('what has been read before changes nothing, however much that was', () => {
  const used = new TermReader()
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), text => {
      expect(used.read([text])).toEqual(new TermReader().read([text]))
    }),
  )
  for (let word = 0; word < 300_000; word++) used.read([`w${word} W${word}Ab`])
  expect(used.read(['getUserName 缩进 w1'])).toEqual(new TermReader().read(['getUserName 缩进 w1']))
})

test('a text asked for word by word has every word of the question', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), text => {
      const held = new Set(termsOf(text))
      const asked = queryTerms(text).map(({ term }) => term)
      expect(asked.filter(term => !held.has(term))).toEqual([])
    }),
  )
})
