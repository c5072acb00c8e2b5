import type { Config } from './schema.ts'

/** What holds when nothing is configured. Kept apart from the schema, so that zod is loaded only to check a file. */
export const DEFAULTS: Config = {
  memory: {},
  providers: {},
}
