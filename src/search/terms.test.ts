import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fold, queryTerms } from './terms.ts'

const content = (query: string): string[] =>
  queryTerms(query)
    .filter(({ stop }) => !stop)
    .map(({ term }) => term)

test.each([
  ['What did Caroline research?', ['carolin', 'research']],
  ['How do I indent the files?', ['indent', 'file']],
  ['Café naïve ÅNGSTRÖM', ['cafe', 'naiv', 'angstrom']],
  ['parseHTTPResponse2', ['parsehttpresponse2', 'pars', 'http', 'respons', '2']],
  ['snake_case, kebab-case and dotted.path', ['snake', 'case', 'kebab', 'dot', 'path']],
  ['utf8 18th', ['utf8', '18th', 'utf', '8']],
  ['缩进 偏好', ['缩进', '偏好']],
  ['我喜欢用制表符缩进', ['喜欢', '制表', '表符', '符缩', '缩进']],
  ['怎么缩进文件？', ['缩进', '文件']],
  ['用tab缩进', ['tab', '缩进']],
  ['タブを使う', ['タブ', '使う']],
  ['탭을 사용', ['탭', '사용']],
  ['ＦＵＬＬ width', ['full', 'width']],
  ['what is it?', []],
  ['', []],
])('the content of %s', (query, expected) => {
  expect(content(query)).toEqual(expected)
})

test('a part of an identifier knows the whole, and a word said on its own is no part', () => {
  const terms = queryTerms('parseHeader http parseHTTP')
  expect(terms.find(({ term }) => term === 'header')?.partOf).toBe('parsehead')
  expect(terms.find(({ term }) => term === 'http')?.partOf).toBeUndefined()
})

test('forms that no rule connects are one term', () => {
  expect(queryTerms('run ran')).toHaveLength(1)
  expect(queryTerms('bought')[0]?.forms.map(({ surface }) => surface)).toEqual(['bought', 'buy'])
})

test('no text makes it throw, and folding twice is folding once', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      queryTerms(text)
      expect(fold(fold(text))).toBe(fold(text))
    }),
  )
})
