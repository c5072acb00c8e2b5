export { OTHER_AGENTS } from './agents/index.ts'
export { type Plan, planConnect, planDisconnect } from './connect.ts'
export { thisMachine } from './machine.ts'
export { type Standing, standings } from './standing.ts'
