import { Hono } from 'hono'
import { z } from 'zod'
import { configEditing, type LoadedConfig } from '../../../config/index.ts'
import {
  chooseModel,
  EMBEDDED,
  findConnection,
  ModelUnavailable,
  providerKeys,
} from '../../../models/index.ts'
import { ReverieError } from '../../../store/index.ts'
import type { Place } from '../place.ts'
import { bodyOf, pathPart } from './request.ts'

/**
 * What may be changed here. Everything that leads to commands, keys, addresses or other directories, or that says what
 * runs without a question, is for `reverie config` and the owner's own hands.
 */
const CHANGEABLE =
  /^(model|fallbackModel|smallModel|maxTurns|budget\.usd|prompt\.append|dream\.\w+|extraction\.\w+|schedule\.\w+)$/

class NotHere extends ReverieError {}

export function settingsApi(place: Place): Hono {
  const app = new Hono()
  const { home, project, env, config, version, start = 'reverie web' } = place.options
  app.get('/', async context => {
    const loaded = await config()
    const { allSettings } = await configEditing()
    const chosen = chooseModel(loaded.config, env)
    return context.json({
      version,
      home: home.path,
      project: project.root,
      start,
      model: { ...chosen, isEmbedded: chosen.id === EMBEDDED, problem: problemWith(chosen.id, loaded, env) },
      keys: providerKeys(loaded.config, env),
      settings: allSettings()
        .flatMap(setting => keysFor(setting.key, loaded.config).map(key => ({ ...setting, key })))
        .map(({ key, description, choices, secret = false }) => {
          const value = valueAt(loaded.config, key)
          return {
            key,
            description,
            secret,
            ...(choices && { choices }),
            value: secret ? null : (value ?? null),
            isSet: value !== undefined,
            source: loaded.sources.get(key) ?? 'default',
            canChange: CHANGEABLE.test(key),
          }
        }),
    })
  })
  app.put('/:key', async context => {
    const { value } = await bodyOf(context, z.strictObject({ value: z.string().max(10_000).nullable() }))
    const key = pathPart(context, 'key')
    if (!CHANGEABLE.test(key))
      throw new NotHere(`${key} is not changed on the page; use \`reverie config set ${key} …\`.`)
    const { editConfig } = await configEditing()
    await editConfig(home, key, value ?? undefined)
    place.changed('settings')
    return context.json({ key })
  })
  return app
}

function problemWith(id: string, { config }: LoadedConfig, env: NodeJS.ProcessEnv): string | null {
  try {
    findConnection(id, config, env)
    return null
  } catch (error) {
    if (error instanceof ModelUnavailable) return error.message
    throw error
  }
}

/** `providers.*.apiKey` is a setting of each provider that there is. */
function keysFor(key: string, config: object): string[] {
  const [before, after] = key.split('.*.')
  if (after === undefined) return [key]
  const names = Object.keys((valueAt(config, before ?? '') as object | undefined) ?? {})
  return names.map(name => `${before}.${name}.${after}`)
}

function valueAt(config: object, key: string): unknown {
  return key
    .split('.')
    .reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], config)
}
