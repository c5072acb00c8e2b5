import { type Config, resolveSecret } from '../config/index.ts'
import { ownValue } from '../store/index.ts'
import { addressFrom, normaliseAddress } from './address.ts'
import { type KnownProvider, knownProvider, PROVIDERS, type ProviderKind } from './catalogue.ts'
import { keyVariable } from './keys.ts'
import { EMBEDDED, ModelUnavailable, parseModelId } from './model-id.ts'

/** All that is needed to reach a model, found and checked before any package is loaded. */
export interface Connection {
  id: string
  provider: string
  /** The model's name as its provider knows it. */
  name: string
  kind: ProviderKind
  baseUrl?: string
  /** Never printed, never kept. */
  apiKey?: string
}

/** Throws `ModelUnavailable`, in one sentence that names the setting, when something is missing. */
export function findConnection(id: string, config: Config, env: NodeJS.ProcessEnv): Connection {
  const { provider, name } = parseModelId(id)
  if (provider === EMBEDDED) return { id, provider, name, kind: 'embedded' }
  const known = knownProvider(provider)
  const address = addressOf(provider, known, config, env)
  if (!known && address === undefined) throw new ModelUnavailable(unknownProvider(id, provider))
  const kind = known?.kind ?? 'compatible'
  const baseUrl = address === undefined ? known?.baseUrl : normaliseAddress(address, kind)
  const apiKey = apiKeyOf(provider, config, env)
  if (known) assertKey(id, provider, known, apiKey, env)
  if (kind === 'bedrock' && baseUrl === undefined && !awsRegion(env))
    throw new ModelUnavailable(`${id} needs a region: export AWS_REGION=….`)
  return {
    id,
    provider,
    name,
    kind,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(apiKey !== undefined && { apiKey }),
  }
}

/** True when the owner sends a provider's requests somewhere else, where its usual models may not be. */
export function isElsewhere(provider: string, config: Config, env: NodeJS.ProcessEnv): boolean {
  return addressOf(provider, knownProvider(provider), config, env) !== undefined
}

function addressOf(
  provider: string,
  known: KnownProvider | undefined,
  config: Config,
  env: NodeJS.ProcessEnv,
): string | undefined {
  const configured = providerSettings(provider, config)?.baseUrl
  if (configured !== undefined) return configured
  const variable = known?.addressVariable
  const value = variable && env[variable]
  return value ? addressFrom(variable, value) : undefined
}

function providerSettings(provider: string, config: Config) {
  return ownValue(config.providers, provider)
}

/** The config's key wins; one that refers to an unset variable is a mistake to mend, not to work around. */
function apiKeyOf(provider: string, config: Config, env: NodeJS.ProcessEnv): string | undefined {
  const configured = providerSettings(provider, config)?.apiKey
  if (configured !== undefined) {
    const secret = resolveSecret(configured, env)
    if (secret.state !== 'missing') return secret.value
    throw new ModelUnavailable(
      `providers.${provider}.apiKey refers to ${secret.variable}, which is not set: export ${secret.variable}=….`,
    )
  }
  const variable = keyVariable(provider, env)
  // Of a cloud account these name the account; what proves it is found by the provider's own package.
  if (variable === 'AWS_ACCESS_KEY_ID' || variable === 'GOOGLE_VERTEX_PROJECT') return undefined
  return variable && env[variable]
}

function assertKey(
  id: string,
  provider: string,
  known: KnownProvider,
  apiKey: string | undefined,
  env: NodeJS.ProcessEnv,
): void {
  if (known.keys.length === 0 || apiKey !== undefined || keyVariable(provider, env)) return
  throw new ModelUnavailable(`${id} needs a key: ${howToSetKey(provider)}.`)
}

/** Ways beyond these are variants of the same. */
const WAYS_NAMED = 2

/** How the owner gives a provider's key, as the end of a sentence. */
export function howToSetKey(provider: string): string {
  const ways = knownProvider(provider)?.keys.slice(0, WAYS_NAMED) ?? []
  const exports = ways.map(variables => `export ${variables.map(name => `${name}=…`).join(' ')}`)
  return [...exports, `run \`reverie config set providers.${provider}.apiKey …\``].join(', or ')
}

export function awsRegion(env: NodeJS.ProcessEnv): string | undefined {
  return env.AWS_REGION || undefined
}

function unknownProvider(id: string, provider: string): string {
  const known = [...Object.keys(PROVIDERS), EMBEDDED].join(', ')
  return `${id}: there is no provider "${provider}" (known: ${known}); if it is a server that speaks OpenAI's language, run \`reverie config set providers.${provider}.baseUrl https://HOST/v1\`.`
}
