export { findServers, trustServers } from './found.ts'
export { variablesIn } from './references.ts'
export { type LentTools, type ServerStatus, Servers } from './servers.ts'
