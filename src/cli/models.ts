import type { Command } from 'commander'
import type { LoadedConfig, Source } from '../config/index.ts'
import { chooseModel, providerKeys } from '../models/index.ts'
import { problemWith, usableProviders } from '../surfaces/actions/models.ts'
import { printable } from '../surfaces/text/printable.ts'
import { styled } from '../surfaces/text/styled.ts'
import { table } from '../surfaces/text/table.ts'
import { Invocation } from './invocation.ts'

export function define(command: Command): void {
  command
    .addHelpText(
      'after',
      '\nExamples:\n  $ reverie models\n  $ reverie models --json | jq -r .chosen\n  $ reverie config set model anthropic/NAME\n',
    )
    .action((_, self: Command) => models(new Invocation(self)))
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
