export { Agent, type AgentOptions } from './agent.ts'
export * from './events.ts'
