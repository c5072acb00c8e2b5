export { Agent } from './agent.ts'
export * from './events.ts'
export * from './permissions/index.ts'
