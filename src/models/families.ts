import type { Price, Rates } from './usage.ts'

export interface Limits {
  /** How many tokens a request may hold, prompt and reply together. */
  window: number
  maxOutput: number
}

/** Models that are not in the table: small enough to be true of anything worth talking to. */
export const UNKNOWN_LIMITS: Limits = { window: 128_000, maxOutput: 8_192 }

interface Family extends Limits {
  /** Whose own API asks the price. Resellers and clouds have prices of their own. */
  vendor: string
  price?: Price
}

const M = 1_000_000
const K = 1_000

const rates = (input: number, output: number, cacheRead = input, cacheWrite = input): Rates => ({
  input,
  output,
  cacheRead,
  cacheWrite,
})

/** OpenAI, above 272,000 tokens of prompt: input and cache twice, output one and a half times. */
const openAiLong = (price: Rates): Price => ({
  ...price,
  long: {
    above: 272 * K,
    input: price.input * 2,
    output: price.output * 1.5,
    cacheRead: price.cacheRead * 2,
    cacheWrite: price.cacheWrite * 2,
  },
})

const claude = (window: number, maxOutput: number, price: Price): Family => ({
  vendor: 'anthropic',
  window,
  maxOutput,
  price,
})

/** Of a window of 1,050,000 (GPT-5.3 and before: 400,000) this much may be prompt; we plan with that. */
const gpt = (window: 922_000 | 272_000, price?: Price): Family => ({
  vendor: 'openai',
  window,
  maxOutput: 128 * K,
  ...(price && { price }),
})

const gemini = (price?: Price): Family => ({
  vendor: 'google',
  window: 1_048_576,
  maxOutput: 65_536,
  ...(price && { price }),
})

/** xAI states no limit of output; this is as much as is ever asked for here. Long prompts start at 200,000. */
const grok = (window: number, price: Price): Family => ({ vendor: 'xai', window, maxOutput: 64 * K, price })

const deepseek = (price: Price): Family => ({ vendor: 'deepseek', window: M, maxOutput: 384 * K, price })

/**
 * Well-known families, by the beginning of a model's name: window, longest reply, price. Collected on 18 November
 * 2026 from the vendors' pages (platform.claude.com, developers.openai.com, ai.google.dev, docs.x.ai,
 * api-docs.deepseek.com) and models.dev. Where a vendor has hours or months at a discount, the full price stands
 * here (Gemini 4 from December 2026, Gemini 3.7 and 3.8 Flash from 2027, DeepSeek at peak): a budget may stop a
 * session early, never late. A price on which the sources disagree is left out: unknown is said, a guess is not.
 */
const FAMILIES: ReadonlyArray<readonly [prefix: string, family: Family]> = [
  ['claude-fable-5-1', claude(M, 128 * K, rates(10, 50, 0.25, 12.5))],
  ['claude-fable-5', claude(M, 128 * K, rates(10, 50, 1, 12.5))],
  ['claude-opus-5-5', claude(M, 128 * K, rates(4, 20, 0.2, 5))],
  ['claude-opus-5', claude(M, 128 * K, rates(5, 25, 0.5, 6.25))],
  ['claude-opus-4-8', claude(M, 128 * K, rates(5, 25, 0.5, 6.25))],
  ['claude-opus-4-7', claude(M, 128 * K, rates(5, 25, 0.5, 6.25))],
  ['claude-opus-4-6', claude(M, 128 * K, rates(5, 25, 0.5, 6.25))],
  ['claude-opus-4-5', claude(200 * K, 64 * K, rates(5, 25, 0.5, 6.25))],
  ['claude-opus-4-1', claude(200 * K, 32 * K, rates(15, 75, 1.5, 18.75))],
  ['claude-sonnet-5-5', claude(M, 128 * K, rates(2, 10, 0.1, 2.5))],
  ['claude-sonnet-5', claude(M, 128 * K, rates(2, 10, 0.2, 2.5))],
  ['claude-sonnet-4-6', claude(M, 64 * K, rates(3, 15, 0.3, 3.75))],
  ['claude-sonnet-4-5', claude(200 * K, 64 * K, rates(3, 15, 0.3, 3.75))],
  ['claude-sonnet-4', claude(200 * K, 64 * K, rates(3, 15, 0.3, 3.75))],
  [
    'claude-haiku-5-5',
    claude(M, 128 * K, {
      ...rates(0.1, 0.5, 0.01, 0.125),
      long: { above: 100 * K, ...rates(0.5, 2.5, 0.05, 0.625) },
    }),
  ],
  ['claude-haiku-4-5', claude(200 * K, 64 * K, rates(1, 5, 0.1, 1.25))],
  ['gpt-6.1-sol', gpt(922_000, openAiLong(rates(2, 10, 0.1, 2.5)))],
  ['gpt-6.1-terra', gpt(922_000, openAiLong(rates(1, 5, 0.05, 1.25)))],
  ['gpt-6-astra', gpt(922_000, openAiLong(rates(10, 50, 1, 12.5)))],
  ['gpt-6-sol', gpt(922_000, openAiLong(rates(2, 10, 0.2, 2.5)))],
  ['gpt-6-luna', gpt(922_000, openAiLong(rates(0.1, 0.5, 0.01, 0.125)))],
  ['gpt-5.6-sol', gpt(922_000)],
  ['gpt-5.6-terra', gpt(922_000, openAiLong(rates(2, 12, 0.2)))],
  ['gpt-5.6-luna', gpt(922_000, openAiLong(rates(0.2, 1.2, 0.02)))],
  ['gpt-5.5', gpt(922_000, openAiLong(rates(5, 30, 0.5)))],
  ['gpt-5.4', gpt(922_000, openAiLong(rates(2.5, 15, 0.25)))],
  ['gpt-5.4-mini', gpt(272_000, rates(0.75, 4.5, 0.075))],
  ['gpt-5.2', gpt(272_000, rates(1.75, 14, 0.175))],
  ['gpt-5.1', gpt(272_000, rates(1.25, 10, 0.125))],
  ['gpt-5', gpt(272_000, rates(1.25, 10, 0.125))],
  ['gpt-5-mini', gpt(272_000, rates(0.25, 2, 0.025))],
  ['gemini-4-argon', gemini(rates(4, 20, 0.2))],
  ['gemini-4-carbon', gemini(rates(4, 20))],
  ['gemini-4-hydrogen', gemini(rates(1.5, 7.5))],
  ['gemini-3.8-flash', gemini(rates(1.5, 7.5, 0.15))],
  ['gemini-3.7-flash', gemini(rates(1.5, 7.5, 0.15))],
  ['gemini-3.5-flash', gemini(rates(1.5, 9, 0.15))],
  ['gemini-3.1-flash-lite', gemini(rates(0.25, 1.5, 0.025))],
  [
    'gemini-2.5-pro',
    gemini({ ...rates(1.25, 10, 0.125), long: { above: 200 * K, ...rates(2.5, 15, 0.25) } }),
  ],
  ['gemini-2.5-flash', gemini(rates(0.3, 2.5, 0.03))],
  ...['grok-4.7', 'grok-4.6', 'grok-4.5'].map((name): [string, Family] => [
    name,
    grok(500 * K, { ...rates(2, 6, 0.5), long: { above: 200 * K - 1, ...rates(4, 12, 1) } }),
  ]),
  ['grok-4.3', grok(M, rates(1.25, 2.5))],
  ['deepseek-flash', deepseek(rates(0.3, 1.2, 0.006))],
  ['deepseek-v4-flash', deepseek(rates(0.3, 1.2, 0.006))],
  ['deepseek-v4-pro', deepseek(rates(1.32, 3.96, 0.044))],
]

/** What may follow a family's name: a date, a revision, a tag. A further version number is another model. */
const REST = String.raw`(?=$|[-@]\d{8}|-\d{4}-\d{2}-\d{2}|-v\d|-latest|-preview|:)`

/** `us.anthropic.claude-…` on Bedrock and `anthropic/claude-sonnet-5.5` on OpenRouter name the same models. */
const MATCHERS = FAMILIES.map(([prefix, family]) => ({
  pattern: new RegExp(`(?:^|[./])${prefix.replaceAll(/[.-]/g, '[.-]')}${REST}`),
  family,
}))

export function familyOf(name: string): Family | undefined {
  return MATCHERS.find(({ pattern }) => pattern.test(name))?.family
}
