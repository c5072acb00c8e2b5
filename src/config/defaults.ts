import type { Config } from './schema.ts'

/** Enough for long work, and an end to a loop that gets nowhere (4-agent.md, "The loop"). */
export const DEFAULT_MAX_TURNS = 200

/** Recurring jobs that an agent made end after so many days (5-work.md, "Schedules"). */
export const DEFAULT_EXPIRE_DAYS = 7

/** What holds when nothing is configured. Kept apart from the schema, so that zod is loaded only to check a file. */
export const DEFAULTS: Config = {
  maxTurns: DEFAULT_MAX_TURNS,
  budget: {},
  prompt: {},
  extraction: { approval: 'auto' },
  dream: {
    skills: 'propose',
    enabled: true,
    minHours: 24,
    minSessions: 5,
    minMessages: 30,
    rounds: 10,
    minutes: 15,
    inputTokens: 200_000,
  },
  memory: { select: 'lexical', dailyLog: false },
  sessions: {},
  skills: { disabled: [] },
  api: { requestsPerMinute: 60, atOnce: 4 },
  mcp: { servers: {} },
  schedule: { expireDays: DEFAULT_EXPIRE_DAYS },
  hooks: [],
  sandbox: { mode: 'off', network: false },
  web: { allowPrivate: [] },
  permissions: { mode: 'ask', allow: [], ask: [], deny: [] },
  providers: {},
}

export const MODEL_PATTERN = /^(embedded|[a-z][a-z0-9-]*\/\S+)$/
export const MODEL_FORM = 'expected "embedded" or PROVIDER/MODEL, such as anthropic/NAME'
