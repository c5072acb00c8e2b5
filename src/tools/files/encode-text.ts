/** Text back to the bytes it came from: what was not changed is written as it was. */
import { ReverieError } from '../../store/index.ts'
import { BOMS, type Encoding, swapped, type TextForm } from './text-form.ts'

class CannotEncode extends ReverieError {}

export function encodeText(text: string, { encoding, bom }: TextForm): Buffer {
  const mark = bom ? Buffer.from(BOMS.find(([name]) => name === encoding)?.[1] ?? []) : Buffer.alloc(0)
  return Buffer.concat([mark, encodeBody(text, encoding)])
}

function encodeBody(text: string, encoding: Encoding): Buffer {
  switch (encoding) {
    case 'UTF-8':
      return encodeUtf8(text)
    case 'UTF-16 LE':
      return Buffer.from(text, 'utf16le')
    case 'UTF-16 BE':
      return swapped(Buffer.from(text, 'utf16le'))
    case 'Latin-1': {
      const foreign = /[^\u0000-\u00ff]/u.exec(text)?.[0]
      if (foreign)
        throw new CannotEncode(
          `The file is in Latin-1, which has no “${foreign}”. Leave that character out, or convert the file to UTF-8 first.`,
        )
      return Buffer.from(text, 'latin1')
    }
  }
}

/** What `decodeUtf8` made of bytes that are not UTF-8. */
const ESCAPED_BYTES = /[\udc80-\udcff]+/gu

function encodeUtf8(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text, 'utf8')
  const pieces: Buffer[] = []
  let from = 0
  for (const { index, 0: escaped } of text.matchAll(ESCAPED_BYTES)) {
    pieces.push(Buffer.from(text.slice(from, index), 'utf8'))
    pieces.push(Buffer.from(Array.from(escaped, one => one.charCodeAt(0) - 0xdc00)))
    from = index + escaped.length
  }
  pieces.push(Buffer.from(text.slice(from), 'utf8'))
  return Buffer.concat(pieces)
}
