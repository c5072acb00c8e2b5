export { consolidate } from './consolidate.ts'
