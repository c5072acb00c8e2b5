import { expect, test } from 'vitest'
import { toJavaScript } from './dialect.ts'
import { BadPattern, parsePattern } from './pattern.ts'

const PLAIN = { caseInsensitive: false, multiline: false }

const matches = (pattern: string, text: string, options = PLAIN) => {
  const { source, flags } = toJavaScript(parsePattern(pattern, options))
  return new RegExp(source, flags).test(text)
}

test.each([
  ['foo', 'a foo b', true],
  ['^foo$', 'foo', true],
  ['^foo$', 'foo\r', true],
  ['foo.$', 'foo\r', false],
  ['\\bäh\\b', 'so äh ja', true],
  ['\\bh\\b', 'so äh ja', false],
  ['\\w+', '漢字', true],
  ['\\p{Han}', '漢', true],
  ['\\P{L}', 'abc', false],
  ['[[:digit:]]{2,}', 'a12', true],
  ['[^a-c]', 'abc', false],
  ['[]x]', ']', true],
  ['[a-]', '-', true],
  ['interface{}', 'x interface{} y', true],
  ['fn() {', 'fn {', true],
  ['a{2}', 'aa', true],
  ['(?i)HELLO', 'hello', true],
  ['(?<year>\\d{4})-\\d\\d', '2024-05', true],
  ['a|b|', 'zzz', true],
  ['\\.\\*\\/', '.*/', true],
  ['\\x41\\u{1F600}\\u0042', 'A😀B', true],
  ['.', '\udc80', false],
  ['[^a]', '\udc80', false],
  ['\\W', '\udc80', false],
])('%s in %j: %s', (pattern, text, found) => {
  expect(matches(pattern, text)).toBe(found)
})

test.each([
  ['', 'empty'],
  ['a(', 'not closed'],
  ['a)', 'closes nothing'],
  ['[a', 'not closed'],
  ['*a', 'nothing before'],
  ['a**', 'two repetitions'],
  ['a{3,2}', 'before it begins'],
  ['(?=a)', 'looking ahead'],
  ['(?<!a)b', 'looking ahead'],
  ['(a)\\1', 'refers back'],
  ['\\k<x>', 'refers back'],
  ['\\Aa', 'means nothing'],
  ['\\<a', 'use \\b'],
  ['(?x) a', 'only (?:'],
  ['a\\', 'single \\'],
  ['a\\nb', 'multiline: true'],
  ['[z-a]', 'before it begins'],
  ['[a&&b]', 'write \\&'],
  ['[[a]]', 'write \\['],
  ['\\p{Klingon}', 'only general categories'],
  ['(a{500}){500}', 'more than 1000 times'],
  ['^*', 'cannot be repeated'],
  ['\\x{110000}', 'does not exist'],
])('%s is refused: %s', (pattern, why) => {
  expect(() => parsePattern(pattern, PLAIN)).toThrow(BadPattern)
  expect(() => parsePattern(pattern, PLAIN)).toThrow(why)
})
