import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { homeAt } from '../../config/index.ts'
import type { ProcessIdentity } from '../../store/index.ts'
import { TaskList, type TaskListOptions } from './task-list.ts'

export const listAt = (directory: string, options?: TaskListOptions) =>
  new TaskList(homeAt(directory), { slug: 'p' }, options)

/** A process that has really lived, and has really ended. */
export async function endedProcess(here: ProcessIdentity): Promise<ProcessIdentity> {
  const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' })
  await once(child, 'close')
  return { ...here, pid: child.pid ?? 0, startTime: '1' }
}
