import { createInterface, type Interface } from 'node:readline'
import type { AskPermission, End } from '../../agent/index.ts'
import { asideLine } from '../../assembly/index.ts'
import { textOf } from '../../session/index.ts'
import { ReverieError } from '../../store/index.ts'
import { isSlashCommand, runSlashCommand } from '../../surfaces/slash/index.ts'
import { printable } from '../../surfaces/text/printable.ts'
import { styledError } from '../../surfaces/text/styled.ts'
import { fitTo } from '../../surfaces/text/width.ts'
import type { Question } from '../../tools/index.ts'
import type { Invocation } from '../invocation.ts'
import type { Opened } from './open.ts'
import { ChatPrinter } from './printer.ts'
import { slashContext } from './slash-context.ts'

const PROMPT = '> '
const HISTORY_LINES = 200
/** Of what is asked about; two lines of a wide terminal. */
const QUESTION_WIDTH = 300
/** How many of the last messages are shown when a session is taken up. */
const MESSAGES_SHOWN = 4
/** Lines that follow each other faster than this were pasted. */
const PASTED_WITHIN_MS = 30

/** A conversation in the terminal; line by line where it cannot be drawn on, or with what a pipe brings. */
export async function talk(opened: Opened, invocation: Invocation): Promise<void> {
  if (isDrawable()) {
    // Only where it is seen: it costs what it costs to load.
    const { talkInTerminal } = await import('../../surfaces/terminal/index.ts')
    await talkInTerminal(slashContext(opened, invocation, () => {}))
    // What goes on beside a conversation is finished when it has ended, and told all the same.
    opened.onAside = aside => new ChatPrinter().line(styledError('dim', printable(asideLine(aside))))
    return
  }
  const chat = new Talk(opened, invocation)
  await (process.stdin.isTTY ? chat.withPerson() : chat.withPipe())
}

/** A person at a terminal that can be drawn on. */
function isDrawable(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true && process.env.TERM !== 'dumb'
}

class Talk {
  #opened: Opened
  #invocation: Invocation
  #printer = new ChatPrinter()
  #lines: Interface
  /** Lines that are not a message yet: more of them are being pasted. */
  #typing: string[] = []
  /** One thing after the other, also when more is typed while a command runs. */
  #turns: Promise<void> = Promise.resolve()
  /** Waits for the answer to a question of the agent's. */
  #answer: ((text: string) => void) | undefined
  /** What was said while the agent worked, the last at the end. */
  #unheard: string[] = []
  #over = false

  constructor(opened: Opened, invocation: Invocation) {
    this.#opened = opened
    this.#invocation = invocation
    opened.onAside = aside => this.#say(styledError('dim', printable(asideLine(aside))))
    const terminal = { output: process.stderr, prompt: PROMPT, historySize: HISTORY_LINES }
    this.#lines = createInterface({ input: process.stdin, ...(process.stdin.isTTY && terminal) })
  }

  /** Each line is a message, answered before the next one is looked at. Nobody watches: the exit code tells. */
  async withPipe(): Promise<void> {
    const lines = this.#lines[Symbol.asyncIterator]() // what comes while a session is taken up is not lost
    await this.#attempt(() => this.#takeUp())
    for await (const line of lines) {
      if (line.trim() !== '') await this.#hear(line)
      if (this.#over) break
    }
  }

  /** What is typed while the agent works reaches it before its next turn; what is pasted is one message. */
  async withPerson(): Promise<void> {
    const { agent } = this.#opened
    agent.ask = this.#ask
    agent.askPermission = this.#askPermission
    agent.onNotice = () => this.#inTurn(() => this.#attempt(() => this.#attend()))
    this.#say(`Reverie · ${agent.model.id} · /help shows the commands, Ctrl-C interrupts, Ctrl-D ends`)
    const { promise: closed, resolve: close } = Promise.withResolvers<void>()
    this.#lines.once('close', () => {
      this.#over = true
      this.#opened.agent.interrupt()
      close()
    })
    this.#lines.on('line', line => this.#gather(line))
    this.#lines.on('SIGINT', () => this.#interrupt())
    this.#inTurn(() => this.#attempt(() => this.#takeUp()))
    await closed
    await this.#turns
  }

  /** Lines that were pasted are one message. */
  #gather(line: string): void {
    const count = this.#typing.push(line)
    setTimeout(() => {
      if (count === this.#typing.length) this.#typed(this.#typing.splice(0).join('\n'))
    }, PASTED_WITHIN_MS)
  }

  #typed(text: string): void {
    const { agent } = this.#opened
    if (this.#answer) this.#answer(text)
    else if (text.trim() === '') this.#prompt()
    else if (!agent.isWorking) this.#inTurn(() => this.#hear(text))
    else if (!isSlashCommand(text)) this.#unheard.push(agent.steer(text))
    else if (/^\/now\s+\S/.test(text)) agent.steer(text.replace(/^\/now\s+/, ''), 'now')
    else if (/^\/unsay\s*$/.test(text)) this.#unsay()
    else if (/^\/quit\s*$/.test(text)) this.#lines.close()
    else this.#say('Commands have to wait until this is answered; Ctrl-C interrupts it.')
  }

  #unsay(): void {
    const last = this.#unheard.pop()
    if (last === undefined) this.#say('There is nothing to take back.')
    else this.#say(this.#opened.agent.unsay(last) ? 'Taken back.' : 'That was heard already.')
  }

  #inTurn(work: () => Promise<void>): void {
    this.#turns = this.#turns.then(work).then(() => (this.#over ? this.#lines.close() : this.#prompt()))
    // What nobody expected ends the conversation; whoever waits for the turns is told.
    this.#turns.catch(() => this.#lines.close())
  }

  #prompt(): void {
    if (!this.#over) this.#lines.prompt(true)
  }

  #interrupt(): void {
    const typed = this.#typing.splice(0).length > 0 || this.#lines.line !== ''
    if (this.#opened.agent.isWorking) this.#opened.agent.interrupt()
    else if (typed) this.#lines.write(null, { ctrl: true, name: 'u' })
    else this.#lines.close()
  }

  async #hear(text: string): Promise<void> {
    await this.#attempt(async () => {
      const said = isSlashCommand(text) ? await this.#command(text) : text
      if (said !== undefined) this.#note(await this.#opened.agent.send(said, this.#printer.on))
    })
  }

  /** What goes wrong is told, and the conversation goes on. */
  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof ReverieError)) throw error
      this.#say(`${styledError('red', 'error:')} ${printable(error.message)}`)
      if (!process.stdin.isTTY) this.#invocation.fail()
    }
  }

  #note({ reason }: End): void {
    if (reason !== 'answered' && !process.stdin.isTTY) this.#invocation.fail()
  }

  /** Something in the background has news: the agent hears them, as nobody else is being answered. */
  async #attend(): Promise<void> {
    await this.#opened.agent.attend(this.#printer.on)
  }

  /** What is left to be said to the agent after a command, if anything. */
  async #command(text: string): Promise<string | undefined> {
    const done = await runSlashCommand(
      text,
      slashContext(this.#opened, this.#invocation, text => this.#say(text)),
    )
    if (done.text) process.stdout.write(`${done.text}\n`)
    if (done.end) this.#over = true
    if (done.takeUp) await this.#takeUp()
    return done.say
  }

  /** Shows where a session was left, and goes on with what was not answered. */
  async #takeUp(): Promise<void> {
    const { agent } = this.#opened
    if (!agent.resumed) return
    const { interrupted, tornBytes } = agent.resumed
    this.#say(styledError('dim', `${agent.transcript.id} · ${printable(agent.transcript.meta.title ?? '')}`))
    for (const message of agent.messages.filter(m => textOf(m) !== '').slice(-MESSAGES_SHOWN))
      this.#say(styledError('dim', `${message.role === 'user' ? '>' : ' '} ${printable(textOf(message))}`))
    if (tornBytes > 0) this.#say(styledError('dim', `(a last line of ${tornBytes} bytes was cut short)`))
    for (const { tool } of interrupted) this.#say(styledError('dim', `(${printable(tool)} was interrupted)`))
    if (agent.isUnanswered) this.#note(await agent.goOn(this.#printer.on))
  }

  #ask = async ({ question, options }: Question, signal: AbortSignal): Promise<string> => {
    this.#say(printable(question))
    options.forEach((option, at) => {
      this.#say(`  ${at + 1}. ${printable(option)}`)
    })
    this.#lines.prompt()
    try {
      const text = await new Promise<string>((resolve, reject) => {
        this.#answer = resolve
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
      })
      return options[Number(text.trim()) - 1] ?? text
    } finally {
      this.#answer = undefined
    }
  }

  /** Anything that is not plainly a yes is a no, with what was typed as its reason. */
  #askPermission: AskPermission = async ({ tool, input, reason, suggestion, canAlways }, signal) => {
    const shown = fitTo(printable(JSON.stringify(input)), QUESTION_WIDTH)
    const always = canAlways && suggestion ? `, always ${printable(suggestion)} (a)` : ''
    const question = `${tool} ${shown}\n${printable(reason)} Allow? yes (y), for this session (s)${always}, no (n)`
    const said = (await this.#ask({ question, options: [] }, signal)).trim()
    if (/^y(es)?$/i.test(said)) return { answer: 'once' }
    if (/^s(ession)?$/i.test(said)) return { answer: 'session' }
    if (canAlways && /^a(lways)?$/i.test(said)) return { answer: 'always' }
    return /^(no?)?$/i.test(said) ? { answer: 'no' } : { answer: 'no', reason: said }
  }

  #say(text: string): void {
    this.#printer.line(text)
  }
}
