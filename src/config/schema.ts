import { z } from 'zod'
import { DEFAULT_MAX_TURNS, MODEL_FORM, MODEL_PATTERN } from './defaults.ts'

/** What the schema says about a setting besides its type. */
export interface SettingMeta {
  description: string
  /** A project's own config.json may set it. Everything else is the owner's alone. */
  project?: boolean
  /** Never printed. */
  secret?: boolean
}

/** What is said of every setting, by its schema. */
export const settings = z.registry<SettingMeta>()

const setting = <T extends z.ZodType>(type: T, meta: SettingMeta): T => {
  settings.add(type, meta)
  return type
}

/** A name that the owner chooses. */
export const PROVIDER_NAME = /^[a-z][a-z0-9-]*$/

const provider = z.strictObject({
  apiKey: setting(z.string().min(1).optional(), {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how a reference is written
    description: 'The key, or a reference to an environment variable such as ${ANTHROPIC_API_KEY}',
    secret: true,
  }),
  baseUrl: setting(z.url({ protocol: /^https?$/ }).optional(), {
    description: 'Where the provider is reached, if not at its usual address',
  }),
})

const model = () => z.string().regex(MODEL_PATTERN, MODEL_FORM).optional()

export const configSchema = z.strictObject({
  model: setting(model(), {
    description: 'The model to talk to: PROVIDER/MODEL, or "embedded" for none',
    project: true,
  }),
  fallbackModel: setting(model(), {
    description: 'The model to go on with when the first one is overloaded',
    project: true,
  }),
  smallModel: setting(model(), {
    description: "The model for side jobs, if not the provider's own small one",
    project: true,
  }),
  maxTurns: setting(z.int().positive().default(DEFAULT_MAX_TURNS), {
    description: 'How often the model may be asked again before one request of yours ends',
    project: true,
  }),
  budget: z
    .strictObject({
      usd: setting(z.number().positive().optional(), {
        description: 'A session that has cost this much, in US dollars, stops',
      }),
    })
    .prefault({}),
  memory: z
    .strictObject({
      dir: setting(z.string().min(1).optional(), {
        description: "Where this owner's project memories are kept, instead of the home",
      }),
    })
    .prefault({}),
  providers: z
    .record(
      z.string().regex(PROVIDER_NAME, 'a provider is named in lower case, such as "anthropic"'),
      provider,
    )
    .default({}),
})

export type Config = z.output<typeof configSchema>
