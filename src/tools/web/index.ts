export { webTools } from './web-tools.ts'
