/** What the owner's hooks are told of tasks. It has happened already: there is nothing left to forbid. */
import type { TaskEvent } from '../../work/index.ts'
import { type AboutHooks, findHooks } from './find-hooks.ts'
import { Hooks } from './hooks.ts'

/** Returns what went wrong, which undoes nothing. */
export async function tellOfTask(
  hooks: Hooks,
  { name, task, list, unblocked }: TaskEvent,
): Promise<string[]> {
  const { process: _, ...told } = task
  const details = { text: task.subject, task: { ...told, list, ...(unblocked && { unblocked }) } }
  // A hook has a time of its own; an interrupted conversation does not unmake what happened to a task.
  const { problems } = await hooks.run(name, details, new AbortController().signal)
  return problems.map(problem => `A hook failed: ${problem}`)
}

/** The same where there is no conversation. */
export async function taskHooks(options: AboutHooks): Promise<(event: TaskEvent) => Promise<string[]>> {
  const { hooks, notices } = await findHooks(options)
  const { root } = options.project
  const made = new Hooks(hooks, { session: '', project: root }, { directory: root, env: options.env })
  return async event => [...notices.splice(0), ...(await tellOfTask(made, event))]
}
