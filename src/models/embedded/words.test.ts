import { expect, test } from 'vitest'
import { coverage, mentions, prepared, searchWords, stem, tellingWords } from './words.ts'

test.each([
  ['What did I tell you about my preferences?', []],
  ['how should I indent?', ['indent']],
  ['Where is the design doc?', ['design', 'doc']],
  ['which package manager do we use', ['package manager']],
  ['我的缩进偏好是什么?', ['缩进']],
  ['你还记得设计文档在哪吗', ['设计文档']],
  ['我们聊过数据库吗', ['数据库']],
  ['我用制表符縮進', ['制表符', '缩进']],
])('%j is about %j', (text, words) => {
  expect(tellingWords(text).map(({ word }) => word)).toEqual(words)
})

test.each([
  ['deployments', 'deploys'],
  ['indentation', 'indent'],
  ['indenting', 'indents'],
  ['quote', 'quotes'],
])('%s and %s have one stem', (one, other) => {
  expect(stem(one)).toBe(stem(other))
})

const COVERED: Array<[question: string, text: string, covers: number]> = [
  ['how should I indent?', 'I prefer tabs', 0.6],
  ['how should I indent?', 'Indentation: tabs', 1],
  ['我应该怎么缩进', 'I prefer tabs', 0.6],
  ['when is the deadline', 'the deadline is 2026-12-01', 1],
  ['which package manager do we use', 'we use pnpm', 0.6],
  ['my favourite colour', 'my favourite editor is vim', 0],
  ['Where is the design doc?', 'the design document is on the wiki', 0.8],
  ['when is the deadline', 'I like coffee', 0],
]

test.each(COVERED)('%j is covered by %j: %d', (question, text, covers) => {
  expect(coverage(tellingWords(question), prepared(text))).toBeCloseTo(covers)
})

test('of a long Chinese word most pairs are enough', () => {
  const word = { word: '灰度策略', stem: '灰度策略' }
  expect(mentions(prepared('灰度的策略'), word)).toBe(true)
  expect(mentions(prepared('策略'), word)).toBe(false)
})

test('a search looks for other words on the same subject too', () => {
  expect(searchWords(tellingWords('how should I indent?'))).toBe(
    'indent indentation tab tabs space spaces 缩进 制表符 空格',
  )
  expect(searchWords(tellingWords('kafka'))).toBe('kafka')
})
