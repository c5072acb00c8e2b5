/** Loaded by what must not keep anybody waiting: nothing here imports another room before it is needed. */
import type { LaterTask } from './hook.ts'

export { type LaterTask, runHook } from './hook.ts'
export { lastProblem } from './trail.ts'

/** What goes on when nobody waits any more. */
export const workLater = async (task: LaterTask): Promise<void> =>
  (await import('./later.ts')).workLater(task)
