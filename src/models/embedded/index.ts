export { createEmbeddedModel } from './model.ts'
export type { Statement } from './statement.ts'
export { statementsIn } from './statements.ts'
