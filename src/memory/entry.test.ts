import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseBlock, splitFile } from '../store/index.ts'
import { type Entry, editEntry, parseEntry, printEntry } from './entry.ts'

const ENTRY: Entry = {
  name: 'Prefers tabs',
  description: 'The owner indents with tabs',
  type: 'user',
  pinned: false,
  origin: 'owner',
  created: undefined,
  updated: undefined,
  sources: [],
  supersedes: [],
  body: 'Use tabs.',
}

const FILE = `---
name: Prefers tabs
description: The owner indents with tabs
type: user
---

Use tabs.
`

function entryOf(text: string): Entry {
  const parsed = parseEntry(text)
  if (!parsed.ok) throw new Error(`${parsed.problem.kind}: ${parsed.problem.detail}`)
  return parsed.entry
}

test('prints the format that other programs use, and reads it back', () => {
  expect(printEntry(ENTRY)).toBe(FILE)
  expect(entryOf(FILE)).toEqual(ENTRY)
})

test.each<[string, string, Partial<Entry>]>([
  ['CRLF and a byte order mark', `\uFEFF${FILE.replaceAll('\n', '\r\n')}`, ENTRY],
  ['a closing line at the very end', '---\nname: N\ntype: user\n---', { name: 'N', body: '' }],
  [
    'quotes',
    `---\nname: "a: b"\ndescription: 'it''s'\ntype: user\n---\nx`,
    { name: 'a: b', description: "it's" },
  ],
  [
    'a folded description',
    '---\nname: N\ndescription: >\n  two\n  lines\ntype: user\n---\n',
    { description: 'two lines' },
  ],
  [
    'a colon that YAML forbids',
    '---\nname: N\ndescription: note: this works\ntype: user\n---\n',
    { description: 'note: this works' },
  ],
  [
    'words that YAML could take for other things',
    '---\nname: 123\ndescription: yes\ntype: user\n---\n',
    { name: '123', description: 'yes' },
  ],
  [
    'lists in both notations',
    '---\nname: N\ntype: user\nsources: [a, b]\nsupersedes:\n  - c.md\n---\n',
    { sources: ['a', 'b'], supersedes: ['c.md'] },
  ],
  [
    'one line of braces',
    '---\n{name: N, type: feedback, pinned: true}\n---\n',
    { type: 'feedback', pinned: true },
  ],
  ['a pin as some write it', '---\nname: N\ntype: user\npinned: yes\n---\n', { pinned: true }],
  ['comments', '---\n# mine\nname: N # short\ntype: user\n---\n', { name: 'N' }],
  ['no name', '---\ntype: user\n---\n', { name: '' }],
  ['nested fields', '---\nname: N\ntype: user\nmeta:\n  deep: {er: [1]}\n---\nb', { body: 'b' }],
  [
    'Chinese',
    '---\nname: 缩进\ndescription: 我喜欢用制表符缩进\ntype: user\n---\n正文',
    { name: '缩进', body: '正文' },
  ],
])('reads %s', (_, text, expected) => {
  expect(entryOf(text)).toMatchObject(expected)
})

test.each([
  ['no-frontmatter', '# Just a note'],
  ['no-frontmatter', ''],
  ['no-frontmatter', '--\nname: x\n'],
  ['malformed-frontmatter', '---\nname: x\n'],
  ['malformed-frontmatter', `---\nname: x\ndescription: ${'y'.repeat(5000)}\ntype: user\n---\n`],
  ['malformed-frontmatter', '---\nname: [x\ntype: user\n---\n'],
  ['malformed-frontmatter', '---\nname: a\nname: b\ntype: user\n---\n'],
  ['malformed-frontmatter', '---\njust words\n---\n'],
  ['malformed-frontmatter', `---\n${'['.repeat(4000)}\n---\n`],
  ['invalid-type', '---\nname: x\n---\n'],
  ['invalid-type', '---\nname: x\ntype: User\n---\n'],
  ['invalid-type', '---\nname: x\ntype: [user]\n---\n'],
  ['invalid-type', '---\n---\n'],
  ['invalid-type', '---\nname: &a x\ntype: *a\n---\n'],
])('reports %s in %j', (kind, text) => {
  expect(parseEntry(text)).toMatchObject({ ok: false, problem: { kind } })
})

test('an edit touches nothing but what it names', () => {
  const text = [
    '---',
    '# by hand',
    'zebra: {z: [1,  2]}   # odd',
    'name:   Prefers tabs',
    "description: 'old'",
    'type: user',
    'notes: |',
    '  kept',
    '',
    '  as is',
    'tags: [a,b]',
    '---',
    '',
    '',
    '  body, untouched  ',
    '',
    '',
  ].join('\n')
  expect(editEntry(text, {})).toBe(text)
  const ended = '---\nname: N\ntype: user\n---'
  expect(editEntry(ended, {})).toBe(ended)
  expect(editEntry(ended, { body: 'B' })).toBe(`${ended}\n\nB\n`)
  expect(editEntry(text, { description: 'new' })).toBe(text.replace("description: 'old'", 'description: new'))
  expect(editEntry(text, { pinned: true })).toBe(text.replace('tags: [a,b]\n', 'tags: [a,b]\npinned: true\n'))
  expect(editEntry(editEntry(text, { pinned: true }), { pinned: false })).toBe(text)
  expect(editEntry(text, { body: 'B' })).toBe(`${text.slice(0, text.indexOf('---\n\n') + 4)}\nB\n`)
  const windows = FILE.replaceAll('\n', '\r\n')
  expect(editEntry(windows, { updated: '2026-01-01T00:00:00Z', body: 'a\nb' })).toBe(
    windows
      .replace('type: user\r\n', 'type: user\r\nupdated: 2026-01-01T00:00:00Z\r\n')
      .replace('Use tabs.', 'a\r\nb'),
  )
})

test.each([
  ['all on one line', '---\n{name: N, description: old, type: user, zebra: 1}\n---\nb\n'],
  [
    'blank lines inside the value',
    '---\nname: N\ndescription: |\n  old\n\n  text\ntype: user\nzebra: 1\n---\nb\n',
  ],
  ['a value over several lines', '---\nname: N\ndescription: "old\n  text"\ntype: user\nzebra: 1\n---\nb\n'],
  ['a quoted key', '---\n"name": N\n"description": old\ntype: user\nzebra: 1\n---\nb\n'],
  ['no YAML at all', '---\nname: N\ndescription: a: b\ntype: user\nzebra: 1\n---\nb\n'],
  ['an empty value', '---\nname: N\ndescription:\ntype: user\nzebra: 1\n---\nb\n'],
])('edits %s', (_, text) => {
  const edited = editEntry(text, { description: 'new: "text" # here' })
  expect(entryOf(edited)).toEqual({ ...entryOf(text), description: 'new: "text" # here' })
  const block = parseBlock(splitFile(edited)?.block ?? '')
  expect(block.ok && block.fields.get('zebra')).toBe('1')
})

const line = fc.string({ unit: 'grapheme', maxLength: 80 })
const field = line.map(text => text.replaceAll(/\s+/gu, ' ').trim())

test('whatever name, description and body hold, they are read back', () => {
  fc.assert(
    fc.property(
      field,
      field,
      fc.array(line),
      fc.array(field.filter(Boolean)),
      (name, description, lines, sources) => {
        const body = lines.join('\n').trim()
        const text = printEntry({ ...ENTRY, name, description, body, sources })
        const read = entryOf(text)
        expect([read.name, read.description, read.sources]).toEqual([name, description, sources])
        expect(read.body.trim()).toBe(body.trim())
        expect(entryOf(editEntry(text, { name: description, updated: 'u' }))).toMatchObject({
          name: description,
          updated: 'u',
          description,
        })
      },
    ),
    { numRuns: 500 },
  )
})

test('no text makes reading throw', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '---\n',
      '---',
      'name: ',
      'type: user\n',
      '"',
      "'",
      '[',
      '{',
      '&a ',
      '*a',
      '|\n',
      '>',
      '#',
      ':',
      '\n',
      '\r\n',
      '\uFEFF',
      '- ',
    ),
    fc.string({ unit: 'binary', maxLength: 20 }),
  )
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 30 }).map(pieces => `---\n${pieces.join('')}`),
      text => {
        const parsed = parseEntry(text)
        if (parsed.ok) {
          const edited = editEntry(text, { description: 'd' })
          expect(edited.endsWith(splitFile(text)?.rest ?? '?')).toBe(true)
        } else expect(parsed.problem.detail).not.toBe('')
      },
    ),
    { numRuns: 3000 },
  )
})

test('a memory as later versions of Claude Code write it, and an edit of one', () => {
  const text = `---
name: prefers-tabs
description: Indents with tabs
metadata:
  node_type: memory
  type: user
  modified: 2026-04-01T10:00:00Z
---

Use tabs.
`
  const parsed = parseEntry(text)
  expect(parsed).toMatchObject({
    ok: true,
    entry: { type: 'user', updated: '2026-04-01T10:00:00Z', body: 'Use tabs.' },
  })
  const edited = editEntry(text, { description: 'Tabs, always', updated: '2026-04-08T00:00:00Z' })
  expect(edited).toContain('metadata:\n  node_type: memory\n  type: user\n')
  expect(parseEntry(edited)).toMatchObject({
    entry: { type: 'user', updated: '2026-04-08T00:00:00Z', description: 'Tabs, always' },
  })
})
