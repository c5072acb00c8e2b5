/**
 * Whether git would run anything but itself in a directory. A repository that was downloaded as files brings its
 * own configuration, and that can name programs which a mere `git status` runs.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { because, isInside, ownValue } from '../../store/index.ts'
import { DIRECTORY, REPOSITORY, type Tracked, trackedIn } from './git-index.ts'

/** Settings that run nothing and lead nowhere. */
const HARMLESS =
  /^(core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|longpaths)|remote\.[^.]*\.(url|fetch|pushurl|tagopt|prune)|remote\.pushdefault|branch\..*\.(remote|merge|rebase|description|pushremote|vscode-merge-base|gh-merge-base)|user\.(name|email)|init\.defaultbranch|pull\.(rebase|ff)|push\.(default|autosetupremote)|extensions\.(objectformat|refstorage)|gc\.auto|commit\.gpgsign|rerere\.enabled)$/

/**
 * Why git might run something there, as a sentence; undefined when it would not. `root` is the project's. With
 * `addresses`, also why those that it would tell should not be.
 */
export function gitTrouble(directory: string, root: string, addresses = false): string | undefined {
  try {
    return repositoriesOf(directory, root)
      .map(({ git }) => troubleIn(git) ?? (addresses ? secretAddress(git) : undefined))
      .find(told => told !== undefined)
  } catch (error) {
    return `The configuration of the repository could not be looked at: ${because(error)}.`
  }
}

/** What git keeps track of there, with names from the top of the repository; undefined when it cannot be told. */
export function trackedFiles(directory: string, root: string): Array<Tracked & { top: string }> | undefined {
  try {
    const tracked = repositoriesOf(directory, root).map(({ git, top }) =>
      trackedBy(git)?.map(file => ({ ...file, top })),
    )
    return tracked.every(each => each !== undefined) ? tracked.flat() : undefined
  } catch {
    return undefined
  }
}

/**
 * All that git could take for the repository of a directory. Which one it takes depends on what it finds whole, and who
 * made the project may have put something in the way: a `.git` that is none, or a HEAD beside one. So inside of the
 * project each counts. Above it, where things are the person's own, only the first does.
 */
function repositoriesOf(directory: string, root: string): Array<{ git: string; top: string }> {
  const found: Array<{ git: string; top: string }> = []
  for (let at = directory; ; at = dirname(at)) {
    if (found.length > 0 && !isInside(root, at)) return found
    const dotGit = join(at, '.git')
    if (existsSync(dotGit))
      found.push({ git: statSync(dotGit).isDirectory() ? dotGit : namedBy(dotGit), top: at })
    // A bare repository can lie in any directory, and git takes it for one.
    if (existsSync(join(at, 'HEAD')) && existsSync(join(at, 'objects')) && existsSync(join(at, 'refs')))
      found.push({ git: at, top: at })
    if (at === dirname(at)) return found
  }
}

/** Where a `.git` that is a file leads. All of it is the path, but for the ends of lines at its end. */
function namedBy(dotGit: string): string {
  const text = readFileSync(dotGit, 'utf8')
  return resolve(dirname(dotGit), withoutLineEnd(text.replace(/^gitdir: /, '')))
}

function withoutLineEnd(text: string): string {
  return text.replace(/[\r\n]+$/, '')
}

function troubleIn(gitDirectory: string): string | undefined {
  for (const directory of new Set([commonOf(gitDirectory), gitDirectory])) {
    for (const name of ['config', 'config.worktree']) {
      const key = firstUnknownSetting(join(directory, name))
      if (key) return `The repository's own configuration sets ${key}, which may run something.`
    }
    if (existsSync(join(directory, 'hooks', 'post-index-change')))
      return 'The repository has a hook that runs whenever git looks at it.'
    if (existsSync(join(directory, 'modules')) && readdirSync(join(directory, 'modules')).length > 0)
      return 'The repository has submodules, which have a configuration of their own.'
  }
  return mayHoldOthers(trackedBy(gitDirectory))
    ? 'The repository may hold others, which have a configuration of their own.'
    : undefined
}

/** `https://NAME:PASSWORD@HOST/` */
function secretAddress(gitDirectory: string): string | undefined {
  const config = join(commonOf(gitDirectory), 'config')
  return existsSync(config) && /:\/\/[^\s/]*@/.test(readFileSync(config, 'utf8'))
    ? 'An address of the repository may hold a password.'
    : undefined
}

function mayHoldOthers(tracked: readonly Tracked[] | undefined): boolean {
  return tracked?.some(({ kind }) => kind === REPOSITORY || kind === DIRECTORY) ?? true
}

function trackedBy(gitDirectory: string): Tracked[] | undefined {
  const hash = hashBytes(join(commonOf(gitDirectory), 'config'))
  return hash === undefined ? undefined : trackedIn(join(gitDirectory, 'index'), hash)
}

/** Where a working tree has its configuration: with the others' of the same repository. */
function commonOf(gitDirectory: string): string {
  const shared = join(gitDirectory, 'commondir')
  return existsSync(shared)
    ? resolve(gitDirectory, withoutLineEnd(readFileSync(shared, 'utf8')))
    : gitDirectory
}

const HASHES: Readonly<Record<string, number>> = { sha1: 20, sha256: 32 }

/** How long the names of objects are; undefined when it is not plainly told. */
function hashBytes(config: string): number | undefined {
  const text = existsSync(config) ? readFileSync(config, 'utf8') : ''
  const formats = new Set([...text.matchAll(/^\s*objectformat\s*=(.*)$/gim)].map(([, name]) => name?.trim()))
  const [format = 'sha1', ...more] = formats
  return more.length === 0 ? ownValue(HASHES, format) : undefined
}

function firstUnknownSetting(file: string): string | undefined {
  if (!existsSync(file)) return undefined
  let section = ''
  for (const raw of readFileSync(file, 'utf8').split('\n')) {
    const line = raw.trim()
    if (line === '' || /^[#;]/.test(line)) continue
    const header = /^\[([\w.-]+)(?: "((?:[^"\\]|\\.)*)")?\]$/.exec(line)
    if (header) {
      section = `${header[1]?.toLowerCase()}${header[2] === undefined ? '' : `.${header[2].replaceAll('.', '_')}`}`
      continue
    }
    const [, name] = /^([\w-]+)\s*(?:=|$)/.exec(line) ?? []
    // What is on the same line as a header, or goes on in the next one, is not read.
    const key =
      name === undefined || line.endsWith('\\')
        ? `"${line.slice(0, 40)}"`
        : `${section}.${name.toLowerCase()}`
    if (!HARMLESS.test(key)) return key
  }
  return undefined
}
