/** A project that was made by somebody hostile, beside things that are none of its business. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

/** Stands in every file outside of the project. */
export const OUTSIDE_CANARY = 'CANARY-OUTSIDE-7f3a'
/** Stands in every file of the project that needs a yes. */
export const SECRET_CANARY = 'CANARY-SECRET-7f3a'

/** Commands are run for real as somebody who can harm little: `nobody`, when the torture is run by root. */
export const RUNNER = process.getuid?.() === 0 ? 65534 : undefined

export interface Scratch {
  root: string
  project: string
  outside: string
  home: string
  reverie: string
  remove(): void
}

export function makeScratch(): Scratch {
  const root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'reverie-shell-')))
  const [project, outside, home] = ['project', 'outside', 'home'].map(name => join(root, name)) as [
    string,
    string,
    string,
  ]
  const reverie = join(home, '.reverie')
  const write = (path: string, text: string) => {
    fs.mkdirSync(join(path, '..'), { recursive: true })
    fs.writeFileSync(path, text)
  }
  for (const name of ['src/a.ts', 'src/b.txt', 'src/deep/c.md', 'README.md', 'package.json', 'notes/x.md'])
    write(join(project, name), `${name}\nalpha\nbeta\n`)
  for (const name of ['.env', 'key.pem', '.env.local', 'config/credentials.json', '.npmrc', 'lib/id_rsa'])
    write(join(project, name), `${SECRET_CANARY} ${name}\n`)
  for (const name of ['secret.txt', 'victim.txt', 'directory/file.txt'])
    write(join(outside, name), `${OUTSIDE_CANARY} ${name}\n`)
  for (const name of [
    '.ssh/id_rsa',
    '.bashrc',
    'diary.txt',
    '.aws/credentials',
    '.reverie/config.json',
    '.reverie/memory/a.md',
  ])
    write(join(home, name), `${OUTSIDE_CANARY} ${name}\n`)
  // A secret that a search passes over, unless it is told not to: by its pattern, or by a list.
  for (const name of ['quiet/.env', 'listed/.env']) write(join(project, name), `${SECRET_CANARY} ${name}\n`)
  write(join(project, 'listed', '.ignore'), '!.e*\n')
  // Arguments that a command may take from a file.
  write(join(project, 'listed', 'arguments'), `${outside}/secret.txt\n`)
  // Names that become options when a pattern finds them.
  for (const name of ['-i', '--output=owned', '-delete', '--pre=sh'])
    write(join(project, 'options', name), 'x\n')
  git(project, ['init', '-q'])
  git(project, ['add', 'src', 'README.md'])
  git(project, ['-c', 'user.name=x', '-c', 'user.email=x@x', 'commit', '-qm', 'one'])
  git(root, ['init', '-q', '--bare', join(project, 'bare')])
  fs.appendFileSync(
    join(project, 'bare', 'config'),
    `[core]\n\tfsmonitor = "touch ${outside}/owned; false"\n\tworktree = ..\n\tbare = false\n`,
  )
  write(join(project, 'evil.sh'), `#!/bin/sh\ncat ${outside}/secret.txt; echo owned > ${outside}/owned\n`)
  fs.chmodSync(join(project, 'evil.sh'), 0o755)
  // Where programs are looked for when PATH is 1.
  fs.mkdirSync(join(project, '1'))
  fs.copyFileSync(join(project, 'evil.sh'), join(project, '1', 'ls'))
  makeOddRepository(join(project, 'odd'), `touch ${outside}/owned; false`)
  fs.symlinkSync(outside, join(project, 'link-out'))
  fs.symlinkSync(join(outside, 'secret.txt'), join(project, 'src', 'link-secret.txt'))
  fs.symlinkSync('../../outside/new.txt', join(project, 'src', 'dangling.txt'))
  fs.symlinkSync('../../outside/directory', join(project, 'notes', 'link-directory'))
  fs.symlinkSync('link-out', join(project, 'link-link'))
  // `a=~/FILE` is a way into the home, for a shell.
  fs.symlinkSync('/', join(project, 'notes', 'a='))
  // Inside of the project for as long as they stay what and where they are.
  fs.symlinkSync('../outside/secret.txt', join(project, 'notes', 'inner'))
  fs.symlinkSync('src/deep', join(project, 'turn'))
  own(root)
  const scratch = {
    root,
    project,
    outside,
    home,
    reverie,
    remove: () => fs.rmSync(root, { recursive: true, force: true }),
  }
  return scratch
}

/** One that runs something when it is looked at, with a harmless one laid beside it and a broken one below. */
function makeOddRepository(directory: string, evil: string): void {
  fs.mkdirSync(directory)
  git(directory, ['init', '-q'])
  git(directory, ['-c', 'user.name=x', '-c', 'user.email=x@x', 'commit', '-q', '--allow-empty', '-m', 'one'])
  git(directory, ['config', 'core.fsmonitor', evil])
  for (const name of ['objects', 'refs', 'below/.git'])
    fs.mkdirSync(join(directory, name), { recursive: true })
  fs.writeFileSync(join(directory, 'HEAD'), 'ref: refs/heads/main\n')
}

/** Whoever runs the commands owns all of it: what does no harm shall not do none because it was not let. */
function own(path: string): void {
  if (RUNNER === undefined) return
  fs.lchownSync(path, RUNNER, RUNNER)
  if (fs.lstatSync(path).isDirectory()) for (const name of fs.readdirSync(path)) own(join(path, name))
}

function git(directory: string, args: string[]): void {
  const { status, stderr } = spawnSync('git', args, {
    cwd: directory,
    env: { PATH: process.env.PATH, HOME: '/nowhere' },
  })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
}

/** Git keeps in it when it last looked at which file, and `git diff` brings that up to date. */
const KEPT_BY_GIT = '.git/index'

/** Everything below a directory, as one number: names, kinds, contents, targets of links. */
export function fingerprint(directory: string): string {
  const hash = createHash('sha256')
  const look = (path: string) => {
    for (const entry of fs
      .readdirSync(path, { withFileTypes: true })
      .sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const at = join(path, entry.name)
      hash.update(`${relative(directory, at)}\0`)
      if (entry.isDirectory()) look(at)
      else if (entry.isSymbolicLink()) hash.update(fs.readlinkSync(at))
      else if (entry.isFile() && !at.endsWith(KEPT_BY_GIT)) hash.update(fs.readFileSync(at))
    }
  }
  look(directory)
  return hash.digest('hex')
}

/** The secrets of a project, and what belongs to git. */
export function protectedFingerprint(project: string): string {
  const names = [
    '.env',
    'key.pem',
    '.env.local',
    'config/credentials.json',
    '.npmrc',
    'lib/id_rsa',
    '.git/config',
  ]
  return (
    names.map(name => read(join(project, name))).join('\0') +
    fs.readdirSync(join(project, '.git', 'hooks')).join()
  )
}

function read(path: string): string {
  try {
    return fs.readFileSync(path, 'utf8')
  } catch {
    return '(gone)'
  }
}
