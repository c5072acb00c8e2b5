export { Agent } from './agent.ts'
export * from './events.ts'
