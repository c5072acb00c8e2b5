/** A conversation with a person at a terminal: what is typed becomes messages, events become lines. */
import type { Agent, AgentEvent, Mode } from '../../agent/index.ts'
import { textOf } from '../../session/index.ts'
import { ReverieError } from '../../store/index.ts'
import { isFinal } from '../../work/index.ts'
import { type Done, isSlashCommand, slashCommandOf } from '../slash/index.ts'
import { styledLines } from './ansi.ts'
import { type ChatContext, Commands } from './commands.ts'
import { chord } from './editor.ts'
import { Frames } from './frames.ts'
import type { Input, Key } from './keys.ts'
import { type LiveView, layOutLive } from './live.ts'
import { markdownLines } from './markdown.ts'
import { Prompt, type Wish } from './prompt.ts'
import { Questions } from './questions.ts'
import {
  after,
  type Kind,
  type Moment,
  type Next,
  personLines,
  QUIET,
  type Scene,
  say,
  withSlashCommands,
} from './scene.ts'
import type { Screen } from './screen.ts'
import { DIM, type Line, line, lines, span } from './style.ts'
import type { TypedHistory } from './typed-history.ts'
import { Unheard } from './unheard.ts'
import { wrap } from './wrap.ts'

export interface ChatOptions {
  context: ChatContext
  screen: Screen
  history: TypedHistory
  /** Leaves the terminal to the shell for a while. */
  suspend(): void
}

/** Of what was said before, when a session is taken up. */
const [MESSAGES_SHOWN, MESSAGE_LINES] = [4, 12]
const PLACEHOLDER = 'Say something, or / for commands'
const AGAIN = 'Ctrl-C again ends the conversation'
/** What Shift-Tab goes through. */
const MODES_IN_TURN: readonly Mode[] = ['ask', 'acceptEdits', 'plan']

export class Chat {
  #options: ChatOptions
  #scene: Scene = QUIET
  #prompt: Prompt
  #questions: Questions
  #commands: Commands
  #unheard = new Unheard()
  #hint: string | undefined
  #workingSince: number | undefined
  #turns: Promise<void> = Promise.resolve()
  /** What is to be drawn above what changes. */
  #said: Line[] = []
  /** Text of the reply that came since the last frame. */
  #heard = ''
  #frames = new Frames({ draw: () => this.#draw(), pace: () => this.#pace })
  #heardAgent: Agent | undefined
  #unlisten = () => {}
  #isOver = false
  #over = Promise.withResolvers<void>()

  constructor(options: ChatOptions) {
    this.#options = options
    this.#commands = new Commands({
      context: options.context,
      width: () => this.#width,
      note: text => this.#note(text),
      changed: () => this.#changed(),
    })
    this.#prompt = new Prompt({
      entries: () => options.history.entries,
      complete: line => this.#commands.complete(line),
      commandOf: slashCommandOf,
      width: () => this.#width - 2,
      changed: () => this.#changed(),
    })
    this.#questions = new Questions({
      width: () => this.#width,
      changed: () => this.#changed(),
      say: rows => this.#say('note', rows),
    })
  }

  /** Until the person ends it. */
  async run(welcome: readonly Line[]): Promise<void> {
    this.#say('note', welcome)
    this.#listen()
    this.#inTurn(() => this.#takeUp())
    await this.#over.promise
    await this.#turns
  }

  /** Ends the conversation; what goes on is interrupted. */
  end(): void {
    this.#isOver = true
    this.#frames.stop()
    this.#interrupt()
    this.#over.resolve()
  }

  /** Nothing changes any more: what was said last is drawn, and nothing below it. */
  close(): void {
    this.#unlisten()
    this.#frames.stop()
    this.#hear()
    this.#options.screen.draw(this.#said.splice(0), [])
  }

  resized(): void {
    this.#options.screen.resized()
    this.#frames.drawNow()
  }

  /** The screen was somebody else's meanwhile. */
  returned(): void {
    this.#frames.drawNow()
  }

  input(input: Input): void {
    if (this.#isOver) return
    const hint = this.#hint
    this.#hint = undefined
    if (input.kind === 'paste') this.#prompt.paste(input.text)
    else this.#key(input.key, hint)
    this.#frames.drawNow()
  }

  get #agent(): Agent {
    return this.#options.context.agent
  }

  get #width(): number {
    return Math.max(4, this.#options.screen.columns)
  }

  get #moment(): Moment {
    return { width: this.#width, now: Date.now() }
  }

  get #isBusy(): boolean {
    return this.#agent.isWorking || this.#commands.doing !== undefined
  }

  // What is heard of the agent

  #listen(): void {
    this.#unlisten()
    const agent = this.#agent
    this.#heardAgent = agent
    agent.ask = this.#questions.ask
    agent.askPermission = this.#questions.askPermission
    agent.onNotice = () => this.#inTurn(() => this.#attempt(() => agent.attend(() => {})))
    const stops = [agent.listen(this.#on), agent.background.onChange(() => this.#changed())]
    this.#unlisten = () => {
      for (const stop of stops) stop()
    }
  }

  #on = (event: AgentEvent): void => {
    // Text is taken a frame at a time: a fast model says more pieces than anybody can see.
    if (event.type === 'text') this.#heard += event.delta
    else {
      this.#hear()
      this.#noticeHeard()
      this.#become(after(this.#scene, event, this.#moment))
    }
    this.#changed()
  }

  #hear(): void {
    if (this.#heard === '') return
    const delta = this.#heard
    this.#heard = ''
    this.#become(after(this.#scene, { type: 'text', delta }, this.#moment))
  }

  /** What waited and was heard by now is a part of the conversation. */
  #noticeHeard(): void {
    for (const text of this.#unheard.takeHeard(this.#agent))
      this.#say('person', personLines(text, this.#width))
  }

  #become({ scene, said }: Next): void {
    this.#scene = scene
    this.#said.push(...said)
  }

  #say(kind: Kind, rows: readonly Line[]): void {
    this.#hear()
    this.#become(say(this.#scene, kind, rows))
    this.#changed()
  }

  #note(text: string): void {
    this.#say(
      'note',
      lines(text, DIM).flatMap(row => wrap(row, this.#width)),
    )
  }

  // What is drawn

  #changed(): void {
    this.#frames.request()
  }

  #draw(): void {
    this.#hear()
    this.#noticeHeard()
    if (!this.#isBusy) this.#workingSince = undefined
    else this.#workingSince ??= Date.now()
    const { screen } = this.#options
    const { rows, cursor } = layOutLive(this.#view(), this.#width, screen.rows, Date.now())
    screen.draw(this.#said.splice(0), rows, cursor)
  }

  get #pace() {
    if (this.#isBusy) return 'fast'
    return this.#agent.background.list().some(({ status }) => !isFinal(status)) ? 'slow' : undefined
  }

  #view(): LiveView {
    const { model, permissions, poor, background } = this.#agent
    const { editor, menu, search } = this.#prompt
    const question = this.#questions.open
    return {
      scene: this.#scene,
      editor,
      placeholder: question || search ? '' : PLACEHOLDER,
      workingSince: this.#workingSince,
      doing: this.#commands.doing,
      queue: this.#unheard.texts,
      background: background.list(),
      question,
      menu: question ? undefined : menu,
      hint: search ? searchHint(search) : this.#hint,
      standing: { model: model.id, window: model.window, mode: permissions.policy.mode, isPoor: poor },
    }
  }

  // What is typed

  #key(key: Key, hint: string | undefined): void {
    const name = chord(key)
    if (name === 'ctrl+c') this.#onControlC(hint)
    else if (name === 'ctrl+z') this.#options.suspend()
    else if (name === 'ctrl+l') this.#options.screen.wipe()
    else if (name === 'ctrl+d' && this.#prompt.isEmpty) this.end()
    else if (!this.#questions.key(name, this.#prompt)) {
      const wish = this.#prompt.key(key)
      if (wish) this.#grant(wish)
    }
  }

  #grant(wish: Wish): void {
    if (wish.kind === 'send') this.#submit(wish.text)
    else if (wish.kind === 'interrupt') this.#interrupt()
    else this.#nextMode()
  }

  #nextMode(): void {
    const { permissions } = this.#agent
    const at = MODES_IN_TURN.indexOf(permissions.policy.mode)
    permissions.mode = MODES_IN_TURN[(at + 1) % MODES_IN_TURN.length] ?? 'ask'
    this.#hint = `Mode: ${permissions.policy.mode}`
  }

  /** Clears what is typed, else interrupts, else ends when it is pressed twice. */
  #onControlC(hint: string | undefined): void {
    if (!this.#prompt.isEmpty) this.#prompt.clear()
    else if (this.#isBusy) this.#interrupt()
    else if (hint === AGAIN) this.end()
    else this.#hint = AGAIN
  }

  #interrupt(): void {
    this.#commands.interrupt()
    this.#agent.interrupt()
  }

  #submit(text: string): void {
    if (text.trim() === '') return
    void this.#options.history.add(text)
    if (!this.#isBusy) {
      this.#inTurn(() => this.#hearPerson(text))
      return
    }
    const [, name = '', argument = ''] = /^\/([a-z-]+)(?:\s+([\s\S]*))?$/.exec(text) ?? []
    if (!isSlashCommand(text)) this.#queueUp(text, 'next')
    else if (name === 'now' && argument.trim() !== '') this.#queueUp(argument, 'now')
    else if (name === 'unsay') this.#unsay()
    else if (name === 'quit') this.end()
    else if (slashCommandOf(text)?.meanwhile) {
      this.#say('person', personLines(text, this.#width))
      this.#meanwhile(async () => this.#after(await this.#commands.runMeanwhile(text)))
    } else this.#hint = `/${name} has to wait until this is over; Esc interrupts it`
  }

  #queueUp(text: string, priority: 'next' | 'now'): void {
    if (this.#agent.isWorking) this.#unheard.say(this.#agent, text, priority)
    else this.#inTurn(() => this.#hearPerson(text))
  }

  /** What is taken back can be changed and said again. */
  #unsay(): void {
    const back = this.#unheard.takeBack(this.#agent)
    if ('text' in back) this.#prompt.write(back.text)
    else this.#hint = back.problem
  }

  // What is done

  /** One thing after the other, also when more is said while a command runs. */
  #inTurn(work: () => Promise<unknown>): void {
    this.#turns = this.#turns.then(work).then(() => this.#changed())
    // What nobody expected ends the conversation; whoever waits for the turns is told.
    this.#turns.catch(() => this.end())
  }

  #meanwhile(work: () => Promise<unknown>): void {
    this.#attempt(work).catch(error => {
      this.#over.reject(error)
      this.end()
    })
  }

  async #hearPerson(text: string): Promise<void> {
    this.#say('person', personLines(text, this.#width))
    await this.#attempt(async () => {
      const said = isSlashCommand(text) ? await this.#after(await this.#commands.run(text)) : text
      if (said !== undefined && !this.#isOver) await this.#agent.send(said, () => {})
    })
  }

  /** What goes wrong is told, and the conversation goes on. */
  async #attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof ReverieError)) throw error
      this.#say('note', wrap([span('error: ', { colour: 'red' }), span(error.message)], this.#width))
    }
  }

  /** What is left to be said to the agent after a command, if anything. */
  async #after(done: Done | undefined): Promise<string | undefined> {
    if (!done) return undefined
    if (this.#agent !== this.#heardAgent) {
      this.#listen()
      this.#scene = { ...this.#scene, filled: undefined, usd: this.#agent.transcript.meta.usage?.usd }
    }
    if (done.text) {
      const rows = styledLines(withSlashCommands(done.text))
      this.#say(
        'answer',
        rows.flatMap(row => wrap(row, this.#width)),
      )
    }
    if (done.takeUp) await this.#takeUp()
    if (done.end) this.end()
    return done.say
  }

  /** Shows where a session was left, and goes on with what was not answered. */
  async #takeUp(): Promise<void> {
    const agent = this.#agent
    if (!agent.resumed) return
    const { interrupted, tornBytes } = agent.resumed
    this.#note(`${agent.transcript.id} · ${agent.transcript.meta.title ?? ''}`)
    for (const message of agent.messages.filter(message => textOf(message) !== '').slice(-MESSAGES_SHOWN)) {
      const text = textOf(message)
      if (message.role === 'user') this.#say('person', personLines(text, this.#width))
      else this.#say('reply', lastLines(text, this.#width))
    }
    if (tornBytes > 0) this.#note(`(a last line of ${tornBytes} bytes was cut short)`)
    for (const { tool } of interrupted) this.#note(`(${tool} was interrupted)`)
    if (agent.isUnanswered) await this.#attempt(() => agent.goOn(() => {}))
  }
}

/** The end of what was said before. */
function lastLines(text: string, width: number): Line[] {
  const rows = markdownLines(text, width)
  return rows.length > MESSAGE_LINES ? [line('…', DIM), ...rows.slice(-MESSAGE_LINES)] : rows
}

function searchHint({ query, isFound }: { query: string; isFound: boolean }): string {
  const what = query === '' ? 'type a part of it' : isFound ? 'Enter takes it' : 'nothing like it'
  return `search: ${query}▏ ${what}; Ctrl-R older, Esc ends`
}
