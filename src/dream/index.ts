export type * from './dreamer.ts'
export { consolidate, embeddedDreamer } from './mind/index.ts'
