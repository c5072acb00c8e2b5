/** What a command in the sandbox must not change of a project, because others run it. */
import { lstatSync, mkdirSync, realpathSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findProject } from '../../config/index.ts'

/** What others run of a project: commands may read it, and not write it. */
export interface GuardedPlaces {
  /** Writable, outside of the root: the repository that a worktree is of. */
  writable: readonly string[]
  /** Cannot be moved away, so that nothing takes their place. */
  fixed: readonly string[]
  /** Cannot be written. */
  readOnly: readonly string[]
}

/** Run at a commit, when the directory is opened, or by Reverie itself; from the root of a project. */
const RUN_BY_OTHERS = [
  '.reverie',
  '.husky',
  '.vscode',
  '.idea',
  '.devcontainer',
  '.github',
  '.githooks',
  '.gitlab-ci.yml',
  '.mcp.json',
  ...['.claude', '.codex', '.cursor', '.gemini', '.zed'],
]
/** From the directory of the repository. */
const RUN_BY_GIT = ['hooks', 'config']

/** Of what others run in a project, that which is there and no link: a link leads to where nothing can be written. */
export function guardedPlaces(root: string): GuardedPlaces {
  const repository = repositoryOf(root)
  if (repository) makeHooks(repository)
  const readOnly = [
    ...(repository ? RUN_BY_GIT.map(name => join(repository, name)) : []),
    ...RUN_BY_OTHERS.map(name => join(root, name)),
  ].filter(isThere)
  const elsewhere = repository !== undefined && dirname(repository) !== root
  return {
    writable: elsewhere ? [repository] : [],
    fixed: repository !== undefined && !elsewhere ? [repository] : [],
    readOnly,
  }
}

/**
 * A repository takes its hooks and settings from where a file of this name says. Only those of worktrees have one, and
 * what is not there yet cannot be made read-only.
 */
export function removeDetour(root: string): void {
  const repository = repositoryOf(root)
  if (repository) rmSync(join(repository, 'commondir'), { force: true, recursive: true })
}

/** Where the project's commits and settings are; of a worktree, with the main checkout. */
function repositoryOf(root: string): string | undefined {
  const own = join(root, '.git')
  const kind = lstatSync(own, { throwIfNoEntry: false })
  if (kind?.isDirectory()) return own
  const { main } = findProject(root)
  if (!kind?.isFile() || main === undefined) return undefined
  const beside = join(main, '.git')
  return lstatSync(beside, { throwIfNoEntry: false })?.isDirectory() ? realpathSync(beside) : main
}

/** Where there are none, a command could put some; and only what is there can be made read-only. */
function makeHooks(repository: string): void {
  try {
    mkdirSync(join(repository, 'hooks'), { recursive: true })
  } catch {
    // What we may not make there, no command can either; a link that leads nowhere stays one.
  }
}

function isThere(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return stats !== undefined && !stats.isSymbolicLink()
}
