/** The simulation itself; it runs in a thread of its own (thread.ts), because what it does it does without a pause. */
import { Bash, type CommandName, InMemoryFs, MountableFs, OverlayFs } from 'just-bash'
import { because } from '../../store/index.ts'

const MEGABYTE = 1024 * 1024
/** A memory, a note or a source file; what is larger reads as missing. */
const LARGEST_FILE = 10 * MEGABYTE
/** What one command may write into the overlay; all of it is in memory. */
const MOST_WRITTEN = 32 * MEGABYTE

const LIMITS = {
  maxSourceBytes: 64 * 1024,
  maxCommandCount: 20_000,
  maxLoopIterations: 20_000,
  maxAwkIterations: 100_000,
  maxSedIterations: 100_000,
  maxJqIterations: 100_000,
  maxCallDepth: 50,
  maxSubstitutionDepth: 20,
  maxBraceExpansionResults: 10_000,
  maxGlobOperations: 200_000,
  maxTraversalEntries: 200_000,
  maxStringLength: 8 * MEGABYTE,
  maxHeredocSize: MEGABYTE,
  maxArrayElements: 100_000,
  maxOutputSize: 4 * MEGABYTE,
  maxLiveBytes: 128 * MEGABYTE,
  maxInputBytes: 128 * MEGABYTE,
  maxFileSystemBytes: MOST_WRITTEN,
  maxFileDescriptors: 64,
}

/** Text tools. What starts workers (python, js-exec, sqlite3), fetches, or unpacks archives is not there. */
const COMMANDS: CommandName[] = [
  ...([
    'echo',
    'cat',
    'printf',
    'ls',
    'mkdir',
    'rmdir',
    'touch',
    'rm',
    'cp',
    'mv',
    'ln',
    'chmod',
    'pwd',
  ] as const),
  ...([
    'readlink',
    'head',
    'tail',
    'wc',
    'stat',
    'grep',
    'fgrep',
    'egrep',
    'rg',
    'sed',
    'awk',
    'sort',
  ] as const),
  ...(['uniq', 'comm', 'cut', 'paste', 'tr', 'rev', 'nl', 'fold', 'expand', 'unexpand', 'strings'] as const),
  ...(['column', 'join', 'tee', 'find', 'basename', 'dirname', 'tree', 'du', 'env', 'printenv'] as const),
  ...(['xargs', 'true', 'false', 'bash', 'sh', 'jq', 'base64', 'diff', 'date', 'seq', 'expr'] as const),
  ...(['md5sum', 'sha1sum', 'sha256sum', 'file', 'tac', 'od', 'which', 'sleep', 'timeout'] as const),
]

export interface Ran {
  stdout: string
  stderr: string
  exitCode: number
}

/** In a new view of the roots: no command sees what another has written. */
export async function simulate(
  command: string,
  {
    roots,
    env,
    signal,
  }: { roots: readonly string[]; env: Readonly<Record<string, string>>; signal: AbortSignal },
): Promise<Ran> {
  const fs = new MountableFs({ base: new InMemoryFs() })
  for (const root of roots)
    fs.mount(
      root,
      new OverlayFs({
        root,
        mountPoint: '/',
        maxFileReadSize: LARGEST_FILE,
        maxMemoryBytes: MOST_WRITTEN,
        allowSymlinks: false,
      }),
    )
  const cwd = roots[0] ?? '/'
  const shell = new Bash({ fs, cwd, env: { ...env }, commands: COMMANDS, executionLimits: LIMITS })
  try {
    return await shell.exec(command, { signal, rawScript: true })
  } catch (error) {
    // What the simulation throws is an error of the command, not of ours.
    return { stdout: '', stderr: `shell: ${because(error)}\n`, exitCode: 126 }
  }
}
