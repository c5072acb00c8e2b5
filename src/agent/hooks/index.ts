export { Hooks } from './hooks.ts'
export { projectHooks, trustHooks } from './trust.ts'
