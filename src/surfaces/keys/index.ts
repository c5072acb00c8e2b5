export { bearerOnly } from './bearer.ts'
export { Keys } from './keys.ts'
