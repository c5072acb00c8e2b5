import { z } from 'zod'

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

export const configSchema = z.strictObject({
  model: setting(
    z
      .string()
      .regex(
        /^(embedded|[a-z][a-z0-9-]*\/\S+)$/,
        'expected "embedded" or PROVIDER/MODEL, such as anthropic/NAME',
      )
      .optional(),
    {
      description: 'The model to talk to: PROVIDER/MODEL, or "embedded" for none',
      project: true,
    },
  ),
  memory: z
    .strictObject({
      dir: setting(z.string().min(1).optional(), {
        description: "Where this owner's project memories are kept, instead of the home",
      }),
    })
    .prefault({}),
  providers: z
    .record(
      z.string().regex(/^[a-z][a-z0-9-]*$/, 'a provider is named in lower case, such as "anthropic"'),
      provider,
    )
    .default({}),
})

export type Config = z.output<typeof configSchema>
