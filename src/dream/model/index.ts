export { modelDreamer } from './model-dreamer.ts'
