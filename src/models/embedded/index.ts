export { createEmbeddedModel } from './model.ts'
