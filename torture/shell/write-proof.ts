/** The shell that cannot write, given everything that is known to write. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openWriteProofShell } from '../../src/tools/write-proof/shell.ts'
import { assertRule } from '../kill/scenario.ts'
import { fingerprint, OUTSIDE_CANARY, type Scratch } from './scratch.ts'

const TIMEOUT_MS = 2_000

/** Runs all of them and looks at the disk, the output and the processes after each. */
export async function tryToWrite({ root, project }: Scratch, commands: readonly string[]): Promise<void> {
  const shell = await openWriteProofShell({ roots: [project] })
  const before = fingerprint(root)
  const children = childProcesses()
  for (const command of commands) {
    const { stdout, stderr } = await shell.exec(command, { timeoutMs: TIMEOUT_MS })
    const where = JSON.stringify(command)
    assertRule(
      !`${stdout}${stderr}`.includes(OUTSIDE_CANARY),
      `nothing outside of the roots is read: ${where}`,
    )
    assertRule(childProcesses() === children, `no process is started: ${where}`)
    assertRule(fingerprint(root) === before, `nothing is written: ${where}`)
  }
}

/** How many processes this one has started and not yet forgotten; 0 where that cannot be told. */
function childProcesses(): number {
  try {
    return readdirSync('/proc/self/task')
      .map(task => readFileSync(`/proc/self/task/${task}/children`, 'utf8'))
      .join(' ')
      .split(/\s+/)
      .filter(Boolean).length
  } catch {
    return 0
  }
}

const CHANGES =
  /^(rename|unlink|mkdir|rmdir|symlink|link|chmod|fchmod|chown|lchown|truncate|utime|mknod|creat|setxattr)/
const WRITES = /O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND/

/** The same in a process whose system calls are written down; undefined where there is no strace. */
export function tryToWriteWatched(
  { root, project, outside, home }: Scratch,
  commands: readonly string[],
): string | undefined {
  const log = `${root}.strace`
  const child = fileURLToPath(new URL('write-proof-child.ts', import.meta.url))
  const before = fingerprint(root)
  const { status, stdout, stderr, error } = spawnSync(
    'strace',
    [
      '-f',
      '-qq',
      '-s',
      '4096',
      '-e',
      'trace=%file,%network,execve,execveat',
      '-o',
      log,
      process.execPath,
      child,
    ],
    { input: JSON.stringify({ root: project, commands }), encoding: 'utf8', maxBuffer: 2 ** 30 },
  )
  if (error || /ptrace|PTRACE/.test(stderr)) return undefined
  assertRule(status === 0, `the watched process ends well: ${stderr}`)
  assertRule(!stdout.includes(OUTSIDE_CANARY), 'nothing outside of the roots is read')
  assertRule(fingerprint(root) === before, 'nothing is written')
  const calls = readFileSync(log, 'utf8')
    .split('\n')
    .map(line => line.replace(/^\d+\s+/, ''))
  const started = calls.filter(call => /^execve(at)?\(/.test(call))
  assertRule(started.length === 1, `no process is started: ${started.slice(1, 3).join(' ')}`)
  const reached = calls.filter(call => /^(connect|sendto|bind)\(.*AF_INET/.test(call))
  assertRule(reached.length === 0, `nothing is reached: ${reached[0]}`)
  const wrote = calls.filter(
    call => call.includes(`"${root}`) && (CHANGES.test(call) || (/^open/.test(call) && WRITES.test(call))),
  )
  assertRule(wrote.length === 0, `nothing is written: ${wrote[0]}`)
  const left = calls.filter(
    call => /^open/.test(call) && [outside, home].some(place => call.includes(`"${join(place, '/')}`)),
  )
  assertRule(left.length === 0, `nothing outside of the roots is opened: ${left[0]}`)
  return `${calls.length} system calls watched`
}
