import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ownWords } from './own-words.ts'

const CASES: Array<[what: string, message: string, own: string]> = [
  ['plain words', 'I prefer tabs.', 'I prefer tabs.'],
  ['a fence', 'before\n```ts\nI prefer tabs\n```\nafter', 'before\n\nafter'],
  ['a fence that never ends', 'before\n~~~\nI prefer tabs', 'before'],
  ['a longer fence around a fence', '````\n```\nx\n```\nI use vim\n````\nafter', 'after'],
  ['an attachment', 'a\n<attachment kind="memory">\nx\n</attachment>\nb', 'a\n\n\n\nb'],
  ['an attachment that never ends', 'a <attachment kind="memory">\nI use vim', 'a'],
  ['two attachments', '<attachment kind="a">x</attachment>hi<attachment kind="b">y</attachment>', 'hi'],
  ['a block of tags', '<mail>\nI live in Rome.\n</mail>\nsummarise it', 'summarise it'],
  ['a tag that is only mentioned', '<Button> is broken\nhelp', '<Button> is broken\nhelp'],
  ['a quotation', '> I use vim\n\nwhat does he mean', 'what does he mean'],
  ['indented code', 'see:\n    I prefer tabs\nok', 'see:\n\nok'],
  ['a diff', '+ I use vim\n- I use emacs\nwhy?', 'why?'],
  ['a list, which is no diff', '- I use vim\n- I use Go', '- I use vim\n- I use Go'],
  ['a log', '2026-04-07 10:00 INFO I use vim\nERROR I use vim\nso?', 'so?'],
  [
    'what is to be translated',
    'Translate this: I use vim. I like it.\nstill that\n\nmine',
    'Translate this\n\n\nmine',
  ],
  [
    'what follows a colon at the end of the line',
    'Summarize the text:\nI use vim.\n\nI live here.',
    'Summarize the text',
  ],
  ['what another wrote', 'Ann wrote:\nI live in Rome.', 'Ann wrote'],
  [
    'a request to remember, which is one’s own',
    'Please remember this: I use vim.',
    'Please remember this: I use vim.',
  ],
  ['a mail', 'answer this\nSubject: hello\n\nI live in Rome.', 'answer this'],
  ['Chinese material', '翻译:我用 vim。\n\n谢谢', '翻译\n\n\n谢谢'],
  ['a Chinese request to remember', '请记下:我用 vim', '请记下:我用 vim'],
  ['typographic apostrophes', 'I’m here', "I'm here"],
  ['line ends of Windows', 'a\r\nb', 'a\nb'],
  ['what cannot be seen', 'a\u200bb\u202ec\u0000', 'abc'],
]

test.each(CASES)('leaves out %s', (_what, message, own) => {
  expect(ownWords(message)).toBe(own)
})

test('of a very long message only the ends are looked at', () => {
  const own = ownWords(`first. ${'x '.repeat(50_000)} last.`)
  expect(own.length).toBeLessThan(2_100)
  expect(own).toMatch(/^first\. /)
  expect(own).toMatch(/ last\.$/)
})

test('never throws, and what comes out is well-formed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 4_000 }), text => {
      expect(ownWords(text).isWellFormed()).toBe(true)
    }),
  )
})
