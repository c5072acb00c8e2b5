export { type AppOptions, makeApp } from './app.ts'
export { sameOriginOnly } from './hosts.ts'
export { refuse } from './refusal.ts'
export { type ListenOptions, listen } from './server.ts'
