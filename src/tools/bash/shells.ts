import type { BackgroundTask, BackgroundTasks, FinalStatus, WorkEnd } from '../../work/index.ts'
import { taskSummary } from './outcome.ts'
import type { Finish, RunningCommand } from './running-command.ts'

/** These end a process unless it listens: a terminal that is closed, a supervisor, Ctrl-C. */
const DEADLY = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const

/** Marks listeners that leave it to others, if there are any, how the process ends. */
const ENDS_COMMANDS = Symbol('ends commands')

/** Owns the commands that run for a conversation: in front, or behind as tasks of its background. */
export class Shells implements AsyncDisposable {
  readonly background: BackgroundTasks
  #running = new Set<RunningCommand>()
  #atExit = () => {
    for (const command of this.#running) command.killNow()
  }
  /** A process that nobody ends in an orderly way ends at once, without saying so. */
  #atSignal = Object.assign(
    (signal: NodeJS.Signals) => {
      if (process.listeners(signal).some(listener => !(ENDS_COMMANDS in listener))) return
      this.#atExit()
      process.off(signal, this.#atSignal)
      if (process.listenerCount(signal) === 0) process.kill(process.pid, signal)
    },
    { [ENDS_COMMANDS]: true },
  )

  constructor(background: BackgroundTasks) {
    this.background = background
  }

  /** From now on the command does not outlive this process. */
  own(command: RunningCommand): void {
    if (this.#running.size === 0) this.#watch()
    this.#running.add(command)
    void command.gone.finally(() => {
      this.#running.delete(command)
      if (this.#running.size === 0) this.#watchNoMore()
    })
  }

  #watch(): void {
    process.on('exit', this.#atExit)
    for (const signal of DEADLY) process.on(signal, this.#atSignal)
  }

  #watchNoMore(): void {
    process.off('exit', this.#atExit)
    for (const signal of DEADLY) process.off(signal, this.#atSignal)
  }

  /** Lets a command that is owned run in the background. It does not keep this process alive. */
  adopt(command: RunningCommand, { id, title, by }: Pick<BackgroundTask, 'id' | 'title' | 'by'>): void {
    const { output } = command
    command.unref()
    command.onOutput = undefined
    this.background.start({
      kind: 'command',
      id,
      ...(by !== undefined && { by }),
      title,
      outputFile: output.path,
      stopped: () => endOf(title, command, { exitCode: null, signal: null, reason: 'stopped' }),
      async run(task) {
        command.onPrompt = prompt => task.waitsFor(prompt && { question: prompt.line, advice: prompt.advice })
        task.signal.addEventListener('abort', () => void command.end('stopped'), { once: true })
        const end = endOf(title, command, await command.finished)
        task.ended(end) // what it left running is still being ended
        await command.gone
        return end
      },
    })
  }

  /** Ends everything that runs, in front too. To be awaited before this process ends. */
  async close(): Promise<void> {
    await this.background.close()
    await Promise.all([...this.#running].map(command => command.end('closed')))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

function endOf(title: string, { output }: RunningCommand, finish: Finish): WorkEnd {
  const { exitCode } = finish
  return { status: statusOf(finish), summary: taskSummary(title, finish, output.window), exitCode }
}

function statusOf({ exitCode, reason }: Finish): FinalStatus {
  if (reason === 'stopped' || reason === 'closed' || reason === 'interrupted') return 'cancelled'
  return reason === undefined && exitCode === 0 ? 'completed' : 'failed'
}
