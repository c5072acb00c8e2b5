export { consolidate } from './consolidate.ts'
export { embeddedDreamer } from './embedded-dreamer.ts'
export { looksInjected } from './injection.ts'
export { isCovered, readMemory } from './reading.ts'
