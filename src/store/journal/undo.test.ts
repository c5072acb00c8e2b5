import { expect, test } from 'vitest'
import { undoStep } from './undo.ts'

const text = (content: string | null) => (content === null ? null : Buffer.from(content))

test.each<[what: string, before: string | null, after: string | null, now: string | null, expected: unknown]>(
  [
    ['a change is taken back', 'a', 'b', 'b', { kind: 'set', content: Buffer.from('a') }],
    ['what was made is removed', null, 'b', 'b', { kind: 'set', content: null }],
    ['what was removed is made again', 'a', null, null, { kind: 'set', content: Buffer.from('a') }],
    ['what is as before stays', 'a', 'b', 'a', { kind: 'done' }],
    ['what was made and is gone already stays gone', null, 'b', null, { kind: 'done' }],
    ['what was made and then edited is in conflict', null, 'b', 'c', { kind: 'conflict' }],
    ['what was changed and then removed is in conflict', 'a', 'b', null, { kind: 'conflict' }],
    ['what was removed and made anew otherwise is in conflict', 'a', null, 'c', { kind: 'conflict' }],
    ['the same line changed later is in conflict', '1\n2\n3', '1\nb\n3', '1\nc\n3', { kind: 'conflict' }],
    [
      'other lines changed later are kept',
      '1\n2\n3\n4\n5\n',
      'x\n2\n3\n4\n5\n',
      'x\n2\n3\n4\ny\n',
      { kind: 'set', content: Buffer.from('1\n2\n3\n4\ny\n') },
    ],
    ['bytes that are no text are not merged', '1\n\0\n3', 'x\n\0\n3', 'x\n\0\ny', { kind: 'conflict' }],
  ],
)('%s', (_, before, after, now, expected) => {
  expect(undoStep(text(before), text(after), text(now))).toEqual(expected)
})
