import { execFileSync } from 'node:child_process'
import { realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { isInside, ReverieError } from '../../store/index.ts'
import { findProgram } from '../find-program.ts'
import { type GuardedPlaces, guardedPlaces, removeDetour } from './guarded.ts'
import type { Invocation } from './shell-script.ts'

/** `off`: never; `auto`: where it works; `require`: a command that cannot be sandboxed is refused. */
export type SandboxMode = 'off' | 'auto' | 'require'

export interface SandboxOptions {
  mode: SandboxMode
  /** Commands may reach the network. Unless said, they may not. */
  network?: boolean
  /** Hidden besides the usual places of credentials: Reverie's home. */
  hide?: readonly string[]
}

class SandboxUnavailable extends ReverieError {}

/** A place that a command in the sandbox must not see. */
export interface HiddenPlace {
  path: string
  kind: 'directory' | 'file'
}

export interface SandboxPlan {
  /** Writable. A real path. */
  root: string
  directory: string
  /** Readable even where what lies around it is hidden: earlier output. */
  outputs: string
  hidden: readonly HiddenPlace[]
  /** Inside the root. */
  guarded: GuardedPlaces
  network: boolean
}

/** Sockets that lead out (of docker, of agents with keys) lie there; of it only what finding names and programs needs. */
const RUN_KEPT = ['/run/systemd/resolve', '/run/current-system']

/** The arguments of bubblewrap that come before the command. Later ones lie over earlier ones. */
export function sandboxArguments(plan: SandboxPlan): string[] {
  const { root, directory, outputs, hidden, guarded, network } = plan
  const around = hidden.filter(({ path }) => isInside(path, root))
  const elsewhere = hidden.filter(({ path }) => !isInside(path, root))
  return [
    ...['--ro-bind', '/', '/'],
    ...['--dev', '/dev'],
    ...['--proc', '/proc'],
    ...['--tmpfs', '/tmp'],
    ...['--tmpfs', '/var/tmp'],
    ...['--tmpfs', '/run'],
    ...RUN_KEPT.flatMap(path => ['--ro-bind-try', path, path]),
    ...around.flatMap(cover),
    ...[root, ...guarded.writable].flatMap(path => ['--bind', path, path]),
    ...guarded.fixed.flatMap(path => ['--bind', path, path]),
    ...guarded.readOnly.flatMap(path => ['--ro-bind', path, path]),
    // After the workspace, as it may be a home directory with all that is in it.
    ...elsewhere.flatMap(cover),
    ...(isInside(root, outputs) && !elsewhere.some(({ path }) => isInside(path, outputs))
      ? []
      : ['--ro-bind', outputs, outputs]),
    ...['--unshare-user-try', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...(network ? [] : ['--unshare-net']),
    ...['--cap-drop', 'ALL'],
    '--die-with-parent',
    ...['--setenv', 'TMPDIR', '/tmp'],
    ...['--unsetenv', 'SSH_AUTH_SOCK'],
    ...['--chdir', directory],
    '--',
  ]
}

function cover({ path, kind }: HiddenPlace): string[] {
  return kind === 'directory' ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path]
}

/** Where credentials usually lie, from the home directory. */
const CREDENTIALS = [
  '.ssh',
  '.aws',
  '.gnupg',
  '.config/gh',
  '.config/gcloud',
  '.azure',
  '.kube',
  '.docker',
  '.password-store',
  '.local/share/keyrings',
  '.reverie',
  '.netrc',
  '.git-credentials',
  '.config/git/credentials',
  '.npmrc',
  '.pypirc',
]

/** Of the places to hide those that are there, as real paths: only what exists can be covered. */
export function hiddenPlaces(more: readonly string[], home = homedir()): HiddenPlace[] {
  const found = new Map<string, HiddenPlace>()
  for (const place of [...CREDENTIALS.map(name => join(home, name)), ...more]) {
    const stats = statSync(place, { throwIfNoEntry: false })
    if (!stats) continue
    const path = realpathSync(place)
    found.set(path, { path, kind: stats.isDirectory() ? 'directory' : 'file' })
  }
  return [...found.values()]
}

/** Wraps invocations in the sandbox, as far as its mode and this machine allow. */
export class Sandbox {
  #options: SandboxOptions
  #bubblewrap: { path: string } | { problem: string } | undefined
  #searchPath: string | undefined
  #root: string

  constructor(options: SandboxOptions, searchPath: string | undefined, root: string) {
    this.#options = options
    this.#searchPath = searchPath
    this.#root = root
  }

  /** Why commands are not sandboxed although they should be, if so. */
  get problem(): string | undefined {
    if (this.#options.mode === 'off') return undefined
    const found = this.#find()
    return 'problem' in found ? found.problem : undefined
  }

  wrap(invocation: Invocation, place: Pick<SandboxPlan, 'root' | 'directory' | 'outputs'>): Invocation {
    const { mode, network = false, hide = [] } = this.#options
    if (mode === 'off') return invocation
    const found = this.#find()
    if ('problem' in found) {
      if (mode === 'auto') return invocation
      throw new SandboxUnavailable(
        `Commands may only run in the sandbox here, and ${found.problem}. Nothing was run. Install bubblewrap (on Debian: apt-get install bubblewrap), or set the sandbox to auto or off.`,
      )
    }
    const guarded = guardedPlaces(place.root)
    const args = sandboxArguments({ ...place, network, guarded, hidden: hiddenPlaces(hide) })
    return { program: found.path, args: [...args, invocation.program, ...invocation.args] }
  }

  /** To be called when a command has ended: takes away what could not be kept from being made. */
  tidy(root: string): void {
    if (this.#options.mode !== 'off' && !('problem' in this.#find())) removeDetour(root)
  }

  /** Tried once: where user namespaces are forbidden it is installed and does not work. */
  #find() {
    this.#bubblewrap ??= workingBubblewrap(this.#searchPath, this.#root)
    return this.#bubblewrap
  }
}

const TRIAL_MS = 10_000

function workingBubblewrap(
  searchPath: string | undefined,
  root: string,
): { path: string } | { problem: string } {
  const path = findProgram('bwrap', searchPath, { outside: root })
  if (!path) return { problem: 'bubblewrap (bwrap) is not installed' }
  const trial = [
    '--ro-bind',
    '/',
    '/',
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    '--unshare-user-try',
    '--unshare-pid',
  ]
  try {
    execFileSync(path, [...trial, '--unshare-net', 'true'], { stdio: 'pipe', timeout: TRIAL_MS })
    return { path }
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
    return { problem: `bubblewrap does not work on this machine${said ? ` (${said})` : ''}` }
  }
}
