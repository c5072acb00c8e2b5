import type { Config } from './schema.ts'

/** Enough for long work, and an end to a loop that gets nowhere (4-agent.md, "The loop"). */
export const DEFAULT_MAX_TURNS = 200

/** What holds when nothing is configured. Kept apart from the schema, so that zod is loaded only to check a file. */
export const DEFAULTS: Config = {
  maxTurns: DEFAULT_MAX_TURNS,
  budget: {},
  prompt: {},
  memory: {},
  hooks: [],
  sandbox: { mode: 'off', network: false },
  web: { allowPrivate: [] },
  permissions: { mode: 'ask', allow: [], ask: [], deny: [] },
  providers: {},
}

export const MODEL_PATTERN = /^(embedded|[a-z][a-z0-9-]*\/\S+)$/
export const MODEL_FORM = 'expected "embedded" or PROVIDER/MODEL, such as anthropic/NAME'
