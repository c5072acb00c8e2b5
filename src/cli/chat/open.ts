import type { Agent, Aside, Mode } from '../../agent/index.ts'
import { type Conversation, openConversation } from '../../assembly/index.ts'
import type { Memory } from '../../memory/index.ts'
import type { Invocation } from '../invocation.ts'

/** A conversation, and the memory that it was opened with, for as long as a command runs. */
export class Opened implements AsyncDisposable {
  conversation: Conversation
  /** Undefined with `--no-memory`. */
  readonly memory: Memory | undefined
  /** Told what jobs beside the conversation have done, whichever one is open. */
  onAside: ((aside: Aside) => void) | undefined
  #open: (session?: string) => Promise<Conversation>
  /** Those that were left finish what goes on beside them. */
  #ending: Promise<void>[] = []

  constructor(
    conversation: Conversation,
    memory: Memory | undefined,
    open: (session?: string) => Promise<Conversation>,
  ) {
    this.conversation = this.#hearing(conversation)
    this.memory = memory
    this.#open = open
  }

  get agent(): Agent {
    return this.conversation.agent
  }

  /** Ends this conversation and takes up another one, or begins a new one. */
  async switchTo(session?: string): Promise<void> {
    const before = this.conversation
    const { ask, askPermission, onNotice, model } = before.agent
    if (session !== undefined) await Promise.all(this.#ending)
    const next = this.#hearing(await this.#open(session))
    this.#ending.push(before.close())
    this.conversation = next
    next.poor = before.poor
    Object.assign(next.agent, { ask, askPermission, onNotice })
    if (next.agent.model.id !== model.id) await next.agent.useModel(model.id)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#ending, this.conversation.close()])
    this.memory?.[Symbol.dispose]()
  }

  #hearing(conversation: Conversation): Conversation {
    conversation.agent.listen(event => {
      if (event.type === 'aside') this.onAside?.(event)
    })
    return conversation
  }
}

export interface OpenOptions {
  session?: string
  mode?: Mode | undefined
  /** The conversation ends with its answer. */
  brief?: boolean
}

export async function openAgent(
  invocation: Invocation,
  { session, mode, brief = false }: OpenOptions = {},
): Promise<Opened> {
  const { config: configured } = await invocation.config()
  const permissions = mode ? { ...configured.permissions, mode } : configured.permissions
  const config = { ...configured, permissions }
  const { home, project, env, flags } = invocation
  const memory = flags.memory ? await invocation.memory() : undefined
  const open = (session?: string) =>
    openConversation({
      home,
      project,
      config,
      env,
      brief,
      attended: !brief,
      ...(flags.project === undefined && { directory: process.cwd() }),
      ...(memory && { memory }),
      ...(session !== undefined && { session }),
    })
  try {
    return new Opened(await open(session), memory, open)
  } catch (error) {
    memory?.[Symbol.dispose]()
    throw error
  }
}
