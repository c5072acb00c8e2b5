import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { OutputWindow } from './output-window.ts'
import { readable, shownOutput } from './shown-output.ts'

test('however it is cut into pieces, what is shown is the same', () => {
  const texts = fc.string({ unit: 'grapheme', maxLength: 200 })
  const cuts = fc.array(fc.nat(30), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(texts, cuts, (text, cuts) => {
      const bytes = Buffer.from(text)
      const inPieces = new OutputWindow(10)
      for (let at = 0, turn = 0; at < bytes.length; turn++) {
        const length = 1 + (cuts[turn % cuts.length] ?? 0)
        inPieces.add(bytes.subarray(at, at + length))
        at += length
      }
      const atOnce = new OutputWindow(10)
      if (bytes.length > 0) atOnce.add(bytes)
      expect(inPieces.sides()).toEqual(atOnce.sides())
      expect(inPieces.bytes).toBe(bytes.length)
      const sides = inPieces.sides()
      if ('whole' in sides) expect(sides.whole).toBe(text)
      else {
        expect(text.startsWith(sides.head)).toBe(true)
        expect(text.endsWith(sides.tail)).toBe(true)
      }
      expect(text.endsWith(inPieces.end(15))).toBe(true)
    }),
  )
})

test('what is shown never exceeds its limit, and says where the rest is', () => {
  for (const unit of ['x', '你', '😀', 'ab\n']) {
    const output = new OutputWindow(500)
    for (let at = 0; at < 3_000; at++) output.add(Buffer.from(unit))
    const { text, whole } = shownOutput(output, 800, '/file')
    expect(whole).toBe(false)
    expect(text.length).toBeLessThanOrEqual(800)
    expect(text.length).toBeGreaterThan(750)
    expect(text).toContain('/file')
    expect(text.isWellFormed()).toBe(true)
    expect(text).not.toContain('\ufffd')
  }
})

test.each([
  ['a\tb\n', 'a\tb\n'],
  ['a\r\nb', 'a\nb'],
  ['1%\r2%\r3%\n', '3%\n'],
  ['keep\r', 'keep'],
  ['\u001b[1mbold\u001b[0m', 'bold'],
  ['\0\u0007', '␀␇'],
])('%j is read as %j', (text, read) => {
  expect(readable(text)).toBe(read)
})
