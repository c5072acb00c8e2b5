/**
 * A shell that cannot write: simulated, over a copy-on-write view of some directories. There are no processes and
 * there is no network, and what a command writes is kept in memory until the shell is gone (3-dream.md).
 */
import { realpathSync } from 'node:fs'
import type { Bash as BashShell, CommandName } from 'just-bash'
import { z } from 'zod'
import { because, isInside, ReverieError } from '../store/index.ts'
import { defineTool, type Tool } from './tool.ts'

export interface WriteProofShellOptions {
  /** The directories that can be seen, under their own real paths. The first is where commands start. */
  roots: readonly string[]
  /** All of the environment that commands see; none of this process's own. */
  env?: Readonly<Record<string, string>>
}

export interface WriteProofRun {
  stdout: string
  stderr: string
  exitCode: number
  /** It was stopped, or not all of its output is here. */
  cut: boolean
}

export interface WriteProofShell {
  exec(command: string, options?: { signal?: AbortSignal; timeoutMs?: number }): Promise<WriteProofRun>
}

export class NoRoots extends ReverieError {}

const TIMEOUT_MS = 30_000
const LONGEST_TIMEOUT_MS = 120_000
/** Characters of each stream that are given back. */
const MOST_OUTPUT = 200_000
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

/** Loads the simulation (67 ms) and takes a look at the roots. */
export async function openWriteProofShell({
  roots,
  env = {},
}: WriteProofShellOptions): Promise<WriteProofShell> {
  const { Bash, InMemoryFs, MountableFs, OverlayFs } = await import('just-bash')
  const places = outermost(roots.map(root => realpathSync(root)))
  const [first] = places
  if (first === undefined) throw new NoRoots('A shell needs at least one directory to look at.')
  /** A new view for every command: none sees what another has written. */
  const open = (): BashShell => {
    const fs = new MountableFs({ base: new InMemoryFs() })
    for (const root of places)
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
    return new Bash({ fs, cwd: first, env: { ...env }, commands: COMMANDS, executionLimits: LIMITS })
  }
  return {
    async exec(command, { signal, timeoutMs = TIMEOUT_MS } = {}) {
      const timeout = AbortSignal.timeout(Math.min(timeoutMs, LONGEST_TIMEOUT_MS))
      const stop = signal ? AbortSignal.any([signal, timeout]) : timeout
      const run = open().exec(command, { signal: stop, rawScript: true }).catch(failed)
      const ran = await Promise.race([run, stopped(stop)])
      return bounded(ran, stop.aborted)
    },
  }
}

interface Ran {
  stdout: string
  stderr: string
  exitCode: number
}

/** A command that does not stop in time is not waited for. */
const PATIENCE_MS = 500

function stopped(signal: AbortSignal): Promise<Ran> {
  const told = { stdout: '', stderr: 'shell: stopped\n', exitCode: 124 }
  return new Promise(resolve => {
    const stop = () => setTimeout(resolve, PATIENCE_MS, told).unref()
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}

/** What the simulation throws is an error of the command, not of ours. */
function failed(error: unknown): Ran {
  return { stdout: '', stderr: `shell: ${because(error)}\n`, exitCode: 126 }
}

function bounded({ stdout, stderr, exitCode }: Ran, aborted: boolean): WriteProofRun {
  const cut = aborted || stdout.length > MOST_OUTPUT || stderr.length > MOST_OUTPUT
  return { stdout: stdout.slice(0, MOST_OUTPUT), stderr: stderr.slice(0, MOST_OUTPUT), exitCode, cut }
}

/** A directory within another one is seen through that. */
function outermost(roots: readonly string[]): string[] {
  const distinct = [...new Set(roots)]
  return distinct.filter(root => !distinct.some(other => other !== root && isInside(other, root)))
}

/** Characters of its result that the model is given (4-agent.md, for shells). */
const RESULT_LIMIT = 30_000

/** The shell as a tool, for runs that must not change anything. */
export function writeProofShellTool(options: WriteProofShellOptions): Tool {
  let shell: Promise<WriteProofShell> | undefined
  return defineTool({
    name: 'shell',
    description:
      'Runs a command in a simulated bash that cannot change anything: files can be read and searched with ls, cat, grep, rg, find, sed, awk, jq, sort and the like. What a command writes is gone when it ends; there are no other programs and there is no network.',
    input: z.object({
      command: z.string().min(1),
      timeoutMs: z.int().positive().max(LONGEST_TIMEOUT_MS).optional(),
    }),
    readOnly: true,
    resultLimit: RESULT_LIMIT,
    async run({ command, timeoutMs }, { signal }) {
      shell ??= openWriteProofShell(options)
      const ran = await (await shell).exec(command, { signal, ...(timeoutMs !== undefined && { timeoutMs }) })
      return { text: resultText(ran) }
    },
  })
}

function resultText({ stdout, stderr, exitCode, cut }: WriteProofRun): string {
  const parts = [stdout, stderr && `[stderr]\n${stderr}`, exitCode !== 0 && `[exit code ${exitCode}]`]
  return [...parts, cut && '[stopped, or too long: not all of it is here]'].filter(Boolean).join('\n')
}
