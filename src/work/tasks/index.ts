export * from './errors.ts'
export * from './events.ts'
export {
  isTaskId,
  type ListedTask,
  TASK_STATUSES,
  type Task,
  type TaskOwner,
  type TaskStatus,
} from './task.ts'
export * from './task-list.ts'
