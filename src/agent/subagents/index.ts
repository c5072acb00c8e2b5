export { loadDefinitions, type MemoryScope } from './definition.ts'
export { type HelperParts, SubAgents } from './subagents.ts'
