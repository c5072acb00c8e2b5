export { type WebOptions, webTools } from './web-tools.ts'
