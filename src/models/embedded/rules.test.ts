import { expect, test } from 'vitest'
import { chineseAddition, chineseReason } from './chinese-rules.ts'
import { englishAddition, englishReason } from './english-rules.ts'

test.each([
  ['Never use mocks because they lie', 'Never use mocks', 'they lie'],
  ['Never use mocks, since they lie.', 'Never use mocks', 'they lie'],
  ['Pin versions so that builds repeat', 'Pin versions', 'so that builds repeat'],
  ['Avoid it because of the licence', 'Avoid it', 'because of the licence'],
  ['It is so since 2020', 'It is so since 2020', undefined],
  ['It is so since Monday', 'It is so since Monday', undefined],
  ['Never use mocks', 'Never use mocks', undefined],
])('the reason in %j', (sentence, said, why) => {
  expect(englishReason(sentence)).toEqual(why === undefined ? { said } : { said, why })
})

test.each([
  ['不要用 mock,因为它骗人。', '不要用 mock', '它骗人'],
  ['因为它骗人,所以不要用 mock', '不要用 mock', '它骗人'],
  ['我們用 Go,因為快', '我們用 Go', '快'],
  ['我們用 Go,因為它快', '我們用 Go', '它快'],
  ['不要用 mock', '不要用 mock', undefined],
])('the reason in %j', (sentence, said, why) => {
  expect(chineseReason(sentence)).toEqual(why === undefined ? { said } : { said, why })
})

test('a sentence may give the reason for the one before it, or tell where that applies', () => {
  expect(englishAddition('The reason is that they lie.')).toEqual({ why: 'they lie' })
  expect(englishAddition('Because they lie')).toEqual({ why: 'they lie' })
  expect(englishAddition('How to apply: in every test.')).toEqual({ how: 'in every test' })
  expect(englishAddition('This applies to every test')).toEqual({ how: 'to every test' })
  expect(englishAddition('They lie')).toBeUndefined()
  expect(chineseAddition('原因是它骗人。')).toEqual({ why: '它骗人' })
  expect(chineseAddition('适用于所有测试')).toEqual({ how: '所有测试' })
  expect(chineseAddition('它骗人')).toBeUndefined()
})
