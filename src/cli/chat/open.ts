import { Agent, type Mode } from '../../agent/index.ts'
import type { Memory } from '../../memory/index.ts'
import type { Invocation } from '../invocation.ts'

/** An agent, and the memory that it was opened with, for as long as a command runs. */
export class Opened implements AsyncDisposable {
  agent: Agent
  /** Undefined with `--no-memory`. */
  readonly memory: Memory | undefined
  #open: (session?: string) => Promise<Agent>

  constructor(agent: Agent, memory: Memory | undefined, open: (session?: string) => Promise<Agent>) {
    this.agent = agent
    this.memory = memory
    this.#open = open
  }

  /** Ends this conversation and takes up another one, or begins a new one. */
  async switchTo(session?: string): Promise<void> {
    const { ask, askPermission, onNotice, model } = this.agent
    const next = await this.#open(session)
    await this.agent.close()
    this.agent = next
    Object.assign(next, { ask, askPermission, onNotice })
    if (next.model.id !== model.id) await next.useModel(model.id)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.agent.close()
    this.memory?.[Symbol.dispose]()
  }
}

export async function openAgent(
  invocation: Invocation,
  { session, mode }: { session?: string; mode?: Mode | undefined } = {},
): Promise<Opened> {
  const { config: configured } = await invocation.config()
  const permissions = mode ? { ...configured.permissions, mode } : configured.permissions
  const config = { ...configured, permissions }
  const { home, project, env, flags } = invocation
  const memory = flags.memory ? await invocation.memory() : undefined
  const open = (session?: string) =>
    Agent.open({
      home,
      project,
      config,
      env,
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
