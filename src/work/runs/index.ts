export type { RunEnd } from './decide.ts'
export { RunLedger, runFile } from './ledger.ts'
export { perform } from './perform.ts'
export { isLive, type Run, type Trigger } from './run.ts'
