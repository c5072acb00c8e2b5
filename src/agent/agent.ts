import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  estimateText,
  estimateTools,
  joinSections,
  loadCalibration,
  loadPrompt,
  type MadeSection,
  makeBootstrapFiles,
  metadataAttachment,
  saveCalibration,
} from '../context/index.ts'
import { Memory } from '../memory/index.ts'
import { chooseSmallModel, type OpenedModel, openModel } from '../models/index.ts'
import {
  History,
  type Message,
  newMessageId,
  type Resumed,
  type ToolCallPart,
  type Transcript,
} from '../session/index.ts'
import { ensureDirectory, PRIVATE_FILE, ReverieError } from '../store/index.ts'
import { type Ask, memoryTools, type Rewound, type Tool } from '../tools/index.ts'
import { type AgentOptions, type Beginning, prepareBeginning } from './beginning.ts'
import { type ContextReport, contextReport } from './context-report.ts'
import type { AgentEvent, Emit, End } from './events.ts'
import { Hands } from './hands.ts'
import { askAfterAnswer, askBeforeAnswer, tellOfTask } from './hooks/index.ts'
import { answer, beginAnswer, type LoopParts, type LoopState, programMessage } from './loop.ts'
import { NoteTaker } from './note-taker.ts'
import { notification } from './notification.ts'
import { oversee } from './oversight.ts'
import {
  type AskPermission,
  type Permissions,
  permissionsAlone,
  permissionsFor,
} from './permissions/index.ts'
import { recallFor } from './recalling.ts'
import { Room } from './room.ts'
import { type HelperParts, type MemoryScope, SubAgents } from './subagents/index.ts'
import { compactConversation, type Summariser } from './summarise.ts'
import { toolsWithin } from './tool-budget.ts'
import { toolForm } from './tool-form.ts'

/** Nothing from the model for this long, and the request is given up (4-agent.md). */
const IDLE_MS = 90_000
/** Characters of a result that are always shown, in the smallest window. */
const LEAST_RESULT = 1_000
/** For what nobody can interrupt. */
const neverAborted = new AbortController().signal
/** How often a hook may send an answer back for more. */
const MOST_SENT_BACK = 3

export interface SendOptions {
  /** Who says it, when it is not the person. */
  origin?: 'person' | 'schedule'
}

/** It answers one thing at a time; what is said meanwhile goes to `steer`. */
class AgentBusy extends ReverieError {}

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
  /** Called when an answer has ended, however it did: side jobs begin here. It is not waited for. */
  onAnswered: ((end: End) => void) | undefined
  readonly permissions: Permissions
  readonly helpers: SubAgents
  readonly hands: Hands
  #options: AgentOptions
  #found: Beginning
  #model: OpenedModel
  #messages: readonly Message[]
  #summary: string | undefined
  #tools: ReadonlyMap<string, Tool>
  #toolForms: LoopParts['toolForms']
  #toolsCounted: number | undefined
  #system: readonly string[] = []
  #sections: readonly MadeSection[] = []
  #room: Room
  #notes: NoteTaker
  /** What the model was sent last. */
  #sent: Pick<LoopState, 'messages' | 'summary' | 'model'>
  #inbox: Message[] = []
  #listeners = new Set<Emit>()
  #working: AbortController | undefined
  /** Settled when nothing is being written any more. */
  #work: Promise<unknown> = Promise.resolve()

  private constructor(options: AgentOptions, found: Beginning) {
    this.#options = options
    this.#found = found
    this.transcript = found.transcript
    this.resumed = found.resumed
    this.#model = found.model
    this.#messages = found.resumed?.messages ?? []
    this.#summary = found.resumed?.summary
    this.#sent = { messages: this.#messages, summary: this.#summary, model: found.model }
    const { home, project, config } = options
    const ask = () => this.askPermission
    const outputs = this.#outputs
    this.permissions = permissionsFor({ home, project, config, outputs, ask, now: this.#now })
    this.hands = this.#makeHands()
    this.helpers = this.#makeHelpers()
    const { kept, left } = toolsWithin(
      [...this.hands.tools, ...this.helpers.tools(), ...(options.tools ?? [])],
      found.model,
    )
    this.#tools = byName(kept)
    if (left.length > 0)
      found.notices.push(
        `The window of ${found.model.id} is small (${found.model.window} tokens): it is not told of these tools: ${left.join(', ')}.`,
      )
    this.#toolForms = [...this.#tools.values()].map(toolForm)
    this.#room = this.#makeRoom(this.transcript, event => this.tell(event), neverAborted)
    this.#notes = new NoteTaker({
      transcript: this.transcript,
      model: () => this.#openModel('small'),
      now: this.#now,
    })
    this.hands.shells.onEnd(end => this.#notify(`command ${end.id}`, end))
    this.hands.shells.onQuestion(question => this.#notify(`command ${question.id}`, question))
  }

  static async open(options: AgentOptions): Promise<Agent> {
    return new Agent(options, await prepareBeginning(options))
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

  /** What the next request consists of, and what the last one was served from. */
  async context(): Promise<ContextReport> {
    await this.#makeSystem()
    return contextReport({
      sections: this.#sections,
      toolForms: this.#toolForms,
      summary: this.#summary,
      messages: this.#messages,
      model: this.#model,
      room: this.#room,
    })
  }

  /** Makes the conversation shorter now. False when there is nothing that a summary could stand for. */
  async compact(focus?: string): Promise<boolean> {
    const { done } = await this.#exclusively(async signal => {
      await this.#makeSystem()
      const room = this.#makeRoom(this.transcript, event => this.tell(event), signal)
      const state = { messages: this.#messages, summary: this.#summary, model: this.#model }
      const compacted = await room.onDemand(state, focus)
      if (compacted) [this.#messages, this.#summary] = [compacted.messages, compacted.summary]
      return { done: compacted !== undefined }
    })
    return done
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
  send(text: string, emitTo: Emit, { origin = 'person' }: SendOptions = {}): Promise<End> {
    const emit = this.#toEverybody(emitTo)
    return this.#atWork(async signal => {
      await this.#keep(this.#said(text, origin))
      await makeBootstrapFiles(this.#options.home)
      for (const notice of this.#found.notices.splice(0)) emit({ type: 'notice', text: notice })
      const { hooks } = this.#found
      const { blocked, context } = await askBeforeAnswer(hooks, text, { emit, signal, now: this.#now() })
      await this.#keep(...context)
      if (blocked !== undefined) return this.#ended({ reason: 'denied', message: blocked }, emit)
      const { memory } = this.#options
      const about = { messages: this.#messages, now: this.#now(), emit }
      const recalled = memory && (await recallFor(text, { memory, ...about }))
      if (recalled) await this.#keep(recalled)
      return this.#answer('person-spoke', emit, signal)
    })
  }

  /** Answers what was left unanswered. */
  goOn(emitTo: Emit): Promise<End> {
    const emit = this.#toEverybody(emitTo)
    return this.#atWork(async signal => {
      // No provider goes on with a reply of its own: somebody has to ask for it.
      if (this.#messages.at(-1)?.role === 'assistant')
        await this.#keep(programMessage(await loadPrompt('resume'), this.#now()))
      return this.#answer('taken-up', emit, signal)
    })
  }

  /** Hears what came in while nobody was being answered; nothing when nothing did. */
  async attend(emitTo: Emit): Promise<End | undefined> {
    const emit = this.#toEverybody(emitTo)
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

  /** Tells of everything that happens here, also between answers, until what it returns is called. */
  listen(listener: Emit): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Something that did not come of an answer: what a side job has done. */
  tell(event: AgentEvent): void {
    for (const listener of this.#listeners) listener(event)
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
    await this.#notes.close()
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
    return this.#exclusively(work)
  }

  #exclusively<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
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
    await this.#makeSystem()
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
    await this.#afterAnswer(end)
    this.onAnswered?.(end)
    return end
  }

  async #keepUnheard(): Promise<boolean> {
    const some = this.#inbox.length > 0
    while (this.#inbox.length > 0) await this.#keep(...this.#inbox.splice(0))
    return some
  }

  async #keep(...messages: readonly Message[]): Promise<void> {
    if (messages.length === 0) return
    await this.transcript.append(...messages)
    this.#messages = [...this.#messages, ...messages]
  }

  /** Whether a hook sends the answer back; why, is said to the model. */
  async #wantsMore(emit: Emit, signal: AbortSignal): Promise<boolean> {
    const around = { emit, signal, now: this.#now() }
    const why = await askAfterAnswer(this.#found.hooks, lastWords(this.#messages), around)
    if (why) await this.#keep(why, programMessage('Go on until this is settled.', this.#now()))
    return why !== undefined
  }

  #loopParts(emit: Emit, signal: AbortSignal, helper?: HelperParts): LoopParts {
    const { home, config, env, random = Math.random, idleMs = IDLE_MS } = this.#options
    const { fallbackModel } = config
    const transcript = helper?.transcript ?? this.transcript
    const tools = helper?.tools ?? this.#tools
    const room = helper ? this.#makeRoom(transcript, emit, signal, helper) : this.#roomFor(emit, signal)
    return {
      transcript,
      system: helper?.system ?? this.#system,
      tools,
      toolForms: helper ? [...tools.values()].map(toolForm) : this.#toolForms,
      maxTurns: config.maxTurns,
      budgetUsd: config.budget.usd,
      spentUsd: () => this.transcript.meta.usage?.usd ?? 0,
      observe: state => {
        if (!helper) this.#sent = state
      },
      idleMs,
      fallback: fallbackModel === undefined ? undefined : () => openModel(fallbackModel, config, env),
      prepare: state => room.prepare(state),
      measured: usage => room.measured(usage),
      compact: state => room.afterTooLong(state),
      resultLimit: ({ resultLimit }) => Math.max(LEAST_RESULT, resultLimit * room.limits(this.#model).scale),
      inbox: helper?.inbox ?? (() => this.#inbox.splice(0)),
      continueText: this.#found.continueText,
      keepAll: (call, text) => this.#keepAll(call, text),
      ...oversee({
        hooks: this.#found.hooks,
        permissions: helper?.alone
          ? permissionsAlone(this.permissions, { home, now: this.#now })
          : this.permissions,
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

  /** The conversation's own, which remembers what models' tokens are and how often it failed. */
  #roomFor(emit: Emit, signal: AbortSignal): Room {
    const before = this.#room
    this.#room = this.#makeRoom(this.transcript, emit, signal)
    this.#room.takeOver(before)
    return this.#room
  }

  #makeRoom(transcript: Transcript, emit: Emit, signal: AbortSignal, helper?: HelperParts): Room {
    return new Room({
      fixedTokens: () =>
        estimateText((helper?.system ?? this.#system).join('\n')) +
        (helper?.tools ? estimateTools([...helper.tools.values()].map(toolForm)) : this.#toolTokens),
      files: () => (helper ? [] : this.hands.seen.paths()),
      summarise: (state, how) => this.#summarise(state, how, { transcript, emit, signal }),
      add: async parts => {
        const at = this.#now().toISOString()
        const message: Message = { id: newMessageId(), role: 'user', origin: 'program', at, parts }
        await transcript.append(message)
        return message
      },
      calibration: loadCalibration(this.#options.home),
      emit,
    })
  }

  async #summarise(
    state: Pick<LoopState, 'messages' | 'summary'>,
    how: Pick<Summariser, 'limits' | 'keep' | 'focus'>,
    { transcript, emit, signal }: { transcript: Transcript; emit: Emit; signal: AbortSignal },
  ) {
    const { memory } = this.#options
    const { hooks } = this.#found
    const { blocked } = await hooks.run('compaction.before', {}, signal)
    if (blocked !== undefined) {
      emit({ type: 'notice', text: `A hook did not let the conversation be shortened: ${blocked}` })
      return undefined
    }
    const compacted = await compactConversation(state, {
      ...how,
      model: () => this.#openModel('small'),
      history: memory && new History(memory.place('project'), { now: this.#now }),
      notes: transcript === this.transcript ? await this.#notes.read() : undefined,
      transcript,
      signal,
      now: this.#now,
    })
    // What was shown has left the conversation, so it is shown again when it is asked for.
    this.hands.seen.forgetShown()
    if (compacted) await hooks.run('compaction.after', { text: compacted.summary }, signal)
    return compacted
  }

  async #makeSystem(): Promise<void> {
    this.#sections = await this.#found.prompt.make()
    this.#system = joinSections(this.#sections)
  }

  get #toolTokens(): number {
    this.#toolsCounted ??= estimateTools(this.#toolForms)
    return this.#toolsCounted
  }

  /** What can be done once an answer is out; nothing of it may spoil the answer. */
  async #afterAnswer(end: End): Promise<void> {
    await saveCalibration(this.#options.home, this.#room.calibration).catch(() => {})
    if (end.reason === 'answered') this.#notes.consider(this.#messages, this.#room.limits(this.#model))
  }

  #openModel(id: string): Promise<OpenedModel> {
    const { config, env } = this.#options
    return openModel(id === 'small' ? chooseSmallModel(this.#model.id, config, env) : id, config, env)
  }

  get #now(): () => Date {
    return this.#options.now ?? (() => new Date())
  }

  #toEverybody(emit: Emit): Emit {
    return event => {
      emit(event)
      this.tell(event)
    }
  }

  #said(text: string, origin: SendOptions['origin'] = 'person'): Message {
    const now = this.#now()
    return {
      id: newMessageId(),
      role: 'user',
      origin,
      at: now.toISOString(),
      parts: [{ type: 'text', text }, metadataAttachment(now, this.hands.workspace.directory)],
    }
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
      onTask: event => tellOfTask(this.#found.hooks, event),
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
