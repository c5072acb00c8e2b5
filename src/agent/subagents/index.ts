export { loadDefinitions, type MemoryScope } from './definition.ts'
export type { HelperHands } from './helper-hands.ts'
export { type Caller, type HelperParts, type Remembering, SubAgents } from './subagents.ts'
