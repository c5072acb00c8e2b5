import { spawnSync } from 'node:child_process'
import { type Mode, Permissions, type Verdict } from '../../src/agent/index.ts'
import type { Touch } from '../../src/tools/index.ts'
import { RUNNER, type Scratch } from './scratch.ts'

/** The permissions of somebody who has made no rules and cannot be asked. */
export function permissionsIn({ project, home, reverie }: Scratch, mode: Mode): Permissions {
  return new Permissions({
    policy: { mode, rules: [], root: project, home, reverie, protected: [], roots: [] },
    ask: () => undefined,
    remember: async () => {},
    today: () => '2026-01-01',
  })
}

export function judgeShell(permissions: Permissions, command: string): Promise<Verdict> {
  const touches = (): Touch[] => [{ kind: 'command', command, directory: permissions.policy.root }]
  return permissions.judge({ name: 'bash', readOnly: false, touches }, { command })
}

export function judgeFile(
  permissions: Permissions,
  access: 'read' | 'write',
  path: string,
): Promise<Verdict> {
  const tool = access === 'read' ? 'read_file' : 'write_file'
  const touches = (): Touch[] => [{ kind: access, path }]
  return permissions.judge({ name: tool, readOnly: access === 'read', touches }, { path })
}

/** As a call does: what it returns is asked right before it runs. */
export async function checkFile(
  permissions: Permissions,
  access: 'read' | 'write',
  path: string,
): Promise<() => Promise<boolean>> {
  const name = access === 'read' ? 'read_file' : 'write_file'
  const tool = { name, readOnly: access === 'read', touches: (): Touch[] => [{ kind: access, path }] }
  const checked = await permissions.check(tool, { path }, new AbortController().signal)
  return async () => checked.allowed && permissions.isUnchanged(tool, checked.request)
}

const LONGEST_RUN_MS = 10_000

/** Runs a command as a tool would, and returns all that it said. What it leaves behind is ended. */
export function runForReal({ project, home }: Scratch, command: string): string {
  const { pid, stdout, stderr } = spawnSync('setsid', ['bash', '--noprofile', '--norc', '-c', command], {
    cwd: project,
    // Git refreshes its index when it is asked for the status, unless told not to.
    env: { PATH: process.env.PATH, HOME: home, GIT_OPTIONAL_LOCKS: '0' },
    // With a socket for its input, which is what a pipe of Node's is, a bash within bash reads ~/.bashrc.
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LONGEST_RUN_MS,
    encoding: 'utf8',
    ...(RUNNER !== undefined && { uid: RUNNER, gid: RUNNER }),
  })
  endGroup(pid)
  return `${stdout}${stderr}`
}

/** A command may leave something in the background that goes on for ever. */
function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL')
  } catch {
    // nothing is left of it
  }
}
