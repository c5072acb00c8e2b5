import { expect, test } from 'vitest'
import { askedFor } from './asked.ts'
import { languageOf } from './sentences.ts'

const CONTENT: Array<[sentence: string, content: string]> = [
  ['remember that I use vim', 'I use vim'],
  ['Please remember: I use vim.', 'I use vim.'],
  ['remember, I use vim', 'I use vim'],
  ['Can you remember that I use vim?', 'I use vim'],
  ['remember this: I use vim', 'I use vim'],
  ['please note: the VPN is needed', 'the VPN is needed'],
  ["don't forget that I use vim", 'I use vim'],
  ['add to your memory that I use vim', 'I use vim'],
  ['remember to run the tests', 'run the tests'],
  ['记住我用 vim', '我用 vim'],
  ['请记下:我用 vim', '我用 vim'],
  ['你能记住我用 vim 吗?', '我用 vim'],
  ['把这个加到记忆里:我用 vim', '我用 vim'],
  ['別忘了我用 vim', '我用 vim'],
]

test.each(CONTENT)('%j asks to keep %j', (sentence, content) => {
  expect(askedFor(sentence, languageOf(sentence))).toMatchObject({ what: 'content', content })
})

test.each([
  ['Remember that.', 'before'],
  ['please remember this!', 'before'],
  ['remember it for later', 'before'],
  ['Remember all of this.', 'all before'],
  ['remember these things: I use vim', 'what follows'],
  ['记住。', 'before'],
  ['请记住这一点', 'before'],
  ['都记住', 'all before'],
  ['记住以下几点:', 'what follows'],
])('%j means what was said %s', (sentence, what) => {
  expect(askedFor(sentence, languageOf(sentence))?.what).toBe(what)
})

test.each([
  'remember what I said?',
  'do you remember that I use vim?',
  'remember that time we broke prod?',
  'I remember that it worked',
  'remember me',
  'remember() is broken',
  'remember-me cookie',
  'please note that this will break',
  'write down the steps',
  'add this to memory allocation',
  'make a note in the README that we use pnpm',
  'remember pnpm',
  '你记得我用 vim 吗',
  '记得我说过什么吗',
  '记住密码功能坏了',
  '记录一下错误',
  '我记住了',
])('%j asks for nothing to be kept', sentence => {
  expect(askedFor(sentence, languageOf(sentence))).toBeUndefined()
})
