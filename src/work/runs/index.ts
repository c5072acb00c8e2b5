export type { RunEnd } from './decide.ts'
export { RunLedger, runFile } from './ledger.ts'
export { perform } from './perform.ts'
export type { Run, Trigger } from './run.ts'
