export type { Act, Use } from './act.ts'
export { commandName } from './describe.ts'
export { readScript } from './read-script.ts'
export { loadShellParser, type ParseShell } from './tree.ts'
