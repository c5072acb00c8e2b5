import type { Command } from 'commander'
import type { Config, LoadedConfig, Source } from '../config/index.ts'
import {
  chooseModel,
  EMBEDDED,
  findConnection,
  isElsewhere,
  knownProvider,
  ModelUnavailable,
  ollamaModels,
  providerKeys,
} from '../models/index.ts'
import { Invocation } from './invocation.ts'
import { styled } from './output.ts'
import { printable } from './printable.ts'
import { table } from './table.ts'

export function define(command: Command): void {
  command
    .addHelpText(
      'after',
      '\nExamples:\n  $ reverie models\n  $ reverie models --json | jq -r .chosen\n  $ reverie config set model anthropic/NAME\n',
    )
    .action((_, self: Command) => models(new Invocation(self)))
}

/** A provider that can be used now. */
interface UsableProvider {
  provider: string
  /** Where its key was found; null when it needs none. */
  key: string | null
  /** Some of its models, as they are written after `--model`. Of Ollama all that are installed. */
  models: string[]
}

async function models(invocation: Invocation): Promise<void> {
  const { env, output } = invocation
  const loaded = await invocation.config()
  const { config } = loaded
  const { id: chosen, reason } = explained(loaded, env)
  const problem = problemWith(chosen, config, env)
  const providers = await usableProviders(config, env)
  for (const { provider, place } of providerKeys(config, env).filter(({ found }) => !found))
    output.message(`The key of ${provider} should be in ${place}, which is not set.`)
  output.result({ chosen, reason, ...(problem && { problem }), providers }, () => {
    const rows = providers.map(({ provider, key, models }) => [
      provider,
      key ?? 'no key needed',
      printable(models.join(', ')),
    ])
    return [
      `${styled('bold', printable(chosen))}, because ${reason}`,
      ...(problem ? [styled('yellow', `! ${problem}`)] : []),
      '',
      table(rows),
      '',
      providers.length === 1 ? CONNECT : CHANGE,
    ].join('\n')
  })
}

const CHANGE = 'Another one: --model PROVIDER/MODEL once, `reverie config set model PROVIDER/MODEL` for good.'
const CONNECT =
  'To connect a language model, export ANTHROPIC_API_KEY=… or the key of another provider, or start Ollama.'

const SET_BY: Record<Source, string> = {
  flag: '--model says so',
  environment: 'REVERIE_MODEL says so',
  owner: 'your config.json says so',
  project: "the project's .reverie/config.json says so",
  default: 'it is the default',
}

function explained({ config, sources }: LoadedConfig, env: NodeJS.ProcessEnv) {
  const choice = chooseModel(config, env)
  const source = config.model && sources.get('model')
  return source ? { ...choice, reason: SET_BY[source] } : choice
}

function problemWith(id: string, config: Config, env: NodeJS.ProcessEnv): string | undefined {
  try {
    findConnection(id, config, env)
    return undefined
  } catch (error) {
    if (error instanceof ModelUnavailable) return error.message
    throw error
  }
}

async function usableProviders(config: Config, env: NodeJS.ProcessEnv): Promise<UsableProvider[]> {
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
