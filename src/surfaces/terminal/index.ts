export { talkInTerminal } from './terminal.ts'
