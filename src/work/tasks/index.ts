export type { ClaimAnswer } from './decide.ts'
export * from './errors.ts'
export * from './events.ts'
export {
  isTaskId,
  type ListedTask,
  TASK_STATUSES,
  type Task,
  type TaskDraft,
  type TaskOwner,
  type TaskStatus,
} from './task.ts'
export type { TaskProblem } from './task-files.ts'
export * from './task-list.ts'
