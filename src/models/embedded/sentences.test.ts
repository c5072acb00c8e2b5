import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sentencesOf } from './sentences.ts'

const SPLIT: Array<[text: string, sentences: string[]]> = [
  ['One. Two! Three? Four', ['One.', 'Two!', 'Three?', 'Four']],
  ['I use e.g. vim, i.e. an editor. Yes.', ['I use e.g. vim, i.e. an editor.', 'Yes.']],
  [
    'Node.js 24.1 at https://a.dev/x.html is fine. Ok',
    ['Node.js 24.1 at https://a.dev/x.html is fine.', 'Ok'],
  ],
  ['He said "I use vim. I like it." twice. So?', ['He said "I use vim. I like it." twice.', 'So?']],
  ['He said “I use vim. I like it.” So?', ['He said “I use vim. I like it.” So?']],
  ['He said "I use vim. I like it', ['He said "I use vim. I like it']],
  ['use `a. b` here. ok', ['use `a. b` here.', 'ok']],
  ['- one\n- two\n3. three\n4) four', ['one', 'two', 'three', 'four']],
  ['我用 vim。你呢?好!1、一\n2、二', ['我用 vim。', '你呢?', '好!1、一', '二']],
  ['我用 vim。你呢？好！', ['我用 vim。', '你呢？', '好！']],
  ['one; two', ['one', 'two']],
  [
    'this line is long enough to have been wrapped by an editor that\nwraps lines',
    ['this line is long enough to have been wrapped by an editor that wraps lines'],
  ],
  ['short\nlines', ['short', 'lines']],
  ['', []],
  [' \n ', []],
]

test.each(SPLIT)('splits %j', (text, sentences) => {
  expect(sentencesOf(text).map(({ text }) => text)).toEqual(sentences)
})

const QUESTIONS: Array<[text: string, question: boolean]> = [
  ['what do you know about me', true],
  ['where do I live', true],
  ['which package manager do we use', true],
  ['do I prefer tabs', true],
  ['is my name Ann', true],
  ['how to indent', true],
  ['and what about quotes', true],
  ['I prefer tabs?', true],
  ['I prefer tabs?!', true],
  ['when the build is done, run the tests', false],
  ['what a mess', false],
  ['do the thing', false],
  ['have fun', false],
  ['I know what you mean', false],
  ['我住在哪里', true],
  ['你记得我吗', true],
  ['我用什么编辑器', true],
  ['我用制表符还是空格', true],
  ['我还是喜欢空格', false],
  ['我用空格', false],
]

test.each(QUESTIONS)('%j is a question: %s', (text, question) => {
  expect(sentencesOf(text)).toMatchObject([{ question }])
})

test('each sentence knows its language', () => {
  const languages = sentencesOf('I use vim. 我用 vim。 わたしは Ann です。').map(({ language }) => language)
  expect(languages).toEqual(['en', 'zh', 'en'])
})

test('never throws, and is bounded', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 3_000 }), text => {
      expect(sentencesOf(text).length).toBeLessThanOrEqual(60)
    }),
  )
})
