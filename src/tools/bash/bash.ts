import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { ensureDirectory } from '../../store/index.ts'
import { newTaskId } from '../../work/index.ts'
import { defineTool, type Tool, type ToolContext, type ToolOutput } from '../tool.ts'
import type { Workspace } from '../workspace.ts'
import { backgroundTools } from './background-tools.ts'
import { commandEnvironment } from './environment.ts'
import { waitInFront } from './in-front.ts'
import { MOST_TIMEOUT_MS, SHELL_LIMITS, SHOWN_CHARACTERS, type ShellLimits } from './limits.ts'
import { outcomeNotes, seconds } from './outcome.ts'
import { RunningCommand } from './running-command.ts'
import { Sandbox, type SandboxOptions } from './sandbox.ts'
import { findShell, shellInvocation } from './shell-script.ts'
import type { Shells } from './shells.ts'
import { shownOutput } from './shown-output.ts'
import { backIntoWorkspace, nextDirectory } from './working-directory.ts'

export interface BashOptions {
  workspace: Workspace
  /** Owns what runs; one may serve several agents. */
  shells: Shells
  /** The helper that these are for; the conversation's own agent unless told. */
  by?: string | undefined
  /** Off unless given. */
  sandbox?: SandboxOptions
  /** What commands inherit, except keys of model providers. */
  environment?: NodeJS.ProcessEnv
  limits?: Partial<ShellLimits>
}

/** `bash`, `bg_list`, `bg_read` and `bg_stop`. */
export function bashTools(options: BashOptions): Tool[] {
  return [bashTool(options), ...backgroundTools(options.shells.background)]
}

const inputSchema = z.object({
  command: z
    .string()
    .min(1)
    .refine(command => !command.includes('\0'), 'a command cannot hold NUL bytes'),
  timeoutMs: z
    .int()
    .min(1)
    .max(MOST_TIMEOUT_MS)
    .optional()
    .describe('ended after so long; 120000 unless given'),
  background: z
    .boolean()
    .optional()
    .describe('true: started there (without &), for servers and watchers; false: never moved there'),
  description: z.string().max(200).optional().describe('what it does, in a few words'),
})

type Input = z.output<typeof inputSchema>

function bashTool(options: BashOptions): Tool {
  const { workspace, environment = process.env } = options
  const setup: Setup = {
    ...options,
    environment,
    limits: { ...SHELL_LIMITS, ...options.limits },
    sandbox: new Sandbox(options.sandbox ?? { mode: 'off' }, environment.PATH, workspace.root),
  }
  return defineTool({
    name: 'bash',
    description:
      'Runs a command with bash in the working directory; a cd holds for the next call, within the project. ' +
      'Returns stdout and stderr as they came, and the exit code unless it is 0. There is no terminal and nothing to read from: ' +
      `pass flags that answer questions beforehand. After ${seconds(setup.limits.backgroundAfterMs)} it goes on in the background, ` +
      'and you are told when it ends. For reading, finding and changing files there are tools of their own.',
    input: inputSchema,
    resultLimit: SHOWN_CHARACTERS,
    touches: ({ command }) => [{ kind: 'command', command, directory: workspace.directory }],
    run: (input, context) => runBash(setup, input, context),
  })
}

interface Setup {
  workspace: Workspace
  shells: Shells
  by?: string | undefined
  sandbox: Sandbox
  environment: NodeJS.ProcessEnv
  limits: ShellLimits
}

async function runBash(setup: Setup, input: Input, context: ToolContext): Promise<ToolOutput> {
  const { workspace, shells, limits, by } = setup
  const moved = await backIntoWorkspace(workspace)
  const id = newTaskId('command')
  const task = { id, title: titleOf(input), ...(by !== undefined && { by }) }
  const command = await startCommand(setup, input, id)
  shells.own(command)
  if (input.background === true) {
    shells.adopt(command, task)
    return {
      text: withNotes('', [...moved, `Started in the background as ${id}. ${onTheBackground(command)}`]),
    }
  }
  const { progressEveryMs } = limits
  const { signal, progress } = context
  const moveAfterMs = movesAfter(input, limits)
  const how = await waitInFront(command, { signal, moveAfterMs, progressEveryMs, progress })
  if (how === 'to be moved') {
    if (input.timeoutMs === undefined) command.withoutTimeout()
    shells.adopt(command, task)
    const note = `Still running after ${seconds(limits.backgroundAfterMs)}, so it goes on in the background as ${id}. ${onTheBackground(command)}`
    return { text: resultText(command, [...moved, note]).text }
  }
  return resultOf(setup, input, command, moved)
}

/** A command whose time the caller limited to less is ended then, and not moved. */
export function movesAfter(
  { background, timeoutMs }: Omit<Input, 'command'>,
  limits: ShellLimits,
): number | undefined {
  const { backgroundAfterMs } = limits
  if (background === false || (timeoutMs !== undefined && timeoutMs <= backgroundAfterMs)) return undefined
  return backgroundAfterMs
}

async function startCommand(setup: Setup, input: Input, id: string): Promise<RunningCommand> {
  const { workspace, environment, limits, sandbox } = setup
  const { root, directory, outputs } = workspace
  await ensureDirectory(outputs)
  const shell = shellInvocation(findShell(environment.PATH, root), input.command)
  const command = await RunningCommand.start({
    invocation: sandbox.wrap(shell, { root, directory, outputs }),
    directory,
    environment: commandEnvironment(environment, id),
    mark: id,
    outputFile: join(outputs, `${id}.txt`),
    // Servers run for as long as they are needed.
    timeoutMs: input.timeoutMs ?? (input.background === true ? undefined : limits.timeoutMs),
    limits,
  })
  void command.gone.then(() => sandbox.tidy(root))
  return command
}

async function resultOf(
  { workspace, limits }: Setup,
  input: Input,
  command: RunningCommand,
  before: readonly string[],
): Promise<ToolOutput> {
  const finish = await command.finished
  const notes = outcomeNotes({
    finish,
    cleaning: await command.gone,
    limits,
    timeoutMs: input.timeoutMs ?? limits.timeoutMs,
    prompt: command.prompt,
    fileProblem: command.output.problem,
    silent: command.output.window.bytes === 0,
  })
  const next = nextDirectory(workspace, command.directory)
  workspace.directory = next.directory
  const { text, whole } = resultText(command, [...before, ...notes, ...next.notes])
  // Nobody needs a file of what was shown in full.
  if (whole) await rm(command.output.path, { force: true })
  return { text }
}

function resultText(command: RunningCommand, notes: readonly string[]): { text: string; whole: boolean } {
  const room = SHOWN_CHARACTERS - withNotes('\n', notes).length
  const { text, whole } = shownOutput(command.output.window, room, command.output.path)
  return { text: withNotes(text, notes), whole }
}

/** In brackets, to be told from what was printed. */
function withNotes(text: string, notes: readonly string[]): string {
  return [text, notes.map(note => `[${note}]`).join('\n')].filter(part => part !== '').join('\n\n')
}

const TITLE_CHARACTERS = 80

function titleOf({ description, command }: Input): string {
  const line = (description ?? command).trim().split('\n')[0] ?? ''
  return line.length > TITLE_CHARACTERS ? `${line.slice(0, TITLE_CHARACTERS - 1)}…` : line
}

function onTheBackground({ output }: RunningCommand): string {
  return `Its output goes to ${output.path}. You will be told when it ends: do not wait for it. bg_read shows what it printed, bg_stop ends it.`
}
