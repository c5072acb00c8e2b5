import { loadPrompt, makeBootstrapFiles } from '../context/index.ts'
import type { OpenedModel } from '../models/index.ts'
import { type ImagePart, type Message, type Resumed, type Transcript, textOf } from '../session/index.ts'
import type { Skills } from '../skills/index.ts'
import { because, ReverieError } from '../store/index.ts'
import type { Ask, Rewound } from '../tools/index.ts'
import { BackgroundTasks, backgroundDirectory, type Priority } from '../work/index.ts'
import { Announcing } from './announcing.ts'
import { type AgentOptions, type Beginning, prepareBeginning } from './beginning.ts'
import type { ContextReport } from './context-report.ts'
import { helperHands, makeHands, makeHelpers } from './conversation/abilities.ts'
import { Answering } from './conversation/answering.ts'
import type { Conversation } from './conversation/conversation.ts'
import { Hearing } from './conversation/hearing.ts'
import { loopParts } from './conversation/loop-parts.ts'
import { Mind } from './conversation/mind.ts'
import { Talk } from './conversation/talk.ts'
import { Toolbox } from './conversation/toolbox.ts'
import { View } from './conversation/view.ts'
import type { AgentEvent, Emit, End } from './events.ts'
import type { Hands } from './hands.ts'
import { type LoopParts, programMessage } from './loop.ts'
import { type AskPermission, type Permissions, permissionsFor } from './permissions/index.ts'
import { selectFor } from './selecting.ts'
import type { HelperParts, SubAgents } from './subagents/index.ts'

export interface SendOptions {
  /** Who says it, when it is not the person. */
  origin?: 'person' | 'schedule'
  /** Shown with it. */
  images?: readonly ImagePart[]
}

/** It answers one thing at a time; what is said meanwhile goes to `steer`. */
class AgentBusy extends ReverieError {}
class AgentClosed extends ReverieError {}

/** One conversation with one person: hears what is said, and answers. */
export class Agent implements AsyncDisposable {
  /** Who answers when the agent asks; nobody unless a surface sets it. */
  ask: Ask | undefined
  /** Who says whether something may be done; nobody unless a surface sets it. */
  askPermission: AskPermission | undefined
  /** Called when something came in while nobody was being answered: `attend` hears it. */
  onNotice: (() => void) | undefined
  /** Called when an answer has ended, however it did: side jobs begin here. It is not waited for. */
  onAnswered: ((end: End) => void) | undefined
  /** Whether nothing is begun beside the conversation that costs tokens. */
  poor = false
  readonly helpers: SubAgents
  readonly hands: Hands
  #conversation: Conversation
  #view: View
  #answering: Answering
  #toolbox: Toolbox
  #listeners = new Set<Emit>()
  #working: AbortController | undefined
  #isClosing = false
  /** Settled when nothing is being written any more. */
  #work: Promise<unknown> = Promise.resolve()

  private constructor(options: AgentOptions, found: Beginning) {
    const { home, memory } = options
    this.#conversation = this.#begin(options, found)
    const { talk, mind, hearing, background, now } = this.#conversation
    this.hands = makeHands(this.#conversation)
    const notice = (text: string) => void found.notices.push(text)
    this.helpers = makeHelpers(this.#conversation, {
      state: () => this.#view.sent,
      partsFor: helper => this.#loopParts(helper.emit, helper.signal, helper),
      hands: (id, about) => helperHands(this.hands, this.#toolbox, id, about),
    })
    this.#toolbox = new Toolbox({
      own: [...this.hands.tools, ...this.helpers.tools(), ...(options.tools ?? [])],
      lend: options.lend,
      model: () => mind.model,
      notice,
      decided: told => {
        found.canLoadSkills = told.some(({ name }) => name === 'skill')
      },
    })
    const { prompt, hooks, skills } = found
    const { seen } = this.hands
    const { announcing, outputs } = this.#conversation
    const tell = (event: AgentEvent) => this.tell(event)
    const shown = { prompt, toolbox: this.#toolbox, seen, skills, announcing }
    this.#view = new View({ home, memory, talk, mind, ...shown, outputs, hooks, notice, tell, now })
    this.#answering = new Answering(this.#conversation, {
      view: this.#view,
      partsFor: (emit, signal) => this.#loopParts(emit, signal),
      select: (emit, signal) => (this.poor ? undefined : selectFor(this.#conversation, emit, signal)),
      answered: end => {
        if (end.reason === 'answered' && !this.poor) this.#view.considerNotes()
        this.onAnswered?.(end)
      },
    })
    // The person is told as well, and first: what the agent says of it would come out of nowhere.
    background.onEnd(({ kind, summary, status }) => {
      if (kind === 'dream') return // whoever dreamt tells what came of it
      this.tell({ type: 'aside', job: 'background', text: summary, isDone: status === 'completed' })
    })
    hearing.follow(background, helper => this.helpers.isAtWork(helper))
  }

  static async open(options: AgentOptions): Promise<Agent> {
    const found = await prepareBeginning(options)
    const agent = new Agent(options, found)
    const { talk, hearing, background } = agent.#conversation
    if (!found.resumed) await talk.keep(...(options.earlier ?? []))
    await hearing.hearOfLost(background).catch(error => {
      found.notices.push(`What had run in the background could not be looked at: ${because(error)}`)
    })
    return agent
  }

  get transcript(): Transcript {
    return this.#conversation.talk.transcript
  }

  /** What was found when the session was taken up. */
  get resumed(): Resumed | undefined {
    return this.#conversation.found.resumed
  }

  get permissions(): Permissions {
    return this.#conversation.permissions
  }

  get skills(): Skills {
    return this.#conversation.found.skills
  }

  /** Commands, helpers and dreams that run beside the conversation, and end with it. */
  get background(): BackgroundTasks {
    return this.#conversation.background
  }

  get model(): OpenedModel {
    return this.#conversation.mind.model
  }

  /** Talks to another model from the next message on; what it is told of is made for its window. */
  async useModel(id: string): Promise<void> {
    const { mind, found } = this.#conversation
    await mind.use(id)
    found.model = mind.model
  }

  get messages(): readonly Message[] {
    return this.#conversation.talk.messages
  }

  /** What the next request consists of, and what the last one was served from. */
  context(): Promise<ContextReport> {
    return this.#view.report()
  }

  /** Makes the conversation shorter now. False when there is nothing that a summary could stand for. */
  compact(focus?: string): Promise<boolean> {
    return this.#exclusively(signal => this.#view.compact(focus, signal))
  }

  /** Puts files back to what they were when a message of the person came. */
  rewind(message: string): Promise<Rewound> {
    return this.hands.snapshots.rewind(message, this.#conversation.talk.since(message))
  }

  get isWorking(): boolean {
    return this.#working !== undefined
  }

  /** Something that was said or returned has not been answered: the session ended in the middle of it. */
  get isUnanswered(): boolean {
    return this.#conversation.talk.isUnanswered
  }

  /** Answers a message. It is on the disk before anything else happens, and stays there whatever does. */
  send(text: string, emitTo: Emit, { origin = 'person', images = [] }: SendOptions = {}): Promise<End> {
    const emit = this.#toEverybody(emitTo)
    // From the first moment on: what comes in meanwhile must not begin a second answer beside this one.
    return this.#exclusively(async signal => {
      const { options, found, talk, hearing } = this.#conversation
      // With what came before it and what there is of news: all of it is one message to the model.
      hearing.say(text, 'next', origin, images)
      await talk.keep(...hearing.take())
      await makeBootstrapFiles(options.home)
      for (const notice of found.notices.splice(0)) emit({ type: 'notice', text: notice })
      return this.#answering.answerTo(text, emit, signal)
    })
  }

  /** Answers what was left unanswered. */
  goOn(emitTo: Emit): Promise<End> {
    const emit = this.#toEverybody(emitTo)
    return this.#exclusively(async signal => {
      const { talk, now } = this.#conversation
      // No provider goes on with a reply of its own: somebody has to ask for it.
      if (talk.messages.at(-1)?.role === 'assistant')
        await talk.keep(programMessage(await loadPrompt('resume'), now()))
      return this.#answering.answer('taken-up', emit, signal)
    })
  }

  /** Hears what came in while nobody was being answered; nothing when nothing did, or all of it was taken back. */
  async attend(emitTo: Emit): Promise<End | undefined> {
    const emit = this.#toEverybody(emitTo)
    if (this.isWorking || !this.#isWanted) return undefined
    return this.#exclusively(async signal => {
      const { talk, hearing } = this.#conversation
      const claim = hearing.claim()
      await this.#view.make().catch(error => {
        claim.release()
        throw error
      })
      const heard = claim.begin().map(({ content }) => content)
      if (heard.length === 0) return undefined
      await talk.keep(...heard)
      const said = heard.filter(({ origin }) => origin !== 'notification').map(textOf)
      if (said.length === 0) return this.#answering.answer('notified', emit, signal)
      return this.#answering.answerTo(said.join('\n\n'), emit, signal)
    })
  }

  /**
   * Says something to an agent that is working: it hears it before its next turn, or with `now` at once, and what it
   * was doing is interrupted. Returns the id by which `unsay` takes it back.
   */
  steer(text: string, priority: Exclude<Priority, 'later'> = 'next'): string {
    return this.#conversation.hearing.say(text, priority)
  }

  /** What was said and has not been heard yet, by the ids that `steer` gave. */
  get unheard(): readonly string[] {
    return this.#conversation.hearing.waiting.map(({ id }) => id)
  }

  /** Takes back what was said and has not been heard yet. False when it was heard. */
  unsay(id: string): boolean {
    return this.#conversation.hearing.attention.cancel(id)
  }

  /** The agent hears this with the next message; it is no reason to begin one. */
  inform(name: string, news: object): void {
    this.#conversation.hearing.inform(name, news)
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

  async close(): Promise<void> {
    this.#isClosing = true
    this.interrupt()
    await this.#work // what was said and done so far is still being written
    await this.#view.close()
    await this.helpers.close()
    await this.hands.close()
    await this.#answering.keepUnheard()
    await this.transcript.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #begin(options: AgentOptions, found: Beginning): Conversation {
    const { home, project, config, env, now = () => new Date() } = options
    const { transcript, resumed } = found
    const outputs = transcript.path.replace(/\.jsonl$/, '.outputs')
    const askPermission = () => this.askPermission
    return {
      options,
      found,
      outputs,
      talk: new Talk(transcript, resumed),
      mind: new Mind(found.model, config, env),
      hearing: new Hearing({
        address: transcript.id,
        directory: () => this.hands.workspace.directory,
        arrived: ({ priority, wakes }) => {
          if (this.isWorking && priority === 'now') this.interrupt()
          if (!this.isWorking && wakes && !this.#isClosing) this.onNotice?.()
        },
        now,
      }),
      announcing: new Announcing(found.skills),
      permissions: permissionsFor({
        ...{ home, project, config, env, outputs, now },
        rules: options.rules,
        hooks: found.hooks.files,
        ask: askPermission,
      }),
      background: new BackgroundTasks({
        directory: backgroundDirectory(home, project),
        session: transcript.id,
        now,
      }),
      ask: () => this.ask,
      now,
    }
  }

  #exclusively<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#isClosing)
      return Promise.reject(
        new AgentClosed('This conversation was closed. Its session can be taken up by another.'),
      )
    if (this.#working) return Promise.reject(new AgentBusy('This conversation is being answered already.'))
    this.#working = new AbortController()
    const done = work(this.#working.signal).finally(() => {
      this.#working = undefined
      if (this.#isWanted) this.onNotice?.()
    })
    this.#work = done.catch(() => {}) // whoever asked is told
    return done
  }

  #loopParts(emit: Emit, signal: AbortSignal, helper?: HelperParts): LoopParts {
    const doing = { view: this.#view, tools: this.#toolbox.all, emit, signal, ...(helper && { helper }) }
    return loopParts(this.#conversation, doing)
  }

  /** Something waits that begins a turn. What ends with the conversation is kept, and heard when it is taken up. */
  get #isWanted(): boolean {
    return !this.#isClosing && this.#conversation.hearing.isWanted
  }

  #toEverybody(emit: Emit): Emit {
    return event => {
      emit(event)
      this.tell(event)
    }
  }
}
