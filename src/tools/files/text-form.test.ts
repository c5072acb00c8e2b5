import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeText } from './encode-text.ts'
import { decodeText, formOf } from './text-form.ts'

const roundTrip = (bytes: Buffer) => {
  const decoded = decodeText(bytes)
  return decoded && encodeText(decoded.text, decoded.form)
}

test.each<[string, Buffer, string, string]>([
  ['UTF-8', Buffer.from('héllo'), 'UTF-8', 'héllo'],
  ['UTF-8 with mark', Buffer.from('\ufeffhé'), 'UTF-8', 'hé'],
  ['UTF-16 LE', Buffer.from('\ufeffhé😀', 'utf16le'), 'UTF-16 LE', 'hé😀'],
  ['UTF-16 BE', Buffer.from('\ufeffhé', 'utf16le').swap16(), 'UTF-16 BE', 'hé'],
  ['Latin-1', Buffer.from('na\xefve caf\xe9', 'latin1'), 'Latin-1', 'naïve café'],
])('%s', (_, bytes, encoding, text) => {
  expect(decodeText(bytes)).toMatchObject({ text, form: { encoding } })
  expect(roundTrip(bytes)).toEqual(bytes)
})

test('what is not text is not taken for it', () => {
  expect(decodeText(Buffer.from([1, 2, 0, 3]))).toBeUndefined()
  expect(
    decodeText(Buffer.from(Array.from({ length: 200 }, (_, at) => (at * 37) % 255 || 1))),
  ).toBeUndefined()
})

test('UTF-8 with a damaged byte stays UTF-8, and the byte stays', () => {
  const bytes = Buffer.concat([Buffer.from('größe äöü '), Buffer.from([0xff]), Buffer.from(' Ende')])
  expect(decodeText(bytes)?.form.encoding).toBe('UTF-8')
  expect(roundTrip(bytes)).toEqual(bytes)
})

test('a sample that ends within a character is not damaged', () => {
  expect(formOf(Buffer.from('aé').subarray(0, 2))?.encoding).toBe('UTF-8')
})

test('whatever counts as text is written back byte for byte', () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 20 }).map(bytes => Buffer.from(bytes)),
    fc.string({ unit: 'grapheme', maxLength: 40 }).map(text => Buffer.from(text)),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), pieces => {
      const bytes = Buffer.concat(pieces)
      const back = roundTrip(bytes)
      if (back) expect(back).toEqual(bytes)
    }),
    { numRuns: 500 },
  )
})

test('Latin-1 says what it cannot hold', () => {
  expect(() => encodeText('5 €', { encoding: 'Latin-1', bom: false })).toThrow('€')
})
