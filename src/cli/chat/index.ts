export { modeOption } from './mode.ts'
export { answerOnce, goOnOnce } from './once.ts'
export { openAgent } from './open.ts'
export { talk } from './talk.ts'
