export type * from './dreamer.ts'
