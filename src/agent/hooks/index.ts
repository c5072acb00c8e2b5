export * from './around-answer.ts'
export { Hooks } from './hooks.ts'
export { projectHooks, trustHooks } from './trust.ts'
