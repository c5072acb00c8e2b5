/** Conversations that a server holds open: several at a time, each heard by any number of listeners. */
import type { AgentEvent, End, PermissionAnswer, PermissionQuestion } from '../agent/index.ts'
import type { Message } from '../session/index.ts'
import { because, ReverieError } from '../store/index.ts'
import type { Question } from '../tools/index.ts'
import type { Conversation } from './conversation.ts'

/** Something that the agent waits for an answer to. */
export type OpenQuestion = { id: string } & (
  | ({ kind: 'permission' } & PermissionQuestion)
  | ({ kind: 'question' } & Question)
)

export type ConversationEvent =
  | AgentEvent
  /** The person said something: at once when it begins an answer, with `waits` while another one goes on. */
  | { type: 'said'; id: string; text: string; at: string; waits: boolean }
  /** An answer begins. */
  | { type: 'working' }
  /** Nothing is being answered any more. */
  | { type: 'idle' }
  | { type: 'asked'; question: OpenQuestion }
  | { type: 'settled'; question: string }
  /** Nobody holds it open any more; what was said is in the session. */
  | { type: 'closed' }

type Tell = (session: string, event: ConversationEvent) => void

export interface ConversationsOptions {
  /** Opens a session, or a new one. */
  open(session?: string): Promise<Conversation>
  /** After so long without a word, a conversation is closed, unless something of it still runs. */
  idleMs?: number
  /** As many are open at the same time; beyond it, those that rest are closed, the longest first. */
  most?: number
}

const IDLE_MS = 30 * 60_000
const LOOK_EVERY_MS = 60_000
const MOST_OPEN = 300

class NoSuchConversation extends ReverieError {}
class NoSuchQuestion extends ReverieError {}
class TooManyConversationsBusy extends ReverieError {}
class NoSuchWords extends ReverieError {}

/** By session. */
export class Conversations implements AsyncDisposable {
  #options: Required<ConversationsOptions>
  #open = new Map<string, Promise<HeldConversation>>()
  #here = new Map<string, HeldConversation>()
  #listeners = new Set<Tell>()
  #sweeper: NodeJS.Timeout
  #over = false

  constructor({ open, idleMs = IDLE_MS, most = MOST_OPEN }: ConversationsOptions) {
    this.#options = { open, idleMs, most }
    this.#sweeper = setInterval(() => void this.sweep(), Math.min(LOOK_EVERY_MS, idleMs))
    this.#sweeper.unref()
  }

  /** Opens a session, or a new one. Two who ask for the same get the same. */
  async open(session?: string): Promise<HeldConversation> {
    const known = session === undefined ? undefined : this.#open.get(session)
    if (known) return known
    await this.#makeRoom()
    const opening = this.#begin(session)
    if (session !== undefined) this.#open.set(session, opening)
    try {
      return await opening
    } catch (error) {
      if (session !== undefined) this.#open.delete(session)
      throw error
    }
  }

  /** One that is open. */
  get(session: string): HeldConversation {
    const found = this.#here.get(session)
    if (!found) throw new NoSuchConversation(`The conversation ${session} is not open.`)
    return found
  }

  list(): HeldConversation[] {
    return [...this.#here.values()]
  }

  /** Tells of everything in every conversation, until what it returns is called. */
  listen(tell: Tell): () => void {
    this.#listeners.add(tell)
    return () => this.#listeners.delete(tell)
  }

  async close(session: string): Promise<void> {
    const found = this.#here.get(session)
    this.#here.delete(session)
    this.#open.delete(session)
    await found?.[Symbol.asyncDispose]()
  }

  /** Closes what has been resting for too long. */
  async sweep(now = Date.now()): Promise<void> {
    const { idleMs } = this.#options
    const idle = this.list().filter(each => each.isResting && now - each.lastUsed >= idleMs)
    await Promise.all(idle.map(({ id }) => this.close(id)))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over = true
    clearInterval(this.#sweeper)
    await Promise.allSettled(this.#open.values())
    await Promise.all([...this.#here.keys()].map(id => this.close(id)))
    this.#listeners.clear()
  }

  async #begin(session: string | undefined): Promise<HeldConversation> {
    const opened = await this.#options.open(session)
    if (this.#over) {
      await opened.close()
      throw new NoSuchConversation('This program is ending.')
    }
    const conversation = new HeldConversation(opened, event => {
      for (const tell of this.#listeners) tell(conversation.id, event)
    })
    this.#here.set(conversation.id, conversation)
    this.#open.set(conversation.id, Promise.resolve(conversation))
    return conversation
  }

  async #makeRoom(): Promise<void> {
    if (this.#here.size < this.#options.most) return
    const [oldest] = this.list()
      .filter(({ isResting }) => isResting)
      .sort((a, b) => a.lastUsed - b.lastUsed)
    if (!oldest)
      throw new TooManyConversationsBusy(
        `${this.#here.size} conversations are being answered; wait until one of them is done.`,
      )
    await this.close(oldest.id)
  }
}

/** One of them: what is said to it, and what it waits for. */
export class HeldConversation implements AsyncDisposable {
  readonly conversation: Conversation
  lastUsed = Date.now()
  #tell: (event: ConversationEvent) => void
  #questions = new Map<string, { question: OpenQuestion; resolve(value: unknown): void }>()
  /** Said while the agent worked; the ids by which the queue knows them. */
  #unheard: string[] = []
  #count = 0
  #over = false

  constructor(conversation: Conversation, tell: (event: ConversationEvent) => void) {
    this.conversation = conversation
    const { agent } = conversation
    this.#tell = event => {
      this.lastUsed = Date.now()
      tell(event)
    }
    agent.listen(this.#tell)
    agent.ask = (question, signal) => this.#ask({ kind: 'question', ...question }, signal)
    agent.askPermission = (question, signal) => this.#ask({ kind: 'permission', ...question }, signal)
    agent.onNotice = () => void this.#work(() => agent.attend(ignore)).catch(this.#complain)
  }

  get agent(): Conversation['agent'] {
    return this.conversation.agent
  }

  get id(): string {
    return this.agent.transcript.id
  }

  get messages(): readonly Message[] {
    return this.agent.messages
  }

  /** What waits for an answer. */
  get questions(): readonly OpenQuestion[] {
    return [...this.#questions.values()].map(({ question }) => question)
  }

  get isWorking(): boolean {
    return this.agent.isWorking
  }

  /** Nothing would be lost by closing it now. */
  get isResting(): boolean {
    return !this.conversation.isBusy
  }

  /** Says something: it is answered now, or heard by the agent before its next turn. It is not waited for. */
  say(text: string, priority: 'now' | 'next' = 'next'): { waits: boolean } {
    const waits = this.isWorking
    const said = { id: `said-${++this.#count}`, text, at: new Date().toISOString() }
    this.#tell({ type: 'said', ...said, waits })
    if (waits) this.#unheard.push(this.agent.steer(text, priority))
    else void this.#work(() => this.agent.send(text, ignore)).catch(this.#complain)
    return { waits }
  }

  /** The same, waiting for how it ends. */
  answer(text: string): Promise<End | undefined> {
    this.#tell({
      type: 'said',
      id: `said-${++this.#count}`,
      text,
      at: new Date().toISOString(),
      waits: false,
    })
    return this.#work(() => this.agent.send(text, ignore))
  }

  /** Takes back the last thing that was said while the agent worked. */
  unsay(): void {
    const last = this.#unheard.pop()
    if (last === undefined || !this.agent.unsay(last))
      throw new NoSuchWords('There is nothing to take back: what was said has been heard.')
  }

  /** Answers what a session had left unanswered. */
  goOn(): void {
    void this.#work(() => this.agent.goOn(ignore)).catch(this.#complain)
  }

  interrupt(): void {
    this.agent.interrupt()
  }

  /** From whichever window; the first one counts. */
  settle(id: string, answer: PermissionAnswer | string): void {
    const open = this.#questions.get(id)
    if (!open) throw new NoSuchQuestion('This question was answered already, or is no longer asked.')
    if ((open.question.kind === 'question') !== (typeof answer === 'string'))
      throw new NoSuchQuestion('That is no answer to this question.')
    open.resolve(answer)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over = true
    await this.conversation.close()
    this.#tell({ type: 'closed' })
  }

  async #work<T>(work: () => Promise<T>): Promise<T> {
    // The agent is at work from this very call on, so that nobody else can begin meanwhile.
    const done = work()
    this.#tell({ type: 'working' })
    try {
      return await done
    } finally {
      this.#unheard = []
      if (!this.#over && !this.isWorking) this.#tell({ type: 'idle' })
    }
  }

  #complain = (error: unknown): void => {
    this.#tell({ type: 'ended', end: { reason: 'failed', message: because(error) } })
  }

  async #ask<T>(asked: Question & { kind: 'question' }, signal: AbortSignal): Promise<T>
  async #ask<T>(asked: PermissionQuestion & { kind: 'permission' }, signal: AbortSignal): Promise<T>
  async #ask(asked: Omit<OpenQuestion, 'id'>, signal: AbortSignal): Promise<unknown> {
    const question = { ...asked, id: `question-${++this.#count}` } as OpenQuestion
    try {
      return await new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
        this.#questions.set(question.id, { question, resolve })
        this.#tell({ type: 'asked', question })
      })
    } finally {
      this.#questions.delete(question.id)
      this.#tell({ type: 'settled', question: question.id })
    }
  }
}

/** Listeners hear of everything; nobody needs to be told twice. */
function ignore(): void {}
