import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MEMORY_TYPES, type MemoryType } from './entry.ts'
import {
  deriveIndex,
  INDEX_BYTES,
  INDEX_LINES,
  type IndexEntry,
  loadIndex,
  splitLines,
} from './index-file.ts'
import { fileOfLine, LINE_LIMIT, printLine } from './index-line.ts'

const entry = (file: string, worth = 1, type: MemoryType = 'user'): IndexEntry => ({
  file,
  name: `Name of ${file}`,
  description: 'a hook',
  type,
  worth,
})
const derive = (text: string, entries: IndexEntry[], others: string[] = []) =>
  deriveIndex({ text, entries, present: new Set([...entries.map(({ file }) => file), ...others]) })
const filesIn = (text: string) => splitLines(text).flatMap(line => fileOfLine(line) ?? [])

test('an empty index is grouped by type, and deriving it again changes nothing', () => {
  const entries = [entry('b.md', 1, 'project'), entry('a.md'), entry('c.md')]
  const { text, lines, bytes } = derive('', entries)
  expect(text).toBe(
    '## About the owner\n\n- [Name of a.md](a.md) — a hook\n- [Name of c.md](c.md) — a hook\n\n' +
      '## The project\n\n- [Name of b.md](b.md) — a hook\n',
  )
  expect([lines, bytes]).toEqual([8, Buffer.byteLength(text)])
  expect(derive(text, entries).text).toBe(text)
  const more = derive(text, [...entries, entry('d.md')]).text
  expect(splitLines(more)[4]).toBe('- [Name of d.md](d.md) — a hook')
})

test("somebody else's index keeps its order, headings, prose and wording", () => {
  const text = [
    '# My memory',
    '',
    'Read this first.',
    '- [Mine](b.md) - in my own words',
    '* [Not a file](https://x.example/a.md)',
    '',
    '## Later',
    '- [Gone](gone.md)',
    '- [Note](note.md) — no memory, but there',
    '',
    'The end.',
    '',
  ].join('\r\n')
  const { text: derived, dropped } = derive(text, [entry('a.md'), entry('b.md')], ['note.md'])
  expect(dropped).toEqual([{ file: 'gone.md', line: '- [Gone](gone.md)' }])
  expect(derived).toBe(
    text
      .replace('- [Gone](gone.md)\r\n', '')
      .replace('but there\r\n', 'but there\r\n- [Name of a.md](a.md) — a hook\r\n'),
  )
})

test('a line of ours follows its entry, a line of a person does not', () => {
  const old = printLine(entry('a.md'))
  const changed = { ...entry('a.md'), description: 'another hook' }
  const state = { entries: [changed], present: new Set(['a.md']), ours: new Map([['a.md', old]]) }
  expect(deriveIndex({ ...state, text: `${old}\n` }).text).toBe('- [Name of a.md](a.md) — another hook\n')
  expect(deriveIndex({ ...state, text: `${old}, says Ann\n` }).text).toBe(`${old}, says Ann\n`)
})

test('beyond the caps the least useful lose their lines, and are named', () => {
  const entries = Array.from({ length: 300 }, (_, n) =>
    entry(`f${n}.md`, n % 7 === 0 ? 5 : 1, MEMORY_TYPES[n % 4]),
  )
  const full = derive('# Mine\n\n## About the owner\n', entries)
  expect(full.lines).toBe(INDEX_LINES)
  expect(filesIn(full.text).length + full.demoted.length).toBe(300)
  expect(full.demoted.every(file => Number(file.slice(1, -3)) % 7 !== 0)).toBe(true)
  expect(full.text.startsWith('# Mine\n')).toBe(true)
  const again = derive(full.text, entries)
  expect([again.text, again.demoted]).toEqual([full.text, full.demoted])
  const next = derive(full.text, [...entries, entry('new.md', 9)])
  expect(filesIn(next.text)).toContain('new.md')
  expect(next.lines).toBe(INDEX_LINES)
  const chinese = Array.from({ length: 190 }, (_, n) => ({
    ...entry(`f${n}.md`),
    description: '缩'.repeat(300),
  }))
  const wide = derive('', chinese)
  expect(wide.bytes).toBeLessThanOrEqual(INDEX_BYTES)
  expect(wide.bytes).toBeGreaterThan(INDEX_BYTES - 500)
  expect(wide.demoted.length).toBeGreaterThan(0)
  expect(derive('# Mine\r\n', chinese).bytes).toBeLessThanOrEqual(INDEX_BYTES)
  expect(derive(full.text, [...entries, entry('new.md', 9)]).lostLine).toHaveLength(1)
})

const anyEntry = fc.record({
  file: fc.integer({ min: 0, max: 400 }).map(n => `f${n}.md`),
  name: fc.string({ unit: 'grapheme' }),
  description: fc.string({ unit: 'grapheme', maxLength: 400 }),
  type: fc.constantFrom(...MEMORY_TYPES),
  worth: fc.nat(5),
})
const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom('# H', '', '## About the owner', '- [x](f1.md)', '- [gone](zz.md)', '- [y](f2.md) — z'),
      fc.string(),
    ),
  )
  .map(lines => lines.join('\n'))

test('never a dangling line, none missing below the caps, never over them, and stable', () => {
  fc.assert(
    fc.property(
      anyText,
      fc.uniqueArray(anyEntry, { selector: ({ file }) => file, maxLength: 260 }),
      (text, entries) => {
        const result = derive(text, entries)
        const files = new Set(entries.map(({ file }) => file))
        const listed = new Set(filesIn(result.text))
        for (const file of listed) expect(files.has(file)).toBe(true)
        for (const file of files) expect(listed.has(file)).toBe(!result.demoted.includes(file))
        if (result.demoted.length > 0) expect(result.lines).toBeGreaterThan(10)
        else expect(listed.size).toBe(files.size)
        expect(result.lines).toBeLessThanOrEqual(INDEX_LINES)
        expect(result.bytes).toBeLessThanOrEqual(INDEX_BYTES)
        expect(derive(result.text, entries).text).toBe(result.text)
        const prose = splitLines(text).filter(line => fileOfLine(line) === undefined && line.trim() !== '')
        const after = splitLines(result.text).filter(
          line => fileOfLine(line) === undefined && line.trim() !== '',
        )
        expect(after.filter(line => prose.includes(line))).toEqual(prose)
      },
    ),
    { numRuns: 300 },
  )
})

test('a line is at most 150 characters, links to its file, and is never cut through a character', () => {
  fc.assert(
    fc.property(anyEntry, fc.constantFrom('a.md', 'user_x (2).md', 'ü b.md'), (made, file) => {
      const line = printLine({ ...made, file })
      expect(line.length).toBeLessThanOrEqual(LINE_LIMIT)
      expect(fileOfLine(line)).toBe(file)
      expect(line).not.toContain('\n')
    }),
  )
  expect(printLine({ file: 'a.md', name: 'N', description: '😀'.repeat(100) }).isWellFormed()).toBe(true)
})

test('what is loaded is cut at a line end, with a warning that names the cap and by how much', () => {
  const short = '- [a](a.md)\n- [b](b.md)\n'
  expect(loadIndex(short)).toBe(short.trimEnd())
  const long = loadIndex('x\n'.repeat(213))
  expect(long).toContain('213 lines, 13 over the cap of 200')
  expect(splitLines(long)).toHaveLength(202)
  const wide = loadIndex(`${'y'.repeat(199)}\n`.repeat(150))
  expect(wide).toContain('30000 bytes, 5000 over the cap of 25000')
  expect(splitLines(wide).filter(line => line.startsWith('yyy'))).toHaveLength(125)
})
