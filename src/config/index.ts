export { DEFAULTS, MODEL_FORM, MODEL_PATTERN } from './defaults.ts'
export * from './home.ts'
export * from './load.ts'
export { nearest } from './nearest.ts'
export * from './project.ts'
export type { Config, Settings } from './schema.ts'
export { machineTimeZone } from './time-zone.ts'
export { isTrusted, setTrust } from './trust.ts'

/** Changing and describing settings needs zod, which costs more than the rest of a start: loaded on demand. */
export const configEditing = () => import('./edit.ts')

/** The same for a project's hooks. */
export const hookFile = () => import('./hook-file.ts')

/** And for a project's MCP servers. */
export const serverFile = () => import('./server-file.ts')
