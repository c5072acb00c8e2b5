import type { Config, Home, Project } from '../../config/index.ts'
import { because } from '../../store/index.ts'
import type { Hook } from './hook.ts'
import { projectHooks } from './trust.ts'

export interface AboutHooks {
  home: Home
  project: Project
  config: Config
  env: NodeJS.ProcessEnv
}

/** The owner's hooks, and the project's where the owner trusts them. */
export async function findHooks({
  home,
  project,
  config,
}: Pick<AboutHooks, 'home' | 'project' | 'config'>): Promise<{ hooks: Hook[]; notices: string[] }> {
  try {
    const own = await projectHooks(home, project.root)
    const projects = own?.hooks.map(hook => ({ ...hook, fromProject: true })) ?? []
    if (!own || own.trusted) return { hooks: [...config.hooks, ...projects], notices: [] }
    const notice = `${own.file} wants to run commands around the agent's work and is not trusted, so it does not. Look at it, then: reverie hooks trust`
    return { hooks: config.hooks, notices: [notice] }
  } catch (error) {
    // A file that somebody downloaded does not keep the owner from working.
    return { hooks: config.hooks, notices: [because(error)] }
  }
}
