/** What the owner's hooks have to say to a dream: before it begins, and of what it has changed. */
import { type AboutHooks, findHooks } from './find-hooks.ts'
import { Hooks } from './hooks.ts'

export interface DreamHooks {
  /** Why it is not to be, if a hook says so, and what went wrong with those that need not agree. */
  before(dreamer: string, signal: AbortSignal): Promise<{ blocked: string | undefined; problems: string[] }>
  /** Returns what went wrong, which undoes nothing. */
  after(told: DreamTold, signal: AbortSignal): Promise<string[]>
}

interface DreamTold {
  dreamer: string
  /** Of the journal, for taking it back. */
  id?: string | undefined
  changes: ReadonlyArray<{ file: string; action: string; reason: string }>
}

/** Nothing is looked for before there is a dream. */
export function dreamHooks(options: AboutHooks & { session?: string | undefined }): DreamHooks {
  const { project, env, session = '' } = options
  const found = async () => {
    const { hooks, notices } = await findHooks(options)
    return {
      hooks: new Hooks(hooks, { session, project: project.root }, { directory: project.root, env }),
      notices,
    }
  }
  return {
    async before(dreamer, signal) {
      const { hooks, notices } = await found()
      const { blocked, problems } = await hooks.run('dream.before', { dream: { dreamer } }, signal)
      return { blocked, problems: [...notices, ...failures(problems)] }
    },
    async after({ dreamer, id, changes }, signal) {
      const { hooks } = await found()
      const told = changes.map(({ file, action, reason }) => ({ file, action, reason }))
      const dream = { dreamer, ...(id !== undefined && { id }), changes: told }
      const text = told.map(({ file, action, reason }) => `${action} ${file}: ${reason}`).join('\n')
      return failures((await hooks.run('dream.after', { dream, text }, signal)).problems)
    },
  }
}

const failures = (problems: readonly string[]) => problems.map(problem => `A hook failed: ${problem}`)
