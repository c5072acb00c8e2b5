export { SessionIndexCopy } from './index-copy.ts'
export type { SessionHit } from './session-hit.ts'
export { SessionIndex } from './session-index.ts'
export { turnDocument } from './turn-document.ts'
