import { z } from 'zod'
import { DEFAULT_EXPIRE_DAYS, DEFAULT_MAX_TURNS, MODEL_FORM, MODEL_PATTERN } from './defaults.ts'
import { isTimeZone } from './time-zone.ts'

/** What the schema says about a setting besides its type. */
export interface SettingMeta {
  description: string
  /** A project's own config.json may set it. Everything else is the owner's alone. */
  project?: boolean
  /** Never printed. */
  secret?: boolean
  /** Its value is a set of names, of which each can be set by itself. */
  map?: boolean
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
  price: setting(
    z
      .strictObject({
        input: z.number().nonnegative(),
        output: z.number().nonnegative(),
        cacheRead: z.number().nonnegative().optional(),
        cacheWrite: z.number().nonnegative().optional(),
      })
      .optional(),
    {
      description:
        'US dollars for a million tokens of its models, such as {"input":3,"output":15}, where Reverie cannot know',
      map: true,
    },
  ),
})

const model = () => z.string().regex(MODEL_PATTERN, MODEL_FORM).optional()

/** A command or an address that is asked around the agent's work (docs/hooks.md). */
export const hookSchema = z
  .strictObject({
    on: z.enum([
      ...['prompt', 'reply', 'tool.before', 'tool.after', 'compaction.before', 'compaction.after'],
      ...['dream.before', 'dream.after'],
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

/** How long a server may take to start, and to answer a call, at most. */
const LONGEST_START_MS = 120_000
const LONGEST_CALL_MS = 3_600_000

/** As far as it can be told before what `${NAME}` in it stands for is filled in. */
const ADDRESS = /^(https?:\/\/.|\$\{)/

/** A program that lends its tools: started here, or reached at an address (docs/mcp.md). */
export const serverSchema = z
  .strictObject({
    command: setting(z.string().min(1).optional(), {
      description: 'The program to start; it speaks MCP on its standard input and output',
    }),
    args: setting(z.array(z.string()).optional(), { description: 'What it is started with' }),
    env: setting(z.record(z.string().regex(/^[^=\0]+$/), z.string()).optional(), {
      description:
        // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how a reference is written
        'Variables of its environment; ${NAME} stands for one of yours. It is given no others of yours',
      secret: true,
      map: true,
    }),
    cwd: setting(z.string().min(1).optional(), {
      description: 'The directory that it is started in, from the root of the project; your home unless set',
    }),
    url: setting(z.string().regex(ADDRESS, 'it is no address of http:// or https://').optional(), {
      description: 'Where it is reached, instead of a program to start',
    }),
    headers: setting(z.record(z.string().min(1), z.string()).optional(), {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how a reference is written
      description: 'Sent with every request to its address, such as Authorization: Bearer ${TOKEN}',
      secret: true,
      map: true,
    }),
    enabled: setting(z.boolean().optional(), { description: 'Whether it is used; true unless set' }),
    startMs: setting(z.int().positive().max(LONGEST_START_MS).optional(), {
      description: 'How long it may take to start, in milliseconds; 30,000 unless set',
    }),
    callMs: setting(z.int().positive().max(LONGEST_CALL_MS).optional(), {
      description: 'How long a call may take without a sign of life, in milliseconds; 120,000 unless set',
    }),
    trustHints: setting(z.boolean().optional(), {
      description: 'Whether it is believed when it says that a tool changes nothing',
    }),
  })
  .refine(({ command, url }) => (command === undefined) !== (url === undefined), {
    message: 'a server has either a command or a url',
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
      select: setting(z.enum(['lexical', 'model']).default('lexical'), {
        description:
          'Who chooses what is recalled for a message: lexical costs nothing; model asks the small model each time',
      }),
      dailyLog: setting(z.boolean().default(false), {
        description:
          'Whether the agent notes what happens in a file of each day, for a conversation that does not end',
      }),
    })
    .prefault({}),
  sessions: z
    .strictObject({
      keepDays: setting(z.int().positive().optional(), {
        description:
          'After how many days without a word a session goes to the trash; it stays until you delete it unless set',
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
  extraction: z
    .strictObject({
      approval: setting(z.enum(['auto', 'ask', 'off']).default('auto'), {
        description:
          'What you said is looked through for what to remember: auto keeps it, ask proposes it, off looks at nothing',
      }),
      model: setting(z.string().min(1).optional(), {
        description:
          'Who looks: a model, or embedded; the small model of the one that you talk to unless set',
      }),
    })
    .prefault({}),
  dream: z
    .strictObject({
      enabled: setting(z.boolean().default(true), {
        description: 'Whether Reverie dreams by itself when it is time',
      }),
      minHours: setting(z.number().nonnegative().default(24), {
        description: 'Hours between one dream and the next',
      }),
      minSessions: setting(z.int().nonnegative().default(5), {
        description: 'Sessions since the last dream that make one worth while',
      }),
      minMessages: setting(z.int().nonnegative().default(30), {
        description: 'Messages of yours since the last dream that do, too',
      }),
      cron: setting(
        z
          .string()
          .regex(/^\s*\S+(\s+\S+){4}\s*$/, 'expected five fields such as "30 3 * * *"')
          .optional(),
        {
          description:
            'When the gateway asks whether there is something to dream about, such as "30 3 * * *"',
        },
      ),
      intervalHours: setting(z.number().positive().max(8_784).optional(), {
        description: 'After how many hours without a dream the gateway asks',
      }),
      skills: setting(z.enum(['propose', 'auto']).default('propose'), {
        description:
          'Whether a skill that a dream makes waits until you accept it (propose) or counts at once (auto)',
      }),
      maxRemovals: setting(z.int().nonnegative().optional(), {
        description: 'How many memories one dream may remove; the larger of 3 and a fifth unless set',
      }),
      model: setting(z.string().min(1).optional(), {
        description: 'Who dreams: a model, or embedded; the one that you talk to unless set',
      }),
      rounds: setting(z.int().positive().default(10), {
        description: 'How often a dream may ask a model',
      }),
      minutes: setting(z.number().positive().default(15), {
        description: 'How long a dream may take',
      }),
      inputTokens: setting(z.int().positive().default(200_000), {
        description: 'How many tokens a dream may read',
      }),
    })
    .prefault({}),
  skills: z
    .strictObject({
      disabled: setting(z.array(z.string().min(1)).default([]), {
        description: 'Skills that are put aside, by name: reverie skills disable NAME',
      }),
    })
    .prefault({}),
  api: z
    .strictObject({
      requestsPerMinute: setting(z.int().positive().max(100_000).default(60), {
        description: 'How often the holder of a key may ask the API, in a minute',
      }),
      atOnce: setting(z.int().positive().max(100).default(4), {
        description: 'How many of its requests are answered at the same time',
      }),
    })
    .prefault({}),
  mcp: z
    .strictObject({
      servers: z
        .record(
          z.string().max(32).regex(PROVIDER_NAME, 'a server is named in lower case, such as "github"'),
          serverSchema,
        )
        .default({}),
    })
    .prefault({}),
  schedule: z
    .strictObject({
      timeZone: setting(z.string().refine(isTimeZone, 'expected a zone such as Europe/Berlin').optional(), {
        description: "The zone that jobs' times are in; the machine's unless set",
      }),
      expireDays: setting(z.int().min(1).max(30).default(DEFAULT_EXPIRE_DAYS), {
        description: 'After how many days recurring jobs end that an agent made',
      }),
    })
    .prefault({}),
  hooks: setting(z.array(hookSchema).default([]), {
    description: 'Commands and addresses that are asked around tools, replies, compaction, tasks and dreams',
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
/** As they are written: what is left out has its default. */
export type Settings = z.input<typeof configSchema>
