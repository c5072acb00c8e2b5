import { type ChildProcess, spawn } from 'node:child_process'
import { type FileHandle, open, rm, unlink } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { because, PRIVATE_FILE, ReverieError, systemCode } from '../../store/index.ts'
import { type Ending, endProcesses, findProcesses, goneWithin, killProcesses } from './end-processes.ts'
import { KeptOutput } from './kept-output.ts'
import type { ShellLimits } from './limits.ts'
import { type OutputPipe, openOutputPipe } from './output-pipe.ts'
import { type Prompt, promptIn } from './prompt-noticed.ts'
import { directoryTold, type Invocation } from './shell-script.ts'
import { readable } from './shown-output.ts'

class CommandNotStarted extends ReverieError {}

/** Why a command was ended by us. */
export type EndReason = 'timeout' | 'interrupted' | 'stopped' | 'closed' | 'too much output' | 'asks'

/** How the shell ended. */
export interface Finish {
  exitCode: number | null
  signal: NodeJS.Signals | null
  /** Undefined when it ended by itself. */
  reason: EndReason | undefined
}

/** What it took until nothing of it was left. */
export interface Cleaning {
  /** Processes that the command left running, which were ended. */
  leftBehind: number
  killed: boolean
  survivors: readonly number[]
}

export interface CommandStart {
  invocation: Invocation
  directory: string
  environment: NodeJS.ProcessEnv
  /** By which its processes are known; it is in their environment. */
  mark: string
  outputFile: string
  /** Undefined: as long as it takes. */
  timeoutMs: number | undefined
  limits: ShellLimits
}

/** Linux takes 128 kB as one argument. */
const TOO_LONG = 'it is too long. Write it into a file, and run that'

/** What of the output is looked at for a question. */
const PROMPT_BYTES = 1_000

/** One command, from its start until nothing of it is left. */
export class RunningCommand {
  readonly output: KeptOutput
  /** The shell has ended, and what it printed is in the file. */
  readonly finished: Promise<Finish>
  /** Nothing of it runs any more. */
  readonly gone: Promise<Cleaning>
  /** Where the shell was when it ended; undefined until then, and when it did not tell. */
  directory: string | undefined
  /** The question that it waits for an answer to. */
  prompt: Prompt | undefined
  /** Called whenever it begins to wait for an answer; with undefined when it goes on. */
  onPrompt: ((prompt: Prompt | undefined) => void) | undefined
  /** Called with every piece of output. */
  onOutput: (() => void) | undefined

  #limits: ShellLimits
  #child: ChildProcess
  #processes: { leader: number; mark: string }
  #pipe: OutputPipe
  #directoryFile: FileHandle
  #reason: EndReason | undefined
  #ending: Promise<Ending> | undefined
  #timeout: NodeJS.Timeout | undefined
  #quiet: NodeJS.Timeout | undefined

  static async start(options: CommandStart): Promise<RunningCommand> {
    const opened: Array<{ close(): Promise<void> }> = []
    let pipe: OutputPipe | undefined
    try {
      const output = await KeptOutput.open(options.outputFile, options.limits.fileBytes)
      opened.push(output)
      const directoryFile = await openUnnamed(`${options.outputFile}.directory`)
      opened.push(directoryFile)
      pipe = await openOutputPipe()
      const child = await spawned(options, pipe.writer, directoryFile.fd)
      return new RunningCommand(options, child, pipe, output, directoryFile)
    } catch (error) {
      pipe?.reader.destroy()
      for (const each of opened) await each.close()
      if (opened.length > 0) await rm(options.outputFile, { force: true })
      const why = systemCode(error) === 'E2BIG' ? TOO_LONG : because(error)
      throw new CommandNotStarted(`The command could not be started: ${why}.`, { cause: error })
    } finally {
      pipe?.closeWriter()
    }
  }

  private constructor(
    { mark, timeoutMs, limits }: CommandStart,
    child: ChildProcess,
    pipe: OutputPipe,
    output: KeptOutput,
    directoryFile: FileHandle,
  ) {
    this.output = output
    this.#limits = limits
    this.#child = child
    this.#processes = { leader: child.pid as number, mark }
    this.#pipe = pipe
    this.#directoryFile = directoryFile
    if (timeoutMs !== undefined) this.#timeout = setTimeout(() => void this.end('timeout'), timeoutMs)
    const drained = this.#keepOutput()
    const exited = new Promise<void>(resolve => child.once('exit', () => resolve()))
    this.finished = exited.then(() => this.#finish(drained))
    this.gone = this.finished.then(() => this.#clean(drained))
  }

  /** Ends it with all that it started. The first reason stays. */
  end(reason: EndReason): Promise<Cleaning> {
    if (this.#running) {
      this.#reason ??= reason
      this.#ending ??= endProcesses(this.#processes, this.#limits.graceMs, 'all')
    }
    // Whoever waits for the end must get to see it.
    this.#child.ref()
    this.#pipe.reader.ref()
    return this.gone
  }

  get isEnding(): boolean {
    return this.#ending !== undefined
  }

  get #running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** For the last moment of this process. */
  killNow(): void {
    killProcesses(this.#processes)
  }

  /** It may go on, but nobody waits for it: this process may end. */
  unref(): void {
    this.#child.unref()
    this.#pipe.reader.unref()
    this.#timeout?.unref()
  }

  /** Takes the limit of time away. */
  withoutTimeout(): void {
    clearTimeout(this.#timeout)
  }

  async #keepOutput(): Promise<void> {
    try {
      for await (const chunk of this.#pipe.reader) await this.#keep(chunk as Buffer)
    } catch (error) {
      // Destroyed by us, because a daemon still holds the other end; nothing else can break a pipe.
      if (!this.#pipe.reader.destroyed) throw error
    }
  }

  async #keep(chunk: Buffer): Promise<void> {
    const fits = await this.output.add(chunk)
    this.#watchForPrompt()
    this.onOutput?.()
    // What it prints while it is being ended is still read, so that it does not hang in printing, and dropped.
    if (!fits) void this.end('too much output')
  }

  /** Whenever something is printed, what came before was no question, or was answered. */
  #watchForPrompt(): void {
    if (!this.#running || this.isEnding) return
    if (this.prompt) this.onPrompt?.(undefined)
    this.prompt = undefined
    if (this.#quiet) this.#quiet.refresh()
    else this.#quiet = setTimeout(() => this.#lookForPrompt(), this.#limits.quietMs).unref()
  }

  #lookForPrompt(): void {
    if (!this.#running) return
    this.prompt = promptIn(readable(this.output.window.end(PROMPT_BYTES)))
    if (this.prompt) this.onPrompt?.(this.prompt)
  }

  async #finish(drained: Promise<void>): Promise<Finish> {
    clearTimeout(this.#timeout)
    clearTimeout(this.#quiet)
    await this.#ending
    await within(drained, this.#limits.lingerMs)
    this.directory = await this.#readDirectory()
    return { exitCode: this.#child.exitCode, signal: this.#child.signalCode, reason: this.#reason }
  }

  async #readDirectory(): Promise<string | undefined> {
    await using file = this.#directoryFile
    const { size } = await file.stat()
    const end = Buffer.alloc(Math.min(size, DIRECTORY_BYTES))
    await file.read(end, 0, end.length, size - end.length)
    return directoryTold(end.toString('utf8'))
  }

  /** What the shell left running is ended too. A daemon that made a session of its own meant to stay, and stays. */
  async #clean(drained: Promise<void>): Promise<Cleaning> {
    const ending = this.#ending ? await this.#ending : await this.#endLeftBehind(drained)
    this.#pipe.reader.destroy()
    await drained
    await this.output.close()
    const { killed = false, survivors = [] } = ending ?? {}
    return { leftBehind: this.#ending ? 0 : (ending?.asked ?? 0), killed, survivors }
  }

  async #endLeftBehind(drained: Promise<void>): Promise<Ending | undefined> {
    const left = findProcesses(this.#processes, 'session')
    if (left.length === 0 || (await goneWithin(left, LEAVING_MS))) return undefined
    const ending = await endProcesses(this.#processes, this.#limits.graceMs, 'session')
    await within(drained, this.#limits.lingerMs)
    return ending
  }
}

/** For what is ending anyway when the shell has, such as the rest of a sandbox. */
const LEAVING_MS = 200

/** Twice the longest path, as it may be told twice. */
const DIRECTORY_BYTES = 16_384

/** A file that only its descriptors lead to. */
async function openUnnamed(path: string): Promise<FileHandle> {
  const file = await open(path, 'wx+', PRIVATE_FILE)
  await unlink(path)
  return file
}

/** In a session of its own, without a terminal, and with nothing to read. */
function spawned(options: CommandStart, output: number, directory: number): Promise<ChildProcess> {
  const { invocation, directory: cwd, environment: env } = options
  return new Promise((resolve, reject) => {
    const stdio = ['ignore' as const, output, output, directory]
    const child = spawn(invocation.program, invocation.args, { cwd, env, stdio, detached: true })
    child.once('spawn', () => resolve(child))
    child.once('error', reject)
  })
}

async function within(work: Promise<void>, timeMs: number): Promise<void> {
  const enough = new AbortController()
  const late = wait(timeMs, undefined, { signal: enough.signal }).catch(() => {})
  await Promise.race([work, late])
  enough.abort()
}
