import { join } from 'node:path'
import { PRIVATE_FILE, withLock, writeFileAtomic } from '../store/index.ts'
import { ConfigError, checkConfig, unknownKey } from './check.ts'
import { type Home, prepareHome } from './home.ts'
import { readConfigFile } from './load.ts'
import { settingAt } from './settings.ts'

export { ConfigError, keysOf, unknownKey } from './check.ts'
export { allSettings, type Setting, settingAt } from './settings.ts'

/** Sets one key of the owner's config, or removes it when `value` is undefined. Checked before it is written. */
export async function editConfig(home: Home, key: string, value: string | undefined): Promise<void> {
  if (!settingAt(key)) throw new ConfigError(unknownKey(key))
  await change(home, content =>
    value === undefined ? without(content, key.split('.')) : withEither(home, content, key, value),
  )
}

/** Adds a server to the owner's config in the place of one of that name, or removes it. False when there was none to remove. */
export async function editServer(home: Home, name: string, server: object | undefined): Promise<boolean> {
  const path = ['mcp', 'servers', name]
  let had = true
  await change(home, content => {
    had = Object.hasOwn((content.mcp as { servers?: object } | undefined)?.servers ?? {}, name)
    if (server === undefined) return without(content, path)
    return checkConfig(home.config, withValue(content, path, server), 'owner')
  })
  return had
}

async function change(
  home: Home,
  edit: (content: Record<string, unknown>) => Record<string, unknown>,
): Promise<void> {
  const edited = () => {
    const found = readConfigFile(home.config)
    return edit(checkConfig(home.config, found === undefined ? {} : found, 'owner'))
  }
  edited() // before anything is made
  await prepareHome(home)
  await withLock(join(home.cache, 'config-lock'), async () => {
    await writeFileAtomic(home.config, `${JSON.stringify(edited(), null, 2)}\n`, { mode: PRIVATE_FILE })
  })
}

/** A value from the command line is text, unless only its JSON meaning (a number, true, a list) fits the key. */
function withEither(home: Home, content: Record<string, unknown>, key: string, value: string) {
  const path = key.split('.')
  const asText = withValue(content, path, value)
  try {
    return checkConfig(home.config, asText, 'owner')
  } catch (error) {
    const parsed = parseJson(value)
    if (parsed === undefined || typeof parsed === 'string') throw error
    return checkConfig(home.config, withValue(content, path, parsed), 'owner')
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function withValue(
  content: Record<string, unknown>,
  [name = '', ...rest]: string[],
  value: unknown,
): Record<string, unknown> {
  const inner = (content[name] ?? {}) as Record<string, unknown>
  return { ...content, [name]: rest.length === 0 ? value : withValue(inner, rest, value) }
}

/** Objects that become empty go too. */
function without(content: Record<string, unknown>, [name = '', ...rest]: string[]): Record<string, unknown> {
  const { [name]: found, ...others } = content
  if (rest.length === 0 || typeof found !== 'object' || found === null) return others
  const inner = without(found as Record<string, unknown>, rest)
  return Object.keys(inner).length === 0 ? others : { ...content, [name]: inner }
}
