import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fileAgent } from './agent.fixture.ts'
import { edit } from './edit.ts'

async function withFile(content: string | Uint8Array) {
  const agent = fileAgent()
  agent.put('a.ts', content)
  await agent.text('read_file', { path: 'a.ts' })
  return { ...agent, edit: (input: object) => agent.text('edit_file', { path: 'a.ts', ...input }) }
}

test('replaces the one place and shows it', async () => {
  const agent = await withFile('a\nb\nc\nd\ne\nf\ng\nh\n')
  expect(await agent.edit({ old: 'e\n', new: 'E1\nE2\n' })).toBe(
    'Changed a.ts:\n   2\tb\n   3\tc\n   4\td\n   5\tE1\n   6\tE2\n   7\tf\n   8\tg\n   9\th',
  )
  expect(agent.get('a.ts')).toBe('a\nb\nc\nd\nE1\nE2\nf\ng\nh\n')
})

test('needs a prior read; refuses what changed, what changes nothing and what is not there', async () => {
  const agent = fileAgent()
  agent.put('a.ts', 'x')
  const change = () => agent.text('edit_file', { path: 'a.ts', old: 'x', new: 'y' })
  await expect(change()).rejects.toThrow('not read it')
  await agent.text('read_file', { path: 'a.ts' })
  agent.put('a.ts', 'x ')
  await expect(change()).rejects.toThrow('Read it again')
  await expect(agent.text('edit_file', { path: 'b.ts', old: 'x', new: 'y' })).rejects.toThrow('write_file')
  const other = await withFile('x')
  await expect(other.edit({ old: 'x', new: 'x' })).rejects.toThrow('the same')
  await expect(other.edit({ old: '', new: 'x' })).rejects.toThrow('empty')
  expect(await other.edit({ old: 'x', new: 'y' })).toContain('   1\ty')
  expect(await other.edit({ old: 'y', new: 'z' })).toContain('   1\tz')
})

test('several places: said where, or all replaced', async () => {
  const agent = await withFile('x = 1\ny = 1\nx = 1\n')
  await expect(agent.edit({ old: 'x = 1', new: 'x = 2' })).rejects.toThrow(
    'stands 2 times in a.ts, at lines 1, 3',
  )
  expect(await agent.edit({ old: 'x = 1', new: 'x = 2', all: true })).toContain('in 2 places')
  expect(agent.get('a.ts')).toBe('x = 2\ny = 1\nx = 2\n')
})

test.each([
  ['\tif (x) {\n\t\ty()\n', '    if (x) {\n        y()', 'indentation'],
  ['say(“hello”)\n', 'say("hello")', 'quotes'],
  ['foo  \nbar\n', 'foo\nbar', 'ends of lines'],
  ['a = b+c\n', 'a = b + c', 'only in spaces'],
  ['Hello\n', 'hello', 'upper and lower'],
  ['const total = add(a, b)\n', 'const totals = add(a, b);', 'nearest is line 1'],
  ['one\n', '   1\tone', 'line numbers of read_file'],
  ['one\n', 'quite different', 'Nothing like it'],
])('%j does not have %j: says why (%s)', (content, old, why) => {
  expect(() => edit('f', content, { old, by: 'new', all: false })).toThrow(why)
})

test('CRLF, encoding and damaged bytes stay', async () => {
  const crlf = await withFile('one\r\ntwo\r\nthree\r\n')
  await crlf.edit({ old: 'one\ntwo', new: 'ONE\n1.5\nTWO' })
  expect(crlf.get('a.ts')).toBe('ONE\r\n1.5\r\nTWO\r\nthree\r\n')
  const mixed = await withFile('one\r\ntwo\nthree\r\n')
  await mixed.edit({ old: 'two\n', new: '2\n' })
  expect(mixed.get('a.ts')).toBe('one\r\n2\nthree\r\n')
  const wide = await withFile(Buffer.from('\ufeffé\r\nx\r\n', 'utf16le'))
  await wide.edit({ old: 'é\nx', new: 'è' })
  expect(wide.bytes('a.ts')).toEqual(Buffer.from('\ufeffè\r\n', 'utf16le'))
  const damaged = await withFile(Buffer.from([0xc3, 0xa4, 0xff, 0x0a, 0x78, 0x0a]))
  await damaged.edit({ old: 'x', new: 'ü' })
  expect(damaged.bytes('a.ts')).toEqual(Buffer.from([0xc3, 0xa4, 0xff, 0x0a, 0xc3, 0xbc, 0x0a]))
  const latin = await withFile(Buffer.from('caf\xe9\n', 'latin1'))
  await expect(latin.edit({ old: 'café', new: '€' })).rejects.toThrow('Latin-1')
})

test('an edit through CRLF is the edit of the plain text', () => {
  const text = fc.array(fc.constantFrom('a', 'b', '\n'), { maxLength: 30 }).map(all => all.join(''))
  fc.assert(
    fc.property(text, text, text, (content, old, by) => {
      fc.pre(old !== '' && old !== by && content.includes(old))
      const wish = { old, by, all: true }
      const crlf = edit('f', content.replaceAll('\n', '\r\n'), wish).text
      expect(crlf.replaceAll('\r\n', '\n')).toBe(content.replaceAll(old, () => by))
      expect(edit('f', content, wish).text).toBe(content.replaceAll(old, () => by))
    }),
  )
})
