export * from './import/index.ts'
