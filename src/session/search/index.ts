export type { SessionHit } from './session-hit.ts'
export {
  type Refreshed,
  type RefreshOptions,
  SessionIndex,
  type SessionSearchOptions,
} from './session-index.ts'
export { TURN_FIELDS, type Turn, turnDocument } from './turn-document.ts'
