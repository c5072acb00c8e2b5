export { modeOption } from './mode.ts'
export { answerOnce, goOnOnce, messageText } from './once.ts'
export { openAgent } from './open.ts'
export { talk } from './talk.ts'
