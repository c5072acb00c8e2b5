import { expect, test } from 'vitest'
import { decodeText } from './charset.ts'

const bytes = (...parts: Array<string | number[]>) =>
  Buffer.concat(parts.map(part => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))))

test.each<[string, Buffer, string | undefined, string]>([
  ['nothing said, UTF-8', bytes('é'), undefined, 'é'],
  ['nothing said, not UTF-8', bytes([0x63, 0x61, 0x66, 0xe9]), undefined, 'café'],
  ['said with the answer', bytes([0xe9]), 'iso-8859-1', 'é'],
  ['a name in capitals', bytes([0xd6, 0xd0]), 'GB2312', '中'],
  ['Japanese', bytes([0x93, 0xfa]), 'Shift_JIS', '日'],
  ['Big5', bytes([0xa4, 0xa4]), 'big5', '中'],
  ['a charset nobody knows', bytes('é'), 'klingon', 'é'],
  ['in the page', bytes('<meta charset=windows-1251>', [0xcf]), undefined, '<meta charset=windows-1251>П'],
  [
    'in the page, the old way',
    bytes('<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">', [0xf0]),
    undefined,
    '<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">П',
  ],
  [
    'in XML',
    bytes('<?xml version="1.0" encoding="iso-8859-1"?>', [0xe9]),
    undefined,
    '<?xml version="1.0" encoding="iso-8859-1"?>é',
  ],
  ['said over in the page', bytes('<meta charset=windows-1251>é'), 'utf-8', '<meta charset=windows-1251>é'],
  ['a mark over what is said', bytes([0xef, 0xbb, 0xbf], 'é'), 'iso-8859-1', 'é'],
  ['UTF-16', bytes([0xff, 0xfe, 0x41, 0]), undefined, 'A'],
  ['UTF-16, the other way', bytes([0xfe, 0xff, 0, 0x41]), 'utf-8', 'A'],
  ['UTF-16 that cannot be', bytes('<meta charset="utf-16">é'), undefined, '<meta charset="utf-16">é'],
  ['nothing', bytes(), undefined, ''],
])('%s', (_, given, said, text) => {
  expect(decodeText(given, said)).toBe(text)
})

test('what was cut may end within a letter', () => {
  const cut = bytes('né').subarray(0, 2)
  expect(decodeText(cut, undefined, true)).toBe('n')
  expect(decodeText(cut, undefined)).toBe('nÃ')
})
