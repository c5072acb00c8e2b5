import type { Config } from './schema.ts'

/** What holds when nothing is configured. Kept apart from the schema, so that zod is loaded only to check a file. */
export const DEFAULTS: Config = {
  memory: {},
  providers: {},
}

export const MODEL_PATTERN = /^(embedded|[a-z][a-z0-9-]*\/\S+)$/
export const MODEL_FORM = 'expected "embedded" or PROVIDER/MODEL, such as anthropic/NAME'
