import { type Config, resolveSecret } from '../config/index.ts'

/** The environment variables in which each provider's key is usually kept, in the order in which they are tried. */
const PROVIDER_VARIABLES: Readonly<Record<string, readonly string[]>> = {
  anthropic: ['ANTHROPIC_API_KEY'],
  openai: ['OPENAI_API_KEY'],
  google: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  xai: ['XAI_API_KEY'],
  openrouter: ['OPENROUTER_API_KEY'],
  deepseek: ['DEEPSEEK_API_KEY'],
}

/** Where a provider's key was found, or where it should be and is not. Never the key itself. */
export interface ProviderKey {
  provider: string
  /** `config.json`, or the name of an environment variable. */
  place: string
  found: boolean
}

export function providerKeys(config: Config, env: NodeJS.ProcessEnv): ProviderKey[] {
  const configured = Object.entries(config.providers).flatMap(([provider, { apiKey }]): ProviderKey[] => {
    if (apiKey === undefined) return []
    const secret = resolveSecret(apiKey, env)
    if (secret.state === 'literal') return [{ provider, place: 'config.json', found: true }]
    return [{ provider, place: secret.variable, found: secret.state === 'found' }]
  })
  const named = new Set(configured.map(({ provider }) => provider))
  const inEnvironment = Object.entries(PROVIDER_VARIABLES).flatMap(([provider, variables]): ProviderKey[] => {
    const place = variables.find(variable => env[variable])
    return place && !named.has(provider) ? [{ provider, place, found: true }] : []
  })
  return [...configured, ...inEnvironment]
}
