import { expect, test } from 'vitest'
import { kindOf, kindOfBytes, readMediaType, whatItIs } from './media-type.ts'

test.each([
  ['text/html', 'html'],
  ['Text/HTML; charset="x"', 'html'],
  ['application/xhtml+xml', 'html'],
  ['application/json', 'json'],
  ['application/problem+json;charset=utf-8', 'json'],
  ['text/markdown', 'text'],
  ['application/xml', 'text'],
  ['application/atom+xml', 'text'],
  ['image/svg+xml', 'text'],
  ['application/x-ndjson', 'text'],
  ['application/javascript', 'text'],
  ['application/pdf', 'binary'],
  ['image/webp', 'binary'],
  ['application/octet-stream', 'binary'],
  ['application/zip', 'binary'],
  ['', undefined],
  ['nonsense', undefined],
  [undefined, undefined],
])('%s is %s', (header, kind) => {
  expect(kindOf(readMediaType(header))).toBe(kind)
})

test.each([
  ['text/html; charset=utf-8', 'utf-8'],
  ['text/html;charset="GBK"', 'GBK'],
  ["text/html; x=y; Charset = 'a'", 'a'],
  ['text/html', undefined],
  [`text/html; charset=${'x'.repeat(100)}`, 'x'.repeat(40)],
])('%s has charset %s', (header, charset) => {
  expect(readMediaType(header).charset).toBe(charset)
})

test.each<[string, Parameters<typeof kindOfBytes>[1], string]>([
  ['<!DOCTYPE html><p>', undefined, 'html'],
  ['\n<!-- x --><html>', undefined, 'html'],
  ['hello', undefined, 'text'],
  ['%PDF-1.7', 'text', 'binary'],
  ['GIF89a\x00\x01', undefined, 'binary'],
  ['a\x00b', 'html', 'binary'],
  ['\x1b[31mred\x1b[0m', 'text', 'text'],
  ['<html>', 'text', 'text'],
  ['', undefined, 'text'],
])('bytes %j, said to be %s, are %s', (start, said, kind) => {
  expect(kindOfBytes(Buffer.from(start, 'latin1'), said)).toBe(kind)
})

test('UTF-16 is text although half of it is zero', () => {
  expect(kindOfBytes(Buffer.from('\ufeffab', 'utf16le'), 'text')).toBe('text')
})

test('files are called what people call them', () => {
  expect(whatItIs(readMediaType('application/pdf'))).toBe('a PDF document (application/pdf)')
  expect(whatItIs(readMediaType('application/x-tar'))).toBe('an archive (application/x-tar)')
  expect(whatItIs(readMediaType(undefined))).toBe('a binary file')
})
