import { writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config, Home, Project } from '../config/index.ts'
import {
  loadPrompt,
  metadataAttachment,
  recalledAttachment,
  recalledIn,
  systemPrompt,
} from '../context/index.ts'
import { Memory } from '../memory/index.ts'
import { chooseModel, chooseSmallModel, type OpenedModel, openModel } from '../models/index.ts'
import {
  History,
  type Message,
  newMessageId,
  type Resumed,
  Sessions,
  type ToolCallPart,
  type Transcript,
} from '../session/index.ts'
import { because, ensureDirectory, PRIVATE_FILE, ReverieError } from '../store/index.ts'
import { type Ask, memoryTools, type Rewound, type Tool } from '../tools/index.ts'
import type { Emit, End } from './events.ts'
import { Hands } from './hands.ts'
import { Hooks, projectHooks } from './hooks/index.ts'
import { answer, beginAnswer, type LoopParts, type LoopState, programMessage } from './loop.ts'
import { notification } from './notification.ts'
import { oversee } from './oversight.ts'
import {
  type AskPermission,
  configuredRules,
  Permissions,
  type Policy,
  realPath,
  rememberRule,
} from './permissions/index.ts'
import { type HelperParts, loadDefinitions, type MemoryScope, SubAgents } from './subagents/index.ts'
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
/** How often a hook may send an answer back for more. */
const MOST_SENT_BACK = 3

/** It answers one thing at a time; what is said meanwhile goes to `steer`. */
class AgentBusy extends ReverieError {}

/** What was found out before a conversation can begin. */
interface Found {
  model: OpenedModel
  sessions: Sessions
  transcript: Transcript
  resumed: Resumed | undefined
  system: readonly string[]
  continueText: string
  hooks: Hooks
  definitions: Awaited<ReturnType<typeof loadDefinitions>>
  /** To be told with the first answer. */
  notices: string[]
}

/** One conversation with one person: holds what is said, and answers. */
export class Agent implements AsyncDisposable {
  readonly transcript: Transcript
  /** What was found when the session was taken up. */
  readonly resumed: Resumed | undefined
  /** Who answers when the agent asks; nobody unless a surface sets it. */
  ask: Ask | undefined
  /** Who says whether something may be done; nobody unless a surface sets it. */
  askPermission: AskPermission | undefined
  /** Called when something came in while nobody was being answered: `attend` hears it. */
  onNotice: (() => void) | undefined
  readonly permissions: Permissions
  readonly helpers: SubAgents
  readonly hands: Hands
  #options: AgentOptions
  #found: Found
  #model: OpenedModel
  #messages: readonly Message[]
  #summary: string | undefined
  #tools: ReadonlyMap<string, Tool>
  /** What the model was sent last. */
  #sent: Pick<LoopState, 'messages' | 'summary' | 'model'>
  #inbox: Message[] = []
  #working: AbortController | undefined
  /** Settled when nothing is being written any more. */
  #work: Promise<unknown> = Promise.resolve()

  private constructor(options: AgentOptions, found: Found) {
    this.#options = options
    this.#found = found
    this.transcript = found.transcript
    this.resumed = found.resumed
    this.#model = found.model
    this.#messages = found.resumed?.messages ?? []
    this.#summary = found.resumed?.summary
    this.#sent = { messages: this.#messages, summary: this.#summary, model: found.model }
    this.permissions = this.#makePermissions()
    this.hands = this.#makeHands()
    this.helpers = this.#makeHelpers()
    this.#tools = byName([...this.hands.tools, ...this.helpers.tools()])
    this.hands.shells.onEnd(end => this.#notify(`command ${end.id}`, end))
    this.hands.shells.onQuestion(question => this.#notify(`command ${question.id}`, question))
  }

  static async open(options: AgentOptions): Promise<Agent> {
    const { home, project, config, env, now } = options
    const model = await openModel(chooseModel(config, env).id, config, env)
    const sessions = new Sessions(home, project, { ...(now && { now }) })
    const { hooks, notices } = await findHooks(options)
    const definitions = await loadDefinitions(home, project)
    const [system, continueText] = [await systemPrompt(options.memory), await loadPrompt('continue')]
    const { transcript, resumed } =
      options.session === undefined
        ? { transcript: sessions.create(), resumed: undefined }
        : await sessions.resume(options.session)
    const about = { session: transcript.id, project: project.root }
    const made = new Hooks(hooks, about, { directory: project.root, env })
    const told = [...notices, ...definitions.problems]
    const found = { model, sessions, system, continueText, transcript, resumed, definitions }
    return new Agent(options, { ...found, hooks: made, notices: told })
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
  send(text: string, emit: Emit): Promise<End> {
    return this.#atWork(async signal => {
      await this.#keep(this.#said(text))
      for (const notice of this.#found.notices.splice(0)) emit({ type: 'notice', text: notice })
      const blocked = await this.#askHooks(text, emit, signal)
      if (blocked !== undefined) return this.#ended({ reason: 'denied', message: blocked }, emit)
      await this.#recall(text, emit)
      return this.#answer('person-spoke', emit, signal)
    })
  }

  /** Answers what was left unanswered. */
  goOn(emit: Emit): Promise<End> {
    return this.#atWork(async signal => {
      // No provider goes on with a reply of its own: somebody has to ask for it.
      if (this.#messages.at(-1)?.role === 'assistant')
        await this.#keep(programMessage(await loadPrompt('resume'), this.#now()))
      return this.#answer('taken-up', emit, signal)
    })
  }

  /** Hears what came in while nobody was being answered; nothing when nothing did. */
  async attend(emit: Emit): Promise<End | undefined> {
    if (this.#inbox.length === 0 || this.isWorking) return undefined
    return this.#atWork(async signal => {
      await this.#keepUnheard()
      return this.#answer('notified', emit, signal)
    })
  }

  /** Says something to an agent that is working; it hears it before its next turn. */
  steer(text: string): void {
    this.#inbox.push(this.#said(text))
  }

  /** Stops the work at once. What was said and done so far is kept. */
  interrupt(): void {
    this.#working?.abort(new Error('interrupted'))
  }

  /** Puts files back to what they were when a message of the person came. */
  rewind(message: string): Promise<Rewound> {
    const at = this.#messages.findIndex(({ id }) => id === message)
    const later = at < 0 ? [] : this.#messages.slice(at + 1).map(({ id }) => id)
    return this.hands.snapshots.rewind(message, later)
  }

  async close(): Promise<void> {
    this.interrupt()
    await this.#work // what was said and done so far is still being written
    await this.helpers.close()
    await this.hands.close()
    await this.#keepUnheard()
    await this.transcript.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** From the first moment on: what comes in meanwhile must not begin a second answer beside this one. */
  #atWork(work: (signal: AbortSignal) => Promise<End>): Promise<End> {
    if (this.#working) return Promise.reject(new AgentBusy('This conversation is being answered already.'))
    this.#working = new AbortController()
    const done = work(this.#working.signal).finally(() => {
      this.#working = undefined
      if (this.#inbox.length > 0) this.onNotice?.()
    })
    this.#work = done.catch(() => {}) // whoever asked is told
    return done
  }

  async #answer(first: LoopState['transition'], emit: Emit, signal: AbortSignal): Promise<End> {
    let sentBack = 0
    for (let transition = first; ; transition = 'steered') {
      const start = beginAnswer(this.#model, this.#messages, this.#summary, transition)
      const { state, end } = await answer(start, this.#loopParts(emit, signal))
      this.#messages = state.messages
      this.#summary = state.summary
      // Said too late to be heard: it is kept however this ended, and answered if it can be.
      const unheard = await this.#keepUnheard()
      const more =
        end.reason === 'answered' && sentBack < MOST_SENT_BACK && (await this.#wantsMore(emit, signal))
      if (more) sentBack++
      if (end.reason === 'answered' && (unheard || more)) continue
      return this.#ended(end, emit)
    }
  }

  /** A failure never looks like a success, to nobody who reads the session later. */
  async #ended(end: End, emit: Emit): Promise<End> {
    const failed = end.reason === 'answered' ? null : (end.message ?? end.reason)
    if (failed !== (this.transcript.meta.failed ?? null)) await this.transcript.note({ failed })
    emit({ type: 'ended', end })
    return end
  }

  async #keepUnheard(): Promise<boolean> {
    const some = this.#inbox.length > 0
    while (this.#inbox.length > 0) await this.#keep(...this.#inbox.splice(0))
    return some
  }

  async #keep(...messages: readonly Message[]): Promise<void> {
    await this.transcript.append(...messages)
    this.#messages = [...this.#messages, ...messages]
  }

  /** Why a message is not to be answered, if a hook says so; what hooks want the model to know is kept. */
  async #askHooks(text: string, emit: Emit, signal: AbortSignal): Promise<string | undefined> {
    const { blocked, context, problems } = await this.#found.hooks.run('prompt', { text }, signal)
    for (const problem of problems) emit({ type: 'notice', text: `A hook failed: ${problem}` })
    if (context.length > 0) await this.#keep(this.#fromHooks(context))
    return blocked
  }

  /** Whether a hook sends the answer back; why, is said to the model. */
  async #wantsMore(emit: Emit, signal: AbortSignal): Promise<boolean> {
    const text = lastWords(this.#messages)
    const { blocked, problems } = await this.#found.hooks.run('reply', { text }, signal)
    for (const problem of problems) emit({ type: 'notice', text: `A hook failed: ${problem}` })
    if (blocked === undefined) return false
    await this.#keep(this.#fromHooks([blocked]), programMessage('Go on until this is settled.', this.#now()))
    return true
  }

  #fromHooks(texts: readonly string[]): Message {
    return {
      ...programMessage('', this.#now()),
      parts: texts.map(text => ({ type: 'attachment', kind: 'hook', origin: 'program', text })),
    }
  }

  #loopParts(emit: Emit, signal: AbortSignal, helper?: HelperParts): LoopParts {
    const { config, env, random = Math.random, idleMs = IDLE_MS } = this.#options
    const { fallbackModel } = config
    const transcript = helper?.transcript ?? this.transcript
    const tools = helper?.tools ?? this.#tools
    return {
      transcript,
      system: helper?.system ?? this.#found.system,
      tools,
      toolForms: [...tools.values()].map(toolForm),
      maxTurns: config.maxTurns,
      budgetUsd: config.budget.usd,
      spentUsd: () => this.transcript.meta.usage?.usd ?? 0,
      observe: state => {
        if (!helper) this.#sent = state
      },
      idleMs,
      fallback: fallbackModel === undefined ? undefined : () => openModel(fallbackModel, config, env),
      compact: state => this.#compact(state, transcript, emit, signal),
      inbox: helper?.inbox ?? (() => this.#inbox.splice(0)),
      continueText: this.#found.continueText,
      keepAll: (call, text) => this.#keepAll(call, text),
      ...oversee({
        hooks: this.#found.hooks,
        permissions: helper?.alone ? this.#makePermissions(true) : this.permissions,
        signal,
        notice: text => emit({ type: 'notice', text }),
      }),
      ask: helper ? undefined : this.ask,
      emit,
      signal,
      now: this.#now,
      sleep: this.#options.sleep ?? interruptibleSleep,
      random,
    }
  }

  async #compact(state: LoopState, transcript: Transcript, emit: Emit, signal: AbortSignal) {
    const { memory } = this.#options
    const { hooks } = this.#found
    const { blocked } = await hooks.run('compaction.before', {}, signal)
    if (blocked !== undefined) {
      emit({ type: 'notice', text: `A hook did not let the conversation be shortened: ${blocked}` })
      return undefined
    }
    const history = memory && new History(memory.place('project'), { now: this.#now })
    const model = () => this.#openModel('small')
    const compacted = await compactConversation(state, { model, history, transcript, signal, now: this.#now })
    // What was shown has left the conversation, so it is shown again when it is asked for.
    this.hands.seen.forgetShown()
    if (compacted) await hooks.run('compaction.after', { text: compacted.summary }, signal)
    return compacted
  }

  #openModel(id: string): Promise<OpenedModel> {
    const { config, env } = this.#options
    return openModel(id === 'small' ? chooseSmallModel(this.#model.id, config, env) : id, config, env)
  }

  get #now(): () => Date {
    return this.#options.now ?? (() => new Date())
  }

  #said(text: string): Message {
    const now = this.#now()
    return {
      id: newMessageId(),
      role: 'user',
      origin: 'person',
      at: now.toISOString(),
      parts: [{ type: 'text', text }, metadataAttachment(now, this.hands.workspace.directory)],
    }
  }

  /** Brings back what is remembered about what was just said. Nothing needs it, so a failure is only told. */
  async #recall(text: string, emit: Emit): Promise<void> {
    const { memory } = this.#options
    if (!memory) return
    try {
      const memories = await memory.recall(text, { shown: recalledIn(this.#messages) })
      if (memories.length === 0) return
      await this.#keep({
        id: newMessageId(),
        role: 'user',
        origin: 'memory',
        at: this.#now().toISOString(),
        parts: [recalledAttachment(memories)],
      })
      emit({ type: 'recalled', memories })
    } catch (error) {
      emit({ type: 'notice', text: `Nothing could be recalled: ${because(error)}` })
    }
  }

  #makePermissions(alone = false): Permissions {
    const { home, project, config } = this.#options
    const policy: Policy = {
      mode: config.permissions.mode,
      rules: configuredRules(home, project),
      root: realPath('/', project.root),
      home: homedir(),
      reverie: realPath('/', home.path),
      protected: [],
      roots: [realPath('/', this.#outputs)],
    }
    const ask = () => this.askPermission
    return new Permissions({
      policy: alone ? this.permissions.policy : policy,
      get ask() {
        return alone ? undefined : ask()
      },
      remember: rule => rememberRule(home, rule),
      today: () => this.#now().toISOString().slice(0, 'YYYY-MM-DD'.length),
    })
  }

  #makeHands(): Hands {
    const { home, project, config, env, memory, directory = project.root } = this.#options
    return new Hands({
      home,
      project,
      config,
      env,
      memory,
      directory,
      outputs: this.#outputs,
      session: () => this.transcript.id,
      origin: () => (this.#model.id === 'embedded' ? 'owner' : 'agent'),
      message: () => this.#messages.findLast(({ origin }) => origin === 'person')?.id ?? '',
      mayFollow: async url => {
        const fetching = this.hands.tools.find(({ name }) => name === 'web_fetch')
        return (
          fetching !== undefined && (await this.permissions.judge(fetching, { url })).decision === 'allow'
        )
      },
    })
  }

  #makeHelpers(): SubAgents {
    const { sessions, definitions } = this.#found
    return new SubAgents(
      {
        state: () => this.#sent,
        partsFor: helper => this.#loopParts(helper.emit, helper.signal, helper),
        openModel: id => this.#openModel(id),
        tools: () => this.#tools,
        memoryTools: (scope, agent) => this.#memoryToolsFor(scope, agent),
        transcript: async id => {
          const helpers = sessions.helpersOf(this.transcript.id)
          return id === undefined ? { transcript: helpers.create(), resumed: undefined } : helpers.resume(id)
        },
        charge: usage => this.transcript.charge(usage),
        notify: message => this.#receive(message),
        now: this.#now,
      },
      definitions.agents,
    )
  }

  async #memoryToolsFor(scope: MemoryScope, agent: string): Promise<Tool[]> {
    const { memory, home, project } = this.#options
    if (!memory) return []
    const from = { session: () => this.transcript.id, origin: () => 'agent' as const }
    if (scope !== 'local') return memoryTools(memory, { ...from, scope })
    const directory = join(home.projects, project.slug, 'agents', agent, 'memory')
    return memoryTools(await Memory.open({ home, project, directory }), { ...from, scope: 'project' })
  }

  #notify(name: string, news: object): void {
    this.#receive(notification(name, news, this.#now()))
  }

  #receive(message: Message): void {
    this.#inbox.push(message)
    if (!this.isWorking) this.onNotice?.()
  }

  get #outputs(): string {
    return this.transcript.path.replace(/\.jsonl$/, '.outputs')
  }

  async #keepAll({ call }: ToolCallPart, text: string): Promise<string> {
    await ensureDirectory(this.#outputs)
    const file = join(this.#outputs, `${call.replaceAll(/[^\w-]/g, '_')}.txt`)
    await writeFile(file, text, { mode: PRIVATE_FILE })
    return file
  }
}

/** The owner's hooks, and the project's where the owner trusts them. */
async function findHooks({ home, project, config }: AgentOptions) {
  const own = await projectHooks(home, project.root)
  if (!own || own.trusted) return { hooks: [...config.hooks, ...(own?.hooks ?? [])], notices: [] }
  const notice = `${own.file} wants to run commands around the agent's work and is not trusted, so it does not. Look at it, then: reverie hooks trust`
  return { hooks: config.hooks, notices: [notice] }
}

function byName(tools: readonly Tool[]): ReadonlyMap<string, Tool> {
  return new Map(tools.map(tool => [tool.name, tool]))
}

function lastWords(messages: readonly Message[]): string {
  const last = messages.findLast(({ role }) => role === 'assistant')
  return last?.parts.map(part => (part.type === 'text' ? part.text : '')).join('') ?? ''
}

async function interruptibleSleep(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {}) // whoever waits looks at the signal
}
