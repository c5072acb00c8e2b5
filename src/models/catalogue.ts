/** How a provider is talked to: which package of the AI SDK knows its ways. */
import { ownValue } from '../store/index.ts'
export type ProviderKind =
  | 'anthropic'
  | 'openai'
  | 'google'
  | 'vertex'
  | 'xai'
  | 'bedrock'
  | 'compatible'
  | 'embedded'

/** What is known of a provider before its package is loaded. Models are named without their provider. */
export interface KnownProvider {
  kind: ProviderKind
  /** Where it is usually reached. Cloud providers make their address from a region. */
  baseUrl?: string
  /** The variable of the environment that names another address. */
  addressVariable?: string
  /** Ways to hold its key, in the order in which they are tried; of one way all variables have to be set. */
  keys: ReadonlyArray<readonly string[]>
  /** Variables that are set for other reasons too. They let the provider be used, and never choose it. */
  ambiguous?: readonly string[]
  /** Chosen when its key is all that is known. */
  model?: string
  /** For side jobs. */
  small?: string
  /** Other models worth naming. */
  others?: readonly string[]
}

/** Default models: the balanced one and the cheap one of each vendor, as their own pages said in November 2026. */
export const PROVIDERS: Readonly<Record<string, KnownProvider>> = {
  anthropic: {
    kind: 'anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    addressVariable: 'ANTHROPIC_BASE_URL',
    keys: [['ANTHROPIC_API_KEY']],
    model: 'claude-sonnet-5-5',
    small: 'claude-haiku-5-5',
    others: ['claude-opus-5-5'],
  },
  openai: {
    kind: 'openai',
    baseUrl: 'https://api.openai.com/v1',
    addressVariable: 'OPENAI_BASE_URL',
    keys: [['OPENAI_API_KEY']],
    model: 'gpt-6.1-sol',
    small: 'gpt-6-luna',
    others: ['gpt-6.1-terra', 'gpt-6-astra'],
  },
  google: {
    kind: 'google',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    keys: [['GOOGLE_GENERATIVE_AI_API_KEY'], ['GEMINI_API_KEY'], ['GOOGLE_API_KEY']],
    model: 'gemini-4-argon',
    small: 'gemini-3.8-flash',
    others: ['gemini-4-carbon'],
  },
  xai: {
    kind: 'xai',
    baseUrl: 'https://api.x.ai/v1',
    keys: [['XAI_API_KEY']],
    model: 'grok-4.7',
    small: 'grok-4.3',
  },
  openrouter: {
    kind: 'compatible',
    baseUrl: 'https://openrouter.ai/api/v1',
    keys: [['OPENROUTER_API_KEY']],
    // Its own router: the one name there that does not go out of date.
    model: 'openrouter/auto',
  },
  deepseek: {
    kind: 'compatible',
    baseUrl: 'https://api.deepseek.com/v1',
    keys: [['DEEPSEEK_API_KEY']],
    model: 'deepseek-v4-pro',
    small: 'deepseek-flash',
  },
  vertex: {
    kind: 'vertex',
    keys: [['GOOGLE_VERTEX_API_KEY'], ['GOOGLE_VERTEX_PROJECT']],
    model: 'gemini-4-argon',
    small: 'gemini-3.8-flash',
  },
  bedrock: {
    kind: 'bedrock',
    keys: [['AWS_BEARER_TOKEN_BEDROCK'], ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_REGION']],
    ambiguous: ['AWS_ACCESS_KEY_ID'],
    model: 'us.anthropic.claude-sonnet-5-5',
  },
  ollama: {
    kind: 'compatible',
    baseUrl: 'http://127.0.0.1:11434/v1',
    addressVariable: 'OLLAMA_HOST',
    keys: [],
  },
  vllm: { kind: 'compatible', baseUrl: 'http://127.0.0.1:8000/v1', keys: [] },
}

/** A provider by its name. Names such as `constructor` are not in the catalogue. */
export function knownProvider(name: string): KnownProvider | undefined {
  return ownValue(PROVIDERS, name)
}
