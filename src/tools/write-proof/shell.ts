/**
 * A shell that cannot write: simulated, over a copy-on-write view of some directories. There are no processes and
 * there is no network, and what a command writes is kept in memory until it has ended (3-dream.md). It runs in a thread
 * of its own: nothing that a command does keeps anything else waiting, or lasts longer than it may.
 */
import { realpathSync } from 'node:fs'
import { z } from 'zod'
import { isInside, ReverieError } from '../../store/index.ts'
import { defineTool, type Tool } from '../tool.ts'
import type { Ran } from './simulation.ts'
import { SimulationThread } from './thread.ts'

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
/** Nothing of the simulation is loaded before the first command. */
export async function openWriteProofShell({
  roots,
  env = {},
}: WriteProofShellOptions): Promise<WriteProofShell> {
  const places = outermost(roots.map(root => realpathSync(root)))
  if (places.length === 0) throw new NoRoots('A shell needs at least one directory to look at.')
  const thread = new SimulationThread({ roots: places, env })
  return {
    async exec(command, { signal, timeoutMs = TIMEOUT_MS } = {}) {
      const { ran, stopped } = await thread.run(command, Math.min(timeoutMs, LONGEST_TIMEOUT_MS), signal)
      return bounded(ran, stopped)
    },
  }
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
