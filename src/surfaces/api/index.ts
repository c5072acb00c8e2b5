export { makeApi } from './api.ts'
