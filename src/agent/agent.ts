import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import type { Config, Home, Project } from '../config/index.ts'
import {
  loadPrompt,
  metadataAttachment,
  recalledAttachment,
  recalledIn,
  systemPrompt,
} from '../context/index.ts'
import type { Memory } from '../memory/index.ts'
import { chooseModel, chooseSmallModel, type OpenedModel, openModel } from '../models/index.ts'
import {
  History,
  type Message,
  newMessageId,
  type Resumed,
  SessionIndex,
  Sessions,
  type ToolCallPart,
  type Transcript,
} from '../session/index.ts'
import { because, ensureDirectory, PRIVATE_FILE } from '../store/index.ts'
import { type Ask, askUserTool, memoryTools, sessionTools, type Tool, todoTool } from '../tools/index.ts'
import type { Emit, End } from './events.ts'
import { answer, beginAnswer, type LoopParts, type LoopState, programMessage } from './loop.ts'
import { compactConversation } from './summarise.ts'
import { toolForm } from './tool-form.ts'

export interface AgentOptions {
  home: Home
  project: Project
  config: Config
  env: NodeJS.ProcessEnv
  /** Left out where nothing is to be recalled and nothing kept. */
  memory?: Memory
  /** Where the person is, when it is not the project's root. */
  directory?: string
  /** The session to take up; a new one unless told. */
  session?: string
  now?: () => Date
  /** For tests: time that passes at once. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>
  random?: () => number
  idleMs?: number
}

/** Nothing from the model for this long, and the request is given up (4-agent.md). */
const IDLE_MS = 90_000

/** One conversation with one person: holds what is said, and answers. */
export class Agent implements AsyncDisposable {
  readonly transcript: Transcript
  /** What was found when the session was taken up. */
  readonly resumed: Resumed | undefined
  /** Who answers when the agent asks; nobody unless a surface sets it. */
  ask: Ask | undefined
  #options: AgentOptions
  #model: OpenedModel
  #messages: readonly Message[]
  #summary: string | undefined
  #system: readonly string[]
  #tools: ReadonlyMap<string, Tool>
  #toolForms: readonly LanguageModelV4FunctionTool[]
  #continueText: string
  #sessionIndex: SessionIndex | undefined
  #inbox: Message[] = []
  #working: AbortController | undefined

  private constructor(options: AgentOptions, made: Made) {
    this.#options = options
    this.transcript = made.transcript
    this.resumed = made.resumed
    this.#model = made.model
    this.#messages = made.resumed?.messages ?? []
    this.#summary = made.resumed?.summary
    this.#system = made.system
    this.#continueText = made.continueText
    const tools = this.#makeTools()
    this.#tools = new Map(tools.map(tool => [tool.name, tool]))
    this.#toolForms = tools.map(toolForm)
  }

  static async open(options: AgentOptions): Promise<Agent> {
    const { home, project, config, env, now } = options
    const model = await openModel(chooseModel(config, env).id, config, env)
    const sessions = new Sessions(home, project, { ...(now && { now }) })
    const [system, continueText] = [await systemPrompt(options.memory), await loadPrompt('continue')]
    if (options.session === undefined)
      return new Agent(options, {
        model,
        system,
        continueText,
        transcript: sessions.create(),
        resumed: undefined,
      })
    const { transcript, resumed } = await sessions.resume(options.session)
    return new Agent(options, { model, system, continueText, transcript, resumed })
  }

  get model(): OpenedModel {
    return this.#model
  }

  /** Talks to another model from the next message on. */
  async useModel(id: string): Promise<void> {
    this.#model = await openModel(id, this.#options.config, this.#options.env)
  }

  get messages(): readonly Message[] {
    return this.#messages
  }

  get isWorking(): boolean {
    return this.#working !== undefined
  }

  /** Something that was said or returned has not been answered: the session ended in the middle of it. */
  get isUnanswered(): boolean {
    const last = this.#messages.at(-1)
    return last !== undefined && (last.role !== 'assistant' || last.stop === 'interrupted')
  }

  /** Answers a message. It is on the disk before anything else happens, and stays there whatever does. */
  async send(text: string, emit: Emit): Promise<End> {
    const message = this.#said(text)
    await this.transcript.append(message)
    this.#messages = [...this.#messages, message]
    await this.#recall(text, emit)
    return this.#answer('person-spoke', emit)
  }

  /** Answers what was left unanswered. */
  async goOn(emit: Emit): Promise<End> {
    // No provider goes on with a reply of its own: somebody has to ask for it.
    if (this.#messages.at(-1)?.role === 'assistant') {
      const request = programMessage(await loadPrompt('resume'), this.#now())
      await this.transcript.append(request)
      this.#messages = [...this.#messages, request]
    }
    return this.#answer('taken-up', emit)
  }

  /** Says something to an agent that is working; it hears it before its next turn. */
  steer(text: string): void {
    this.#inbox.push(this.#said(text))
  }

  /** Stops the work at once. What was said and done so far is kept. */
  interrupt(): void {
    this.#working?.abort(new Error('interrupted'))
  }

  async close(): Promise<void> {
    this.interrupt()
    this.#sessionIndex?.[Symbol.dispose]()
    await this.transcript.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #answer(transition: LoopState['transition'], emit: Emit): Promise<End> {
    this.#working = new AbortController()
    try {
      const start = beginAnswer(this.#model, this.#messages, this.#summary, transition)
      const { state, end } = await answer(start, this.#loopParts(emit, this.#working.signal))
      this.#messages = state.messages
      this.#summary = state.summary
      // A failure never looks like a success, to nobody who reads the session later.
      const failed = end.reason === 'answered' ? null : (end.message ?? end.reason)
      if (failed !== (this.transcript.meta.failed ?? null)) await this.transcript.note({ failed })
      emit({ type: 'ended', end })
      return end
    } finally {
      this.#working = undefined
    }
  }

  #loopParts(emit: Emit, signal: AbortSignal): LoopParts {
    const { config, env, home, project, random = Math.random, idleMs = IDLE_MS } = this.#options
    const now = this.#now
    const { fallbackModel } = config
    const history = new History(join(home.projects, project.slug, 'memory'), { now })
    const smallModel = () => openModel(chooseSmallModel(this.#model.id, config, env), config, env)
    return {
      transcript: this.transcript,
      system: this.#system,
      tools: this.#tools,
      toolForms: this.#toolForms,
      maxTurns: config.maxTurns,
      budgetUsd: config.budget.usd,
      idleMs,
      fallback: fallbackModel === undefined ? undefined : () => openModel(fallbackModel, config, env),
      compact: state =>
        compactConversation(state, { model: smallModel, history, transcript: this.transcript, signal, now }),
      inbox: () => this.#inbox.splice(0),
      continueText: this.#continueText,
      keepAll: (call, text) => this.#keepAll(call, text),
      ask: this.ask,
      emit,
      signal,
      now,
      sleep: this.#options.sleep ?? interruptibleSleep,
      random,
    }
  }

  get #now(): () => Date {
    return this.#options.now ?? (() => new Date())
  }

  #said(text: string): Message {
    const now = this.#now()
    const directory = this.#options.directory ?? this.#options.project.root
    return {
      id: newMessageId(),
      role: 'user',
      origin: 'person',
      at: now.toISOString(),
      parts: [{ type: 'text', text }, metadataAttachment(now, directory)],
    }
  }

  /** Brings back what is remembered about what was just said. Nothing needs it, so a failure is only told. */
  async #recall(text: string, emit: Emit): Promise<void> {
    const { memory } = this.#options
    if (!memory) return
    try {
      const memories = await memory.recall(text, { shown: recalledIn(this.#messages) })
      if (memories.length === 0) return
      const message: Message = {
        id: newMessageId(),
        role: 'user',
        origin: 'memory',
        at: this.#now().toISOString(),
        parts: [recalledAttachment(memories)],
      }
      await this.transcript.append(message)
      this.#messages = [...this.#messages, message]
      emit({ type: 'recalled', memories })
    } catch (error) {
      emit({ type: 'notice', text: `Nothing could be recalled: ${because(error)}` })
    }
  }

  #makeTools(): Tool[] {
    const { memory, home } = this.#options
    const origin = () => (this.#model.id === 'embedded' ? 'owner' : 'agent')
    const index = () => {
      this.#sessionIndex ??= SessionIndex.open(home)
      return this.#sessionIndex
    }
    return [
      ...(memory ? memoryTools(memory, { session: () => this.transcript.id, origin }) : []),
      ...(memory ? sessionTools(index, () => this.transcript.id) : []),
      askUserTool(),
      todoTool(),
    ]
  }

  async #keepAll({ call }: ToolCallPart, text: string): Promise<string> {
    const directory = join(dirname(this.transcript.path), `${this.transcript.id}.outputs`)
    await ensureDirectory(directory)
    const file = join(directory, `${call.replaceAll(/[^\w-]/g, '_')}.txt`)
    await writeFile(file, text, { mode: PRIVATE_FILE })
    return file
  }
}

interface Made {
  model: OpenedModel
  system: readonly string[]
  continueText: string
  transcript: Transcript
  resumed: Resumed | undefined
}

async function interruptibleSleep(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {}) // whoever waits looks at the signal
}
