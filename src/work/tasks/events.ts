import type { Task } from './task.ts'

/** What hooks can be asked about (docs/hands.md). */
export const TASK_EVENTS = [
  'task.created',
  'task.claimed',
  'task.completed',
  'task.released',
  'task.deleted',
] as const
export type TaskEventName = (typeof TASK_EVENTS)[number]

/** Something that has happened to a task, and is on the disk. */
export interface TaskEvent {
  name: TaskEventName
  list: string
  task: Task
  /** Of a completion: who can begin because of it. */
  unblocked?: readonly number[]
}
