import { delimiter } from 'node:path'
import { findProgram } from '../find-program.ts'

/** A program with what it is given, as `spawn` takes them. */
export interface Invocation {
  program: string
  args: readonly string[]
}

/** The descriptor through which a shell tells where it ended: the one after stderr, which the caller opens on a file. */
const DIRECTORY_DESCRIPTOR = 3

/**
 * Runs `command` so that the directory it ends in is told through a descriptor of its own: on a number that commands
 * do not use, by a trap for `exit`, and after the command for one that sets such a trap itself. The command is
 * handed over as an argument, never as part of the text, so that no quote or open here-document reaches the rest.
 */
export function shellInvocation(program: string, command: string): Invocation {
  // Other shells than bash know descriptors of one digit only.
  const own = /(^|\/)bash$/.test(program) ? 63 : 9
  const tell = `{ pwd -P && printf "\\0"; } >&${own} 2>/dev/null`
  const script = [
    `exec ${own}>&${DIRECTORY_DESCRIPTOR} ${DIRECTORY_DESCRIPTOR}>&-`,
    `trap '${tell}' EXIT`,
    'eval "set --; $1"',
    `set -- "$?"; ${tell}; exit "$1"`,
  ].join('; ')
  return { program, args: ['-c', script, 'bash', command] }
}

/** The directory that was told last, or undefined when none was. */
export function directoryTold(record: string): string | undefined {
  const told = record.split('\0').slice(0, -1).at(-1)
  return told?.replace(/\n$/, '') || undefined
}

/** bash, or sh where there is none. */
export function findShell(path: string | undefined, root: string): string {
  const usual = `${path ?? ''}${delimiter}/bin${delimiter}/usr/bin`
  const outside = { outside: root }
  return findProgram('bash', usual, outside) ?? findProgram('sh', usual, outside) ?? '/bin/sh'
}
