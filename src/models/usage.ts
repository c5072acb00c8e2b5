import type { LanguageModelV4Usage } from '@ai-sdk/provider'

/** US dollars per million tokens. */
export interface Rates {
  input: number
  output: number
  cacheRead: number
  /** Writing the short-lived cache, the only one that is used here. */
  cacheWrite: number
}

export interface Price extends Rates {
  /** Some vendors charge the whole request at other rates once its prompt is longer than `above` tokens. */
  long?: Rates & { above: number }
}

/** What one request used, or several together. */
export interface Usage {
  /** All tokens of the prompt, those from the cache and those written to it included. */
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  /** Absent when the price is not known: that is not the same as nothing. */
  usd?: number
}

/** The AI SDK's figures as ours. What a provider did not report counts as no tokens, and then has no cost either. */
export function usageOf(reported: LanguageModelV4Usage | undefined, price?: Price): Usage {
  const { inputTokens, outputTokens } = reported ?? {}
  const usage = {
    input: inputTokens?.total ?? 0,
    output: outputTokens?.total ?? 0,
    cacheRead: inputTokens?.cacheRead ?? 0,
    cacheWrite: inputTokens?.cacheWrite ?? 0,
  }
  const isReported = inputTokens?.total !== undefined && outputTokens?.total !== undefined
  const usd = isReported ? costOf(usage, price) : undefined
  return usd === undefined ? usage : { ...usage, usd }
}

const MILLION = 1_000_000

/** In US dollars; undefined when there is no price to go by. Of one request: long prompts have other rates. */
export function costOf(usage: Usage, price: Price | undefined): number | undefined {
  if (!price) return undefined
  const { input, output, cacheRead, cacheWrite } = usage
  const rates = price.long && input > price.long.above ? price.long : price
  const fresh = Math.max(0, input - cacheRead - cacheWrite)
  const total =
    fresh * rates.input + cacheRead * rates.cacheRead + cacheWrite * rates.cacheWrite + output * rates.output
  return total / MILLION
}
