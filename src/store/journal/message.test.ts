import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readNote, writeNote } from './message.ts'

test('what a message carries is read back, whatever its text is', () => {
  const hex = fc.stringMatching(/^[0-9a-f]{40}$/)
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }).filter(text => text.trim() !== ''),
      fc.constantFrom('save', 'dream', 'found'),
      fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1, maxLength: 5 }),
      fc.array(hex, { minLength: 1, maxLength: 3 }),
      (message, kind, paths, formerly) => {
        expect(readNote(writeNote({ message, kind, paths, formerly }))).toEqual({
          message: message.trim(),
          kind,
          paths,
          formerly,
        })
      },
    ),
  )
})

test.each([
  ['a body that looks like ours', 'Title\n\nKind: forged\nChanged: "x"'],
  ['a body of several parts', 'Title\n\none\n\ntwo'],
])('%s stays in the message', (_, message) => {
  expect(readNote(writeNote({ message, kind: 'save', paths: ['memory/a.md'] }))).toEqual({
    message,
    kind: 'save',
    paths: ['memory/a.md'],
  })
})

test('an empty message becomes its kind', () => {
  expect(readNote(writeNote({ message: ' \n', kind: 'save' }))).toEqual({ message: 'save', kind: 'save' })
})

test('more than 100 paths are not listed', () => {
  const paths = Array.from({ length: 101 }, (_, n) => `memory/${n}.md`)
  expect(readNote(writeNote({ message: 'x', kind: 'save', paths })).paths).toBeUndefined()
  expect(readNote(writeNote({ message: 'x', kind: 'save', paths: paths.slice(1) })).paths?.length).toBe(100)
})

test.each(['by hand', 'by hand\n\nsecond part', ''])(
  'a message of another program, %j, has no note',
  text => {
    expect(readNote(text)).toEqual({ message: text, kind: 'foreign' })
  },
)
