import fc from 'fast-check'
import { expect, test } from 'vitest'
import { replied, returned, said } from '../session/session.fixture.ts'
import {
  calibrate,
  calibrated,
  estimateMessage,
  estimateText,
  estimateTools,
  UNCALIBRATED,
} from './tokens.ts'

// Counted with tokenisers of today; a first guess within a third of it is good enough to be calibrated.
test.each([
  ['The quick brown fox jumps over the lazy dog.', 10],
  ['今天天气很好，我们去公园散步吧。', 13],
  ['const total = items.reduce((sum, { price }) => sum + price, 0)', 19],
  ['2026-04-08T12:00:00.000Z', 14],
  ['We internationalised the page and made it accessible.', 10],
])('%s is about %d tokens', (text, tokens) => {
  expect(Math.abs(estimateText(text) - tokens) / tokens).toBeLessThan(0.4)
})

test('more text is never fewer tokens, and nothing is none', () => {
  expect(estimateText('')).toBe(0)
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
      expect(estimateText(`${a}\n${b}`)).toBeGreaterThanOrEqual(
        Math.max(estimateText(a), estimateText(b)) - 1,
      )
    }),
  )
})

test('images, calls, results and schemas count', () => {
  const image = { type: 'image' as const, mediaType: 'image/png', data: 'x'.repeat(1_000_000) }
  expect(estimateMessage(said('see', [image]))).toBeLessThan(2_000)
  expect(estimateMessage(returned('a', 'bash', 'word '.repeat(500)))).toBeGreaterThan(400)
  expect(estimateMessage(replied('', [['a', 'bash']]))).toBeGreaterThan(10)
  expect(estimateTools([{ name: 'x', description: 'word '.repeat(100) }])).toBeGreaterThan(100)
})

test('after the first reply the estimate is what the provider counted; mistakes in a report are bounded', () => {
  const once = calibrate(UNCALIBRATED, 'm', { estimate: 1_000, reported: 1_400 })
  expect(calibrated(2_000, 'm', once)).toBe(2_800)
  expect(calibrated(2_000, 'other', once)).toBe(2_000)
  const odd = calibrate(UNCALIBRATED, 'm', { estimate: 1_000, reported: 1_000_000 })
  expect(calibrated(1_000, 'm', odd)).toBe(3_000)
  expect(calibrate(once, 'm', { estimate: 10, reported: 100 })).toBe(once)
})
