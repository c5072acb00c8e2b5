export { Agent } from './agent.ts'
export * from './events.ts'
export { projectHooks, taskHooks, trustHooks } from './hooks/index.ts'
export * from './permissions/index.ts'
