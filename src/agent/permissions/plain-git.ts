/**
 * Whether git would run anything but itself in a directory. A repository that was downloaded as files brings its
 * own configuration, and that can name programs which a mere `git status` runs.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { because } from '../../store/index.ts'

/** Settings that run nothing and lead nowhere. */
const HARMLESS =
  /^(core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|longpaths)|remote\.[^.]*\.(url|fetch|pushurl|tagopt|prune)|remote\.pushdefault|branch\..*\.(remote|merge|rebase|description|pushremote|vscode-merge-base|gh-merge-base)|user\.(name|email)|init\.defaultbranch|pull\.(rebase|ff)|push\.(default|autosetupremote)|extensions\.(objectformat|refstorage)|gc\.auto|commit\.gpgsign|rerere\.enabled)$/

/** Bytes of an index that are still looked through: some 200,000 files. */
const LARGEST_INDEX = 32_000_000

/** Why git might run something there, as a sentence; undefined when it would not. */
export function gitTrouble(directory: string): string | undefined {
  try {
    const gitDirectory = findGitDirectory(directory)
    if (gitDirectory === undefined) return undefined
    return troubleIn(gitDirectory)
  } catch (error) {
    return `The configuration of the repository could not be looked at: ${because(error)}.`
  }
}

function findGitDirectory(directory: string): string | undefined {
  for (let at = directory; ; at = dirname(at)) {
    // A bare repository can lie in any directory, and git takes it for one.
    if (existsSync(join(at, 'HEAD')) && existsSync(join(at, 'objects')) && existsSync(join(at, 'refs')))
      return at
    const dotGit = join(at, '.git')
    if (existsSync(dotGit)) {
      if (statSync(dotGit).isDirectory()) return dotGit
      const [, named] = /^gitdir: (.+)$/m.exec(readFileSync(dotGit, 'utf8')) ?? []
      return resolve(at, named ?? '')
    }
    if (at === dirname(at)) return undefined
  }
}

function troubleIn(gitDirectory: string): string | undefined {
  const shared = join(gitDirectory, 'commondir')
  const common = existsSync(shared)
    ? resolve(gitDirectory, readFileSync(shared, 'utf8').trim())
    : gitDirectory
  for (const directory of new Set([common, gitDirectory])) {
    for (const name of ['config', 'config.worktree']) {
      const key = firstUnknownSetting(join(directory, name))
      if (key) return `The repository's own configuration sets ${key}, which may run something.`
    }
    if (existsSync(join(directory, 'hooks', 'post-index-change')))
      return 'The repository has a hook that runs whenever git looks at it.'
    if (existsSync(join(directory, 'modules')) && readdirSync(join(directory, 'modules')).length > 0)
      return 'The repository has submodules, which have a configuration of their own.'
  }
  return holdsRepositories(join(gitDirectory, 'index'))
    ? 'The repository may hold others, which have a configuration of their own.'
    : undefined
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

/** Entries of the index whose mode says that they are other repositories (gitformat-index). */
function holdsRepositories(file: string): boolean {
  if (!existsSync(file)) return false
  if (statSync(file).size > LARGEST_INDEX) return true
  const index = readFileSync(file)
  const version = index.readUInt32BE(4)
  // Version 4 shortens names, and split indexes keep them elsewhere: not read.
  if (version !== 2 && version !== 3) return true
  let at = 12
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    if (index.readUInt32BE(at + 24) >>> 12 === 0o16) return true
    const extended = version === 3 && (index.readUInt16BE(at + 60) & 0x4000) !== 0
    const name = at + (extended ? 64 : 62)
    const end = index.indexOf(0, name)
    if (end < 0) return true
    at += Math.ceil((end + 1 - at) / 8) * 8
  }
  return index.subarray(at, at + 4).toString('latin1') === 'link'
}
