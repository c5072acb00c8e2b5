export { consolidate } from './consolidate.ts'
export { embeddedDreamer } from './embedded-dreamer.ts'
