/** The agent, for programs that embed it. */
import type { AgentEvent, AskPermission, ContextReport } from '../agent/index.ts'
import type { Conversation } from '../assembly/index.ts'
import { findHome, findProject, loadConfig, type Settings, withSettings } from '../config/index.ts'
import { Memory } from '../memory/index.ts'
import { type ImagePart, imageTrouble, type Message } from '../session/index.ts'
import { ReverieError } from '../store/index.ts'
import type { Ask, Tool } from '../tools/index.ts'
import { Answer, type Answered, NotAnswered } from './answer.ts'

export interface CreateAgentOptions {
  /** Where Reverie keeps everything; `$REVERIE_HOME`, else `~/.reverie`. */
  home?: string
  /** A directory of the project; the current one unless told. */
  project?: string
  /** `PROVIDER/MODEL`, or `embedded`; what the settings say unless told. */
  model?: string
  /** Instead of what the owner's `config.json` says, setting by setting of the first level: `providers`, `mcp`, `maxTurns`… */
  settings?: Settings
  /** What it remembers: a memory that is open already, or none with `false`; its project's unless told. */
  memory?: Memory | false
  /** Besides Reverie's own. */
  tools?: readonly Tool[]
  /** What this agent is for: a section of the system prompt, the same for the whole conversation. */
  instructions?: string
  /** The id of a session to take up; a new one unless told. */
  session?: string
  /** Decides what needs a yes; without it, that is denied. */
  onPermission?: AskPermission
  /** Answers when the agent asks something; without it, it is told that nobody is there. */
  onQuestion?: Ask
  /** Where keys and variables are found; `process.env` unless told. */
  env?: NodeJS.ProcessEnv
  /** The clock. */
  now?: () => Date
}

export interface SendOptions {
  images?: readonly ImagePart[]
  /** Aborted, it interrupts the answer. */
  signal?: AbortSignal
}

/**
 * An agent with memory, tools and a session on the disk.
 *
 * ```ts
 * await using agent = await createAgent({ project: '.' })
 * const { text } = await agent.ask('What did we decide about the parser?')
 * for await (const event of agent.send('And why?')) if (event.type === 'text') process.stdout.write(event.delta)
 * ```
 */
export async function createAgent(options: CreateAgentOptions = {}): Promise<EmbeddedAgent> {
  const { env = process.env, tools, instructions, session, now } = options
  const home = findHome(options.home, env)
  const project = findProject(options.project ?? process.cwd())
  const { config: loaded } = await loadConfig({ home, project, env, flags: { model: options.model } })
  const { settings, model } = options
  const config = {
    ...(settings ? await withSettings(loaded, settings, home) : loaded),
    ...(model !== undefined && { model }),
  }
  const own = options.memory === undefined
  const memory = own
    ? await Memory.open({ home, project, directory: config.memory.dir, ...(now && { now }) })
    : options.memory || undefined
  try {
    // What talks to models is only loaded for whoever talks.
    const { openConversation } = await import('../assembly/index.ts')
    const conversation = await openConversation({
      home,
      project,
      config,
      env,
      ...(settings?.permissions && { rules: config.permissions }),
      ...(memory && { memory }),
      ...(tools && { tools }),
      ...(instructions !== undefined && {
        sections: [
          {
            name: 'instructions',
            side: 'project',
            dependsOn: async () => '',
            make: async () => instructions,
          },
        ],
      }),
      ...(session !== undefined && { session }),
      ...(now && { now }),
    })
    conversation.agent.askPermission = options.onPermission
    conversation.agent.ask = options.onQuestion
    return new EmbeddedAgent(conversation, memory, own)
  } catch (error) {
    if (own) memory?.[Symbol.dispose]()
    throw error
  }
}

class UnusableImage extends ReverieError {}

/** One that no model takes would fail every later request of the session. */
function assertImage(image: ImagePart): void {
  const trouble = imageTrouble(image)
  if (trouble === 'size') throw new UnusableImage('The image is too large: models take up to 5 MB in base64.')
  if (trouble !== undefined)
    throw new UnusableImage(
      'An image is given as { type: "image", mediaType, data }: data in base64, mediaType image/png, image/jpeg, image/gif or image/webp.',
    )
}

/** One conversation. It answers one message at a time; `steer` reaches it while it works. */
export class EmbeddedAgent implements AsyncDisposable {
  /** Undefined where there is none. */
  readonly memory: Memory | undefined
  #conversation: Conversation
  #closesMemory: boolean

  /** Made by `createAgent`. */
  constructor(conversation: Conversation, memory: Memory | undefined, closesMemory: boolean) {
    this.#conversation = conversation
    this.memory = memory
    this.#closesMemory = closesMemory
  }

  /** By which it can be taken up again. */
  get session(): string {
    return this.#conversation.agent.transcript.id
  }

  get model(): string {
    return this.#conversation.agent.model.id
  }

  get messages(): readonly Message[] {
    return this.#conversation.agent.messages
  }

  get isWorking(): boolean {
    return this.#conversation.agent.isWorking
  }

  /** Answers a message; begins at once, whether or not anybody listens. */
  send(text: string, { images = [], signal }: SendOptions = {}): Answer {
    const { agent } = this.#conversation
    const interrupt = () => agent.interrupt()
    return new Answer(async emit => {
      for (const image of images) assertImage(image)
      const answering = agent.send(text, emit, { images })
      signal?.addEventListener('abort', interrupt, { once: true })
      if (signal?.aborted) interrupt()
      try {
        return await answering
      } finally {
        signal?.removeEventListener('abort', interrupt)
      }
    }, interrupt)
  }

  /** The same, waiting for the whole of it. Throws `NotAnswered` where it did not come to an answer. */
  async ask(text: string, options: SendOptions = {}): Promise<Answered> {
    const answered = await this.send(text, options).answered
    const { reason } = answered.end
    if (reason !== 'answered' && reason !== 'cut-short') throw new NotAnswered(answered)
    return answered
  }

  /** Says something while it works: it hears it before its next turn. */
  steer(text: string): void {
    this.#conversation.agent.steer(text)
  }

  interrupt(): void {
    this.#conversation.agent.interrupt()
  }

  /** Talks to another model from the next message on. */
  useModel(id: string): Promise<void> {
    return this.#conversation.agent.useModel(id)
  }

  /** Tells of everything that happens, also between answers, until what it returns is called. */
  on(listener: (event: AgentEvent) => void): () => void {
    return this.#conversation.agent.listen(listener)
  }

  /** What the next request consists of. */
  context(): Promise<ContextReport> {
    return this.#conversation.agent.context()
  }

  /** Makes the conversation shorter now. False when there is nothing that a summary could stand for. */
  compact(focus?: string): Promise<boolean> {
    return this.#conversation.agent.compact(focus)
  }

  /** Ends what runs, and writes everything down. */
  async close(): Promise<void> {
    await this.#conversation.close()
    if (this.#closesMemory) this.memory?.[Symbol.dispose]()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}
