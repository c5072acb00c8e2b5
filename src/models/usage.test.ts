import type { LanguageModelV4Usage } from '@ai-sdk/provider'
import { expect, test } from 'vitest'
import { costOf, type Price, usageOf } from './usage.ts'

const PRICE: Price = { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 }

function reported(
  figures: Partial<Record<'input' | 'output' | 'read' | 'write', number>>,
): LanguageModelV4Usage {
  const { input, output, read, write } = figures
  return {
    inputTokens: { total: input, noCache: undefined, cacheRead: read, cacheWrite: write },
    outputTokens: { total: output, text: undefined, reasoning: undefined },
  }
}

test('cost counts each token once, at the rate of its kind', () => {
  const usage = usageOf(reported({ input: 1_000_000, output: 100_000, read: 600_000, write: 300_000 }), PRICE)
  expect(usage).toMatchObject({ input: 1_000_000, output: 100_000, cacheRead: 600_000, cacheWrite: 300_000 })
  // 100,000 fresh · 2 + 600,000 read · 0.2 + 300,000 written · 2.5 + 100,000 out · 10, per million
  expect(usage.usd).toBeCloseTo(0.2 + 0.12 + 0.75 + 1)
})

test('a long prompt is charged as a whole at other rates', () => {
  const price = { ...PRICE, long: { above: 200_000, input: 4, output: 15, cacheRead: 0.4, cacheWrite: 5 } }
  const of = (input: number) => costOf({ input, output: 0, cacheRead: 0, cacheWrite: 0 }, price)
  expect(of(200_000)).toBeCloseTo(0.4)
  expect(of(200_001)).toBeCloseTo(0.8)
})

test('what is not known costs an unknown sum, not nothing', () => {
  expect(usageOf(reported({ input: 10, output: 5 }))).toEqual({
    input: 10,
    output: 5,
    cacheRead: 0,
    cacheWrite: 0,
  })
  expect(usageOf(reported({ output: 5 }), PRICE)).not.toHaveProperty('usd')
  expect(usageOf(undefined, PRICE)).toEqual({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 })
  expect(costOf({ input: 1, output: 1, cacheRead: 0, cacheWrite: 0 }, undefined)).toBeUndefined()
  // A provider that counts more from the cache than in all does not pay us back.
  expect(costOf({ input: 1, output: 0, cacheRead: 2, cacheWrite: 0 }, PRICE)).toBeGreaterThan(0)
})
