export { consolidate } from './consolidate.ts'
export { embeddedDreamer } from './embedded-dreamer.ts'
export { looksInjected } from './injection.ts'
export { contradiction, isCovered, readMemory, withoutSentence } from './reading.ts'
