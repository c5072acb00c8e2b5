import { type Config, resolveSecret } from '../config/index.ts'
import { knownProvider, PROVIDERS } from './catalogue.ts'

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
  const inEnvironment = Object.keys(PROVIDERS).flatMap((provider): ProviderKey[] => {
    const place = keyVariable(provider, env)
    return place && !named.has(provider) ? [{ provider, place, found: true }] : []
  })
  return [...configured, ...inEnvironment]
}

/** The variable that holds the provider's key; of several that go together, the first. */
export function keyVariable(provider: string, env: NodeJS.ProcessEnv): string | undefined {
  return knownProvider(provider)?.keys.find(variables => variables.every(variable => env[variable]))?.[0]
}
