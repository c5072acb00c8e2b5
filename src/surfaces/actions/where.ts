import type { Home, LoadedConfig, Project } from '../../config/index.ts'

/** Where something is done: the home, the project, and the settings that hold there now. */
export interface Where {
  readonly home: Home
  readonly project: Project
  readonly env: NodeJS.ProcessEnv
  config(): Promise<LoadedConfig>
}
