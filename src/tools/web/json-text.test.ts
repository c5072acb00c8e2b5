import fc from 'fast-check'
import { expect, test } from 'vitest'
import { indentedJson } from './json-text.ts'

test('it is what JSON.stringify makes of it', () => {
  fc.assert(
    fc.property(fc.json(), json => {
      // What JSON.stringify writes otherwise than it was: -0, 1E5.
      fc.pre(!/-0|\de/i.test(json))
      expect(indentedJson(json)).toBe(JSON.stringify(JSON.parse(json), null, 2))
    }),
  )
})

test.each([
  ['{"a":1.0,"a":123456789012345678901}', '{\n  "a": 1.0,\n  "a": 123456789012345678901\n}'],
  [' [ ] ', '[]'],
  ['[{},[[]]]', '[\n  {},\n  [\n    []\n  ]\n]'],
  ['{"a":"{[,:\\" ]}"}', '{\n  "a": "{[,:\\" ]}"\n}'],
  ['true', 'true'],
  ['{"cut', '{"cut'],
  ['{"a":1}\n{"a":2}', '{"a":1}\n{"a":2}'],
  ['', ''],
])('%s', (json, text) => {
  expect(indentedJson(json)).toBe(text)
})

test.each([
  ['a long string', `["${'x'.repeat(1_900_000)}"]`],
  ['a long string of escapes', `["${'\\n'.repeat(950_000)}"]`],
  ['a long number', `[${'1'.repeat(1_900_000)}]`],
  ['many values', `[${'0,'.repeat(950_000)}0]`],
])('%s is indented all the same', (_, json) => {
  expect(indentedJson(json).length).toBeGreaterThan(json.length)
})

test('too long or too deep, it is left as it is', () => {
  const long = `[${'0,'.repeat(1_500_000)}0]`
  expect(indentedJson(long)).toBe(long)
  const json = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  expect(indentedJson(json)).toBe(json)
  const wide = `[${Array(900)
    .fill(`${'['.repeat(1_000)}${']'.repeat(1_000)}`)
    .join(',')}]`
  expect(indentedJson(wide)).toBe(wide)
})
