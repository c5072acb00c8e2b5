import { z } from 'zod'
import { nearest } from './nearest.ts'
import { configSchema, PROVIDER_NAME, type SettingMeta, settings } from './schema.ts'

/** Reading the schema as a tree of keys. `*` stands for a name that the owner chooses. */
export interface Setting extends SettingMeta {
  key: string
  /** Where it is one of a few words. */
  choices?: readonly string[]
}

/** Every setting there is, such as `memory.dir` and `providers.*.apiKey`. */
export function allSettings(): Setting[] {
  return [...leaves(configSchema, [])]
}

function* leaves(schema: z.ZodType, path: string[]): Generator<Setting> {
  const bare = unwrap(schema)
  const told = settings.get(schema)
  if (told) {
    yield {
      key: path.join('.'),
      ...told,
      ...(bare instanceof z.ZodEnum && { choices: bare.options.map(String) }),
    }
  } else if (bare instanceof z.ZodObject) {
    for (const [name, child] of Object.entries(bare.shape)) yield* leaves(child as z.ZodType, [...path, name])
  } else if (bare instanceof z.ZodRecord) {
    yield* leaves(bare.valueType as z.ZodType, [...path, '*'])
  } else {
    yield { key: path.join('.'), description: '' }
  }
}

function unwrap(schema: z.ZodType): z.ZodType {
  const wrapped =
    schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault
  return wrapped ? unwrap(schema.unwrap() as z.ZodType) : schema
}

/** The setting that a key such as `providers.openai.apiKey` names; one of a map's names is the map's. */
export function settingAt(key: string): Setting | undefined {
  const parts = key.split('.')
  return allSettings().find(setting => {
    const pattern = setting.key.split('.')
    return (
      (pattern.length === parts.length || (setting.map && parts.length > pattern.length)) &&
      pattern.every((part, at) => (part === '*' ? PROVIDER_NAME.test(parts[at] ?? '') : part === parts[at]))
    )
  })
}

/** The key that an unknown one was probably meant to be. */
export function suggestion(key: string): string | undefined {
  const parts = key.split('.')
  const candidates = allSettings().flatMap(setting => {
    const pattern = setting.key.split('.')
    const filled = pattern.map((part, at) => (part === '*' ? (parts[at] ?? part) : part))
    return filled.map((_, at) => filled.slice(0, at + 1).join('.'))
  })
  return nearest(
    key,
    [...new Set(candidates)].filter(candidate => candidate !== key),
  )
}
