import { expect, test } from 'vitest'
import { separated } from './attachments.ts'

test('parts the person’s text from what was put beside it', () => {
  const text =
    'hi\n\n<attachment kind="metadata">\ntime: now\n</attachment>\n\nthere\n<ATTACHMENT kind="x">never ends'
  expect(separated(text)).toEqual({
    own: 'hi\n\n\n\n\n\nthere\n\n\n',
    attachments: [
      '<attachment kind="metadata">\ntime: now\n</attachment>',
      '<ATTACHMENT kind="x">never ends',
    ],
  })
  expect(separated('about <attachments> and attachment')).toEqual({
    own: 'about <attachments> and attachment',
    attachments: [],
  })
})
