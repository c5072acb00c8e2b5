import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Config } from '../config/index.ts'
import { ownValue } from '../store/index.ts'
import { connect } from './connect.ts'
import { type Connection, findConnection } from './connection.ts'
import { familyOf, type Limits, UNKNOWN_LIMITS } from './families.ts'
import type { Price } from './usage.ts'

export type CacheMarkers = 'anthropic' | 'bedrock' | 'none'

/** A model that can be asked. It never tries again by itself: when to do so is decided by the agent. */
export interface OpenedModel {
  id: string
  provider: string
  model: LanguageModelV4
  /** How many tokens a request may hold, prompt and reply together. */
  window: number
  maxOutput: number
  /** Absent when it is not known. */
  price?: Price
  /** Whether messages are marked for the prompt cache, and in whose way. Other providers cache unasked. */
  cacheMarkers: CacheMarkers
}

/** The model named by `provider/name`. Its provider's package is loaded now, and no other. */
export async function openModel(id: string, config: Config, env: NodeJS.ProcessEnv): Promise<OpenedModel> {
  const connection = findConnection(id, config, env)
  const { provider } = connection
  return {
    id,
    provider,
    model: await connect(connection, env),
    ...factsOf(connection),
    ...windowOf(provider, config),
    ...priceOf(provider, config),
    cacheMarkers: markersOf(connection),
  }
}

/** What the owner says of a server of their own counts; a reply takes a quarter of it at most. */
function windowOf(provider: string, config: Config): Partial<Limits> {
  const window = settingsOf(provider, config)?.window
  return window === undefined ? {} : { window, maxOutput: Math.floor(window / 4) }
}

/** What the owner pays counts too; where nothing is said of the cache, its tokens cost as much as others. */
function priceOf(provider: string, config: Config): { price?: Price } {
  const price = settingsOf(provider, config)?.price
  if (!price) return {}
  const { input, output, cacheRead = input, cacheWrite = input } = price
  return { price: { input, output, cacheRead, cacheWrite } }
}

function settingsOf(provider: string, config: Config): Config['providers'][string] | undefined {
  return ownValue(config.providers, provider)
}

const FREE: Price = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

/** A model that runs here may bear a famous name and still have a window of its own. */
const LOCAL: readonly string[] = ['ollama', 'vllm']

function factsOf({ kind, provider, name }: Connection): Limits & { price?: Price } {
  if (kind === 'embedded') return { ...UNKNOWN_LIMITS, price: FREE }
  const family = LOCAL.includes(provider) ? undefined : familyOf(name)
  if (!family) return UNKNOWN_LIMITS
  const { window, maxOutput, vendor, price } = family
  return { window, maxOutput, ...(vendor === provider && price && { price }) }
}

/** Claude on Bedrock from 3.7 on: older ones refuse a request with markers. */
const MARKED_ON_BEDROCK = /(?:^|\.)anthropic\.claude-(?:3-7-|(?!instant|v\d)[a-z]+-\d)/

function markersOf({ kind, name }: Connection): CacheMarkers {
  if (kind === 'anthropic' || (kind === 'vertex' && name.startsWith('claude-'))) return 'anthropic'
  return kind === 'bedrock' && MARKED_ON_BEDROCK.test(name) ? 'bedrock' : 'none'
}
