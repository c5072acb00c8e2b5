import type { Command } from 'commander'
import { type Config, configEditing, type LoadedConfig } from '../config/index.ts'
import { styled } from '../surfaces/text/styled.ts'
import { Invocation } from './invocation.ts'

export function define(command: Command): void {
  command.addHelpText(
    'after',
    `
Examples:
  $ reverie config get                              every setting, its value, and where that came from
  $ reverie config get model
  $ reverie config set model anthropic/MODEL
  $ reverie config set providers.anthropic.apiKey '\${ANTHROPIC_API_KEY}'
  $ reverie config unset model
`,
  )
  command
    .command('get [key]')
    .description('print one setting, or all of them; secrets are not printed')
    .action((key: string | undefined, _, self: Command) => get(new Invocation(self), key))
  command
    .command('set <key> <value>')
    .description('change one setting in your config.json')
    .action((key: string, value: string, _, self: Command) => change(new Invocation(self), key, value))
  command
    .command('unset <key>')
    .description('go back to the default of one setting')
    .action((key: string, _, self: Command) => change(new Invocation(self), key, undefined))
  command
    .command('path')
    .description('print where your config.json is, or would be')
    .action((_, self: Command) => {
      const { output, home } = new Invocation(self)
      output.result({ path: home.config }, () => home.config)
    })
}

async function get(invocation: Invocation, key: string | undefined): Promise<void> {
  const { allSettings, ConfigError, keysOf, settingAt, unknownKey } = await configEditing()
  const loaded = await invocation.config()
  if (key === undefined) {
    const set = keysOf(loaded.config)
    const known = allSettings().filter(({ key }) => !key.includes('*') && !set.includes(key))
    const rows = [...set, ...known.map(({ key }) => key)].map(key => row(loaded, key, settingAt(key)?.secret))
    return invocation.output.result(rows, () => rows.map(asLine).join('\n'))
  }
  const setting = settingAt(key)
  if (!setting) throw new ConfigError(unknownKey(key))
  const shown = row(loaded, key, setting.secret)
  invocation.output.result(shown, () => (shown.value === null ? '' : asSet(shown.value)))
}

interface Row {
  key: string
  value: unknown
  source: string
}

function row({ config, sources }: LoadedConfig, key: string, secret = false): Row {
  const value = valueAt(config, key)
  return { key, value: secret ? hidden(value) : (value ?? null), source: sources.get(key) ?? 'default' }
}

function asLine({ key, value, source }: Row): string {
  const shown = value === null ? styled('dim', 'not set') : asSet(value)
  return `${key} = ${shown}${source === 'default' ? '' : styled('dim', `  (${source})`)}`
}

/** As it would be given to `config set`. */
function asSet(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function valueAt(config: Config, key: string): unknown {
  return key.split('.').reduce<unknown>((value, part) => {
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[part] : undefined
  }, config)
}

/** A reference to the environment is no secret; what stands there in clear is. */
function hidden(value: unknown): string | null {
  if (value === undefined) return null
  if (typeof value !== 'string') return '(hidden)'
  return /^\$\{\w+\}$/.test(value) ? value : '(hidden)'
}

async function change({ home, output }: Invocation, key: string, value: string | undefined): Promise<void> {
  const { editConfig } = await configEditing()
  await editConfig(home, key, value)
  output.result(
    { key, file: home.config },
    () => `${value === undefined ? 'Unset' : 'Set'} ${key} in ${home.config}`,
  )
}
