import { expect, test } from 'vitest'
import { table } from './table.ts'
import { displayWidth, fitTo } from './width.ts'

test.each([
  ['abc', 3],
  ['制表符', 6],
  ['e\u0301', 1],
  ['a😀b', 4],
  ['', 0],
  ['👩‍👩‍👧 ok', 5],
  ['❤️', 2],
  ['שלום', 4],
  ['ｱ한', 3],
])('%j is %d columns wide', (text, width) => {
  expect(displayWidth(text)).toBe(width)
})

test('texts are cut by what a terminal draws, and columns line up', () => {
  expect(fitTo('制表符缩进', 6)).toBe('制表…')
  expect(fitTo('short', 10)).toBe('short')
  const drawn = table(
    [
      ['a', '制表', 'x'.repeat(50)],
      ['bbb', 'c', 'y'],
    ],
    40,
  ).split('\n')
  expect(drawn).toEqual([`a    制表  ${'x'.repeat(28)}…`, 'bbb  c     y'])
})
