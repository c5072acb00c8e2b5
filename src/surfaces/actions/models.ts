/** Which models can be talked to now. */
import type { Config } from '../../config/index.ts'
import {
  EMBEDDED,
  findConnection,
  isElsewhere,
  knownProvider,
  ModelUnavailable,
  ollamaModels,
  providerKeys,
} from '../../models/index.ts'

/** A provider that can be used now. */
export interface UsableProvider {
  provider: string
  /** Where its key was found; null when it needs none. */
  key: string | null
  /** Some of its models, as they are written after `--model`. Of Ollama all that are installed. */
  models: string[]
}

/** Why a model cannot be used; undefined when it can. */
export function problemWith(id: string, config: Config, env: NodeJS.ProcessEnv): string | undefined {
  try {
    findConnection(id, config, env)
    return undefined
  } catch (error) {
    if (error instanceof ModelUnavailable) return error.message
    throw error
  }
}

export async function usableProviders(config: Config, env: NodeJS.ProcessEnv): Promise<UsableProvider[]> {
  const keys = new Map(
    providerKeys(config, env).flatMap(({ provider, place, found }) => (found ? [[provider, place]] : [])),
  )
  const configured = Object.keys(config.providers)
  const names = new Set([...keys.keys(), ...configured].filter(name => name !== 'ollama'))
  const usable = [...names]
    .filter(provider => problemWith(`${provider}/any`, config, env) === undefined)
    .map(provider => ({
      provider,
      key: keys.get(provider) ?? null,
      models: exampleModels(provider, config, env),
    }))
  const installed = await installedModels(config, env)
  const ollama = installed
    ? [
        {
          provider: 'ollama',
          key: keys.get('ollama') ?? null,
          models: installed.map(name => `ollama/${name}`),
        },
      ]
    : []
  return [...usable, ...ollama, { provider: EMBEDDED, key: null, models: [EMBEDDED] }]
}

/** Those that the settings name, and the usual ones where the provider is at its usual address. */
function exampleModels(provider: string, config: Config, env: NodeJS.ProcessEnv): string[] {
  const named = [config.model, config.fallbackModel, config.smallModel].filter(id =>
    id?.startsWith(`${provider}/`),
  )
  const { model, small, others = [] } = knownProvider(provider) ?? {}
  const usual = isElsewhere(provider, config, env) ? [] : [model, small, ...others]
  const ids = [...named, ...usual.map(name => name && `${provider}/${name}`)]
  return [...new Set(ids.filter(id => id !== undefined))]
}

async function installedModels(config: Config, env: NodeJS.ProcessEnv): Promise<string[] | undefined> {
  return problemWith('ollama/any', config, env) ? undefined : ollamaModels(config, env)
}
