export { BackgroundTasks, backgroundDirectory, newTaskId } from './background-tasks.ts'
export type { LiveTask, RunningTask, Work, WorkEnd } from './live-task.ts'
export { followOutput, isContinuation, readOutput, type TaskOutput, wholeCharacters } from './output.ts'
export { TaskRecords } from './records.ts'
export {
  type BackgroundKind,
  type BackgroundTask,
  type FinalStatus,
  isFinal,
  type TaskEnd,
  type TaskQuestion,
} from './task.ts'
