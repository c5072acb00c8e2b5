import { homedir } from 'node:os'
import type { Config, Home, Project } from '../../config/index.ts'
import { programsIn } from '../../tools/index.ts'
import { configuredRules, type GivenRules, rememberRule } from './always.ts'
import { type AskPermission, Permissions } from './permissions.ts'
import { realPath } from './real-path.ts'
import type { Policy } from './request.ts'

export interface PermissionsFor {
  home: Home
  project: Project
  config: Config
  env: NodeJS.ProcessEnv
  rules?: GivenRules | undefined
  /** What hooks run of the project. */
  hooks: readonly string[]
  /** Private, of this session: output that was too long, which may be read without a question. */
  outputs: string
  ask(): AskPermission | undefined
  now(): Date
}

/** What an agent may do in a conversation about a project. */
export function permissionsFor({
  home,
  project,
  config,
  env,
  rules,
  hooks,
  outputs,
  ask,
  now,
}: PermissionsFor): Permissions {
  const root = realPath('/', project.root)
  const policy: Policy = {
    mode: config.permissions.mode,
    rules: configuredRules(home, project, rules),
    root,
    home: homedir(),
    reverie: realPath('/', home.path),
    searchPath: env.PATH,
    protected: [],
    hooks,
    programs: programsIn(root, env.PATH),
    roots: [realPath('/', outputs)],
  }
  return new Permissions({
    policy,
    ask,
    remember: rule => rememberRule(home, rule),
    today: () => now().toISOString().slice(0, 'YYYY-MM-DD'.length),
  })
}
