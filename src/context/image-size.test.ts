import fc from 'fast-check'
import { expect, test } from 'vitest'
import { imageSize } from './image-size.ts'

const bytes = (...parts: Array<string | number[]>) =>
  Buffer.concat(
    parts.map(part => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  )
const big = (n: number) => [n >> 8, n & 255]
const little = (n: number) => [n & 255, n >> 8]

test.each<[string, Buffer, { width: number; height: number } | undefined]>([
  [
    'PNG',
    bytes('\x89PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR', [0, 0], big(800), [0, 0], big(600)),
    { width: 800, height: 600 },
  ],
  ['GIF', bytes('GIF89a', little(320), little(200)), { width: 320, height: 200 }],
  [
    'JPEG behind a preview',
    bytes(
      [0xff, 0xd8, 0xff, 0xe1],
      big(2 + 90_00),
      'x'.repeat(90_00),
      [0xff, 0xff, 0xc2, 0, 17, 8],
      big(600),
      big(800),
      [3],
    ),
    { width: 800, height: 600 },
  ],
  ['WebP', bytes('RIFF....WEBPVP8 ', 'x'.repeat(10), little(800), little(600)), { width: 800, height: 600 }],
  [
    'WebP with more',
    bytes('RIFF....WEBPVP8X', 'x'.repeat(8), little(799), [0], little(599), [0]),
    { width: 800, height: 600 },
  ],
  [
    'WebP without loss',
    bytes(
      'RIFF....WEBPVP8L',
      'xxxx/',
      [799 & 255, (799 >> 8) | ((599 & 3) << 6), (599 >> 2) & 255, 599 >> 10],
      'x'.repeat(8),
    ),
    { width: 800, height: 600 },
  ],
  ['no image', bytes('hello'), undefined],
  ['one of no size', bytes('GIF89a', little(0), little(200)), undefined],
])('%s', (_, file, size) => {
  expect(imageSize(file.toString('base64'))).toEqual(size)
})

test('nothing makes it throw or hang', () => {
  const head = fc.constantFrom(
    '\x89PNG',
    'GIF89a',
    'RIFF....WEBPVP8X',
    'RIFF....WEBPVP8L',
    '\xff\xd8\xff\xe0',
    '\xff\xd8\xff\xff',
  )
  fc.assert(
    fc.property(head, fc.uint8Array({ maxLength: 60 }), (start, rest) => {
      imageSize(bytes(start, [...rest]).toString('base64'))
    }),
  )
})
