import type { Config, Home, Project } from '../../config/index.ts'
import type { Hook } from './hook.ts'
import { projectHooks } from './trust.ts'

/** The owner's hooks, and the project's where the owner trusts them. */
export async function findHooks({
  home,
  project,
  config,
}: {
  home: Home
  project: Project
  config: Config
}): Promise<{ hooks: Hook[]; notices: string[] }> {
  const own = await projectHooks(home, project.root)
  if (!own || own.trusted) return { hooks: [...config.hooks, ...(own?.hooks ?? [])], notices: [] }
  const notice = `${own.file} wants to run commands around the agent's work and is not trusted, so it does not. Look at it, then: reverie hooks trust`
  return { hooks: config.hooks, notices: [notice] }
}
