import { createHash } from 'node:crypto'
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { because, ReverieError } from '../store/index.ts'

export class NoSuchProject extends ReverieError {}

export interface Project {
  /** Real path of the git root, which in a worktree is that worktree's; else of the directory itself. */
  root: string
  /** Name of its directory below `projects/`, shared by all worktrees: readable, plus a hash of the main one's root. */
  slug: string
  /** The main checkout, where `root` is another worktree of it: worktrees come and go. */
  main?: string
}

/** The project that a directory belongs to. */
export function findProject(directory: string): Project {
  let start: string
  try {
    start = realpathSync(resolve(directory))
    if (!statSync(start).isDirectory()) throw new NoSuchProject(`${directory} is not a directory.`)
  } catch (error) {
    if (error instanceof ReverieError) throw error
    throw new NoSuchProject(`Could not open the project ${directory}: ${because(error)}.`, { cause: error })
  }
  const { root, main = root } = gitRoot(start) ?? { root: start }
  return { root, slug: projectSlug(main), ...(main !== root && { main }) }
}

const HASH_LENGTH = 8
const READABLE_LENGTH = 40

export function projectSlug(root: string): string {
  const readable = basename(root)
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .slice(0, READABLE_LENGTH)
    .replaceAll(/^-+|-+$/g, '')
    .toLowerCase()
  const hash = createHash('sha256').update(root).digest('hex').slice(0, HASH_LENGTH)
  return `${readable || 'project'}-${hash}`
}

function gitRoot(start: string): Pick<Project, 'root' | 'main'> | undefined {
  for (let directory = start; ; directory = dirname(directory)) {
    const dotGit = join(directory, '.git')
    const kind = kindOf(dotGit)
    if (kind === 'directory') return { root: directory }
    if (kind === 'file') {
      const main = mainWorktree(dotGit)
      return { root: directory, ...(main !== undefined && { main }) }
    }
    if (directory === dirname(directory)) return undefined
  }
}

/**
 * The main checkout that a worktree's `.git` file leads to. It counts only if the repository knows the
 * worktree: otherwise a downloaded directory could claim another project's memory as its own.
 */
function mainWorktree(dotGitFile: string): string | undefined {
  try {
    const [, named] = /^gitdir: (.+)$/m.exec(readFileSync(dotGitFile, 'utf8')) ?? []
    if (!named) return undefined
    const gitdir = resolve(dirname(dotGitFile), named)
    const linkedBack = resolve(gitdir, readFileSync(join(gitdir, 'gitdir'), 'utf8').trim())
    if (realpathSync(linkedBack) !== realpathSync(dotGitFile)) return undefined
    const common = realpathSync(resolve(gitdir, readFileSync(join(gitdir, 'commondir'), 'utf8').trim()))
    if (realpathSync(dirname(gitdir)) !== join(common, 'worktrees')) return undefined
    return basename(common) === '.git' ? dirname(common) : common
  } catch {
    return undefined // a submodule, or a repository that is not there: the directory is a project of its own
  }
}

function kindOf(path: string): 'file' | 'directory' | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats?.isDirectory()) return 'directory'
    return stats?.isFile() ? 'file' : undefined
  } catch {
    return undefined // a directory that may not be looked into has no repository for us
  }
}
