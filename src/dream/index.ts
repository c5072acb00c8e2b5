export type * from './dreamer.ts'
export { consolidate } from './mind/index.ts'
