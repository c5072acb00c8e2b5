import {
  type Completion,
  completeSlashCommand,
  type Done,
  runSlashCommand,
  type SlashContext,
} from '../slash/index.ts'

/** What a conversation is opened with; `agent` is whichever is talked to now. */
export type ChatContext = Omit<SlashContext, keyof Shown>

/** What the terminal knows of itself. */
type Shown = Pick<SlashContext, 'columns' | 'colours' | 'tell' | 'progress' | 'signal'>

export interface CommandsOptions {
  context: ChatContext
  width(): number
  /** Says something beside the answer. */
  note(text: string): void
  changed(): void
}

/** The commands of the conversation, as they are run in a terminal: with progress, and until somebody interrupts. */
export class Commands {
  #options: CommandsOptions
  #running: { abort: AbortController; doing: string } | undefined

  constructor(options: CommandsOptions) {
    this.#options = options
  }

  /** What the command that is waited for does just now. */
  get doing(): string | undefined {
    return this.#running?.doing
  }

  interrupt(): void {
    this.#running?.abort.abort(new Error('interrupted'))
  }

  complete(line: string): readonly Completion[] | Promise<readonly Completion[]> {
    return completeSlashCommand(line, this.#context())
  }

  /** Waited for, and undefined when it was interrupted. */
  async run(text: string): Promise<Done | undefined> {
    const { note, changed } = this.#options
    const abort = new AbortController()
    this.#running = { abort, doing: text.trim() }
    changed()
    try {
      return await runSlashCommand(text, this.#context(abort.signal))
    } catch (error) {
      if (!abort.signal.aborted) throw error
      note('(interrupted)')
      return undefined
    } finally {
      this.#running = undefined
    }
  }

  /** Beside what is going on. */
  runMeanwhile(text: string): Promise<Done> {
    return runSlashCommand(text, this.#context())
  }

  #context(signal?: AbortSignal): SlashContext {
    const { context, width, note, changed } = this.#options
    const shown: Shown = {
      columns: width(),
      colours: true,
      tell: note,
      progress: text => {
        if (this.#running) this.#running.doing = text
        changed()
      },
      ...(signal && { signal }),
    }
    return Object.create(context, Object.getOwnPropertyDescriptors(shown)) as SlashContext
  }
}
