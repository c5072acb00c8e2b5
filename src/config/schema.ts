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
  window: setting(z.int().min(4_000).max(10_000_000).optional(), {
    description: 'How many tokens its models take, prompt and reply together, where Reverie cannot know',
  }),
})

const model = () => z.string().regex(MODEL_PATTERN, MODEL_FORM).optional()

/** A command or an address that is asked around the agent's work (docs/hooks.md). */
export const hookSchema = z
  .strictObject({
    on: z.enum([
      ...['prompt', 'reply', 'tool.before', 'tool.after', 'compaction.before', 'compaction.after'],
      ...['task.created', 'task.claimed', 'task.completed', 'task.released', 'task.deleted'],
    ] as const),
    tools: z.string().min(1).optional(),
    command: z.string().min(1).optional(),
    url: z.url({ protocol: /^https?$/ }).optional(),
    timeoutMs: z.int().positive().max(60_000).optional(),
    required: z.boolean().optional(),
  })
  .refine(({ command, url }) => (command === undefined) !== (url === undefined), {
    message: 'a hook has either a command or a url',
  })

/** `TOOL(PATTERN) in PROJECT since DAY`, of which all but the tool may be missing. */
const ruleText = z
  .string()
  .regex(
    /^[\w-]+\*?(\(.*\))?( in .+)?( since \d{4}-\d\d-\d\d)?$/s,
    'expected a tool with what it is used for, such as bash(git status:*) or read_file(src/**)',
  )

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
  prompt: z
    .strictObject({
      replace: setting(z.string().min(1).optional(), {
        description: 'Said to the model instead of what Reverie says of itself and its rules',
      }),
      append: setting(z.string().min(1).optional(), {
        description: 'Said to the model after everything else: the style of its answers, for example',
      }),
    })
    .prefault({}),
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
  web: z
    .strictObject({
      braveKey: setting(z.string().min(1).optional(), {
        // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how a reference is written
        description: 'The key for Brave Search, or a reference such as ${BRAVE_API_KEY}, for web_search',
        secret: true,
      }),
      searxngUrl: setting(z.url({ protocol: /^https?$/ }).optional(), {
        description: 'Where a SearXNG that answers in JSON is reached, for web_search',
      }),
      allowPrivate: setting(z.array(z.string().min(1)).default([]), {
        description: 'Hosts and address ranges such as 10.0.0.0/8 that web_fetch may reach though not public',
      }),
    })
    .prefault({}),
  sandbox: z
    .strictObject({
      mode: setting(z.enum(['off', 'auto', 'require']).default('off'), {
        description: 'Whether commands run in bubblewrap: off, auto (where it is installed) or require',
      }),
      network: setting(z.boolean().default(false), {
        description: 'Whether commands in the sandbox may reach the network',
      }),
    })
    .prefault({}),
  hooks: setting(z.array(hookSchema).default([]), {
    description: 'Commands and addresses that are asked around tools, replies, compaction and tasks',
  }),
  permissions: z
    .strictObject({
      mode: setting(z.enum(['ask', 'acceptEdits', 'plan', 'auto', 'deny']).default('ask'), {
        description: 'What may run without a question: ask, acceptEdits, plan, auto or deny',
      }),
      allow: setting(z.array(ruleText).default([]), {
        description: 'What may always run, such as bash(npm test:*) or read_file(~/notes/**)',
      }),
      ask: setting(z.array(ruleText).default([]), {
        description: 'What is asked about in any mode, such as bash(git push:*)',
        project: true,
      }),
      deny: setting(z.array(ruleText).default([]), {
        description: 'What may never run, such as edit_file(migrations/**)',
        project: true,
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
