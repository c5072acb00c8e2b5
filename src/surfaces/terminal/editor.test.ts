import { expect, test } from 'vitest'
import { type Editor, EMPTY, edit, editorWith, fullText, paste } from './editor.ts'
import { layOut, moveBetweenRows } from './editor-layout.ts'
import { type Input, KeyReader } from './keys.ts'
import { textOfLine } from './style.ts'

/** What a terminal sends; `|` is the cursor in what comes of it. */
function typed(sent: string, start = '|'): string {
  const at = start.indexOf('|')
  let editor: Editor = { ...EMPTY, text: start.replace('|', ''), cursor: at }
  for (const input of read(sent))
    editor = input.kind === 'paste' ? paste(editor, input.text) : (edit(editor, input.key) ?? editor)
  return `${editor.text.slice(0, editor.cursor)}|${editor.text.slice(editor.cursor)}`
}

function read(...chunks: string[]): Input[] {
  const reader = new KeyReader()
  return [...chunks.flatMap(chunk => reader.read(chunk)), ...reader.flush()]
}

test.each<[what: string, sent: string, start: string, becomes: string]>([
  ['letters', 'héllo 制 👩‍👩‍👧', '|', 'héllo 制 👩‍👩‍👧|'],
  ['left over a family', '\u001b[D\u007f', 'a👩‍👩‍👧b|', 'a|b'],
  ['an accent goes with its letter', '\u007f', 'ae\u0301|', 'a|'],
  ['to the ends of the line', '\u0001x\u0005y', 'one\ntwo|\nthree', 'one\nxtwoy|\nthree'],
  ['words back and forth', '\u001bb\u001bbX\u001bfY', 'one two-three|', 'one XtwoY|-three'],
  ['with arrows', '\u001b[1;5DX', 'one two|', 'one X|two'],
  ['cut a word as a shell does', '\u0017', 'rm a/b-c |x', 'rm |x'],
  ['cut a word and bring it back', '\u001b\u007f\u0001\u0019', 'one two|', 'two|one '],
  ['cut to the ends', '\u000b\u0015\u0019', 'ab|cd', 'ab|'],
  ['cut joins lines at their end', '\u000b', 'ab|\ncd', 'ab|cd'],
  ['erase forwards', '\u001b[3~\u0004', '|abc', '|c'],
  ['a word forwards', '\u001bd', '|one two', '| two'],
  ['new lines', '\u001b\ra\nb\u001b[13;2uc\u001b[27;2;13~', '|', '\na\nb\nc\n|'],
  ['undo', 'abc\u001f\u001f', '|', 'a|'],
  ['a short paste', '\u001b[200~one\r\ntwo\u001b[201~', '|', 'one\ntwo|'],
  ['keys that mean nothing', '\u001b[5~\u001bOP\u001b[?1;2c', 'a|', 'a|'],
])('%s', (_, sent, start, becomes) => {
  expect(typed(sent, start)).toBe(becomes)
})

test.each<[what: string, chunks: string[], names: string[]]>([
  ['Escape alone', ['\u001b'], ['escape']],
  ['Escape twice', ['\u001b\u001b'], ['escape', 'escape']],
  ['a sequence in two parts', ['\u001b[', 'A'], ['up']],
  ['Escape, and a key after it', ['\u001b\u001b[A'], ['escape', 'up']],
  ['shift and tab', ['\u001b[Z'], ['shift+tab']],
  ['as kitty says it', ['\u001b[99;5u\u001b[27u\u001b[97;2u'], ['ctrl+c', 'escape', 'A']],
  ['a key that was let go', ['\u001b[97;1:3u'], []],
  ['an application arrow', ['\u001bOA'], ['up']],
])('%s is read', (_, chunks, names) => {
  const found = read(...chunks).map(input => {
    if (input.kind === 'paste') return 'paste'
    const { ctrl, shift, name } = input.key
    return [ctrl && 'ctrl', shift && 'shift', name].filter(Boolean).join('+')
  })
  expect(found).toEqual(names)
})

test('a paste is one piece, wherever it is cut, whatever it contains', () => {
  const text = '\u001b[200~a\u0003\u001b[31m\rb\u001b[201~c'
  for (let at = 1; at < text.length; at++)
    expect(read(text.slice(0, at), text.slice(at)), `cut at ${at}`).toMatchObject([
      { kind: 'paste', text: 'a\u0003\u001b[31m\nb' },
      { kind: 'key', key: { text: 'c' } },
    ])
})

test('a long paste is one character that is shown by its size, and sent in full', () => {
  const long = Array.from({ length: 120 }, (_, at) => `line ${at}`).join('\n')
  let editor = paste(paste(editorWith(EMPTY, 'see '), long), 'x'.repeat(2000))
  expect(layOut(editor, 80).rows.map(textOfLine)).toEqual([
    'see [Pasted 120 lines][Pasted 2000 characters #2]',
  ])
  expect(fullText(editor)).toBe(`see ${long}${'x'.repeat(2000)}`)
  for (const { key } of read('\u007f\u007f') as Array<Extract<Input, { kind: 'key' }>>)
    editor = edit(editor, key) ?? editor
  expect(fullText(editor)).toBe('see ')
})

test.each<[text: string, width: number, rows: string[], row: number, column: number]>([
  ['', 10, [''], 0, 0],
  ['abc', 10, ['abc'], 0, 3],
  ['abcdefghijkl', 6, ['abcde', 'fghij', 'kl'], 2, 2],
  ['制表符', 6, ['制表', '符'], 1, 2],
  ['a\n\nb', 6, ['a', '', 'b'], 2, 1],
  ['a\u001bb', 20, ['a\\u001bb'], 0, 8],
])('%j in %d columns', (text, width, rows, row, column) => {
  const laid = layOut(editorWith(EMPTY, text), width)
  expect(laid.rows.map(textOfLine)).toEqual(rows)
  expect(laid.cursor).toEqual({ row, column })
})

test('up and down keep to their column, also over a short row', () => {
  const start = editorWith(EMPTY, 'abcdef\nx\nabcdef')
  const up = moveBetweenRows(start, -1, 20)
  expect(up?.cursor).toBe('abcdef\nx'.length)
  const top = up && moveBetweenRows(up, -1, 20)
  expect(top?.cursor).toBe('abcdef'.length)
  expect(top && moveBetweenRows(top, -1, 20)).toBeUndefined()
})
