import fc from 'fast-check'
import { expect, test } from 'vitest'
import { snippet } from './snippet.ts'

const marked = (text: string, terms: string[], length?: number): string[] => {
  const found = snippet(text, terms, length)
  return found.marks.map(([start, end]) => found.text.slice(start, end))
}

test.each([
  ['Use tabs for indentation.', ['tab', 'indent'], ['tabs', 'indentation']],
  ['call parseHTTPResponse2 first', ['http'], ['parseHTTPResponse2']],
  ['我喜欢用制表符缩进', ['缩进'], ['缩进']],
  ['我喜欢用制表符缩进', ['制表', '表符'], ['制表符']],
  ['用tab缩进', ['tab', '缩进'], ['tab', '缩进']],
  ['Un café à Paris', ['cafe'], ['café']],
  ['nothing here', ['tab'], []],
])('marks in %s the terms %j', (text, terms, expected) => {
  expect(marked(text, terms)).toEqual(expected)
})

test('shows the window with the most different terms, between ellipses', () => {
  const filler = 'lorem ipsum dolor sit amet '.repeat(20)
  const text = `deploy ${filler}we deploy on Monday with the gateway first ${filler}gateway`
  const found = snippet(text, ['deploi', 'gatewai', 'mondai'], 90)
  expect(found.text).toMatch(/^….*deploy on Monday with the gateway.*…$/)
  expect(found.text.length).toBeLessThanOrEqual(90)
})

test('a long Chinese text is cut around the match', () => {
  const text = `${'天气很好。'.repeat(60)}我喜欢用制表符缩进。${'明天也是。'.repeat(60)}`
  const found = snippet(text, ['缩进'], 40)
  expect(found.text).toContain('缩进')
  expect(found.text.length).toBeLessThanOrEqual(40)
})

test('without a match the beginning is shown', () => {
  expect(snippet('word '.repeat(100), ['absent'], 30).text).toBe('word word word word word…')
})

test('never longer than asked, never half a character, marks inside the text', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('tab', '😀', '缩进', 'word', ' ', '\n', 'é'), { maxLength: 200 }),
      fc.integer({ min: 4, max: 60 }),
      (pieces, length) => {
        const found = snippet(pieces.join(''), ['tab', '缩进'], length)
        expect(found.text.length).toBeLessThanOrEqual(length)
        expect(found.text.isWellFormed()).toBe(true)
        for (const [start, end] of found.marks) {
          expect(['tab', '缩进']).toContain(/[a-z]/.test(found.text.slice(start, end)) ? 'tab' : '缩进')
          expect(end).toBeLessThanOrEqual(found.text.length)
          expect(start).toBeLessThan(end)
        }
      },
    ),
  )
})
