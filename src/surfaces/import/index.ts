export { IMPORT_AGENTS, type ImportAgent } from './agents.ts'
export { importFrom } from './import.ts'
export type { ImportReport, Tally } from './report.ts'
