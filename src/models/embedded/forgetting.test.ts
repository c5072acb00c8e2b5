import { expect, test } from 'vitest'
import { forgetting } from './forgetting.ts'
import { languageOf } from './sentences.ts'

const WANTED: Array<[sentence: string, what: string, everything?: boolean]> = [
  ['forget that I like tabs', 'I like tabs'],
  ['Forget what I said about deployments.', 'deployments'],
  ['please forget my name', 'name'],
  ['can you forget that I live in Berlin?', 'I live in Berlin'],
  ['delete the memory about tabs', 'tabs'],
  ['remove tabs from your memory', 'tabs'],
  ['stop remembering my birthday', 'birthday'],
  ['forget everything about mocks', 'mocks', true],
  ['forget everything you know about me', 'me', true],
  ['forget everything', '', true],
  ['forget that', ''],
  ['forget this one', ''],
  ['忘掉我喜欢制表符', '我喜欢制表符'],
  ['请忘记我住在北京。', '我住在北京'],
  ['把我的名字忘掉', '我的名字'],
  ['删除关于制表符的记忆', '制表符'],
  ['不要再记得我的名字', '我的名字'],
  ['忘掉关于部署的一切', '部署', true],
  ['忘掉所有关于 mock 的内容', 'mock', true],
  ['忘掉我的一切', '我', true],
  ['忘掉一切', '', true],
  ['忘掉这个', ''],
  ['請忘記我喜歡茶', '我喜欢茶'],
]

test.each(WANTED)('%j is to forget %j', (sentence, what, everything = false) => {
  expect(forgetting(sentence, languageOf(sentence))).toEqual({ what, everything })
})

test.each([
  'forget it',
  'forget about it',
  'forget about that',
  "don't forget that I like tabs",
  'I forgot my password',
  'I always forget the syntax',
  'did you forget something',
  'forget to save and it is gone',
  'forgetful people',
  'delete the file',
  'remove the button',
  'clear the cache',
  '忘了它吧',
  '我忘了密码',
  '别忘了我用 vim',
  '不要忘记提交',
  '删除文件',
])('%j is not', sentence => {
  expect(forgetting(sentence, languageOf(sentence))).toBeUndefined()
})

test('a file that is named is meant', () => {
  expect(forgetting('forget user_prefers-tabs.md', 'en')).toMatchObject({ file: 'user_prefers-tabs.md' })
  expect(forgetting('忘掉 user_58593572.md', 'zh')).toMatchObject({ file: 'user_58593572.md' })
})
