import { createInterface, type Interface } from 'node:readline'
import { textOf } from '../../session/index.ts'
import { ReverieError } from '../../store/index.ts'
import type { Question } from '../../tools/index.ts'
import type { Invocation } from '../invocation.ts'
import { styledError } from '../output.ts'
import { printable } from '../printable.ts'
import type { Opened } from './open.ts'
import { ChatPrinter } from './printer.ts'
import { isSlashCommand, runSlashCommand } from './slash.ts'

const PROMPT = '> '
const HISTORY_LINES = 200
/** How many of the last messages are shown when a session is taken up. */
const MESSAGES_SHOWN = 4

/** A conversation line by line, with a person at a terminal or with what a pipe brings. */
export async function talk(opened: Opened, invocation: Invocation): Promise<void> {
  const chat = new Talk(opened, invocation)
  await (process.stdin.isTTY ? chat.withPerson() : chat.withPipe())
}

class Talk {
  #opened: Opened
  #invocation: Invocation
  #printer = new ChatPrinter()
  #lines: Interface
  /** Waits for the answer to a question of the agent's. */
  #answer: ((text: string) => void) | undefined
  #over = false

  constructor(opened: Opened, invocation: Invocation) {
    this.#opened = opened
    this.#invocation = invocation
    const terminal = { output: process.stderr, prompt: PROMPT, historySize: HISTORY_LINES }
    this.#lines = createInterface({ input: process.stdin, ...(process.stdin.isTTY && terminal) })
  }

  /** Each line is a message, answered before the next one is looked at. */
  async withPipe(): Promise<void> {
    await this.#takeUp()
    for await (const line of this.#lines) {
      if (this.#over) break
      if (line.trim() !== '') await this.#hear(line)
    }
  }

  /** What is typed while the agent works reaches it before its next turn; what is pasted is one message. */
  async withPerson(): Promise<void> {
    const { agent } = this.#opened
    agent.ask = this.#ask
    this.#say(`Reverie · ${agent.model.id} · /help shows the commands, Ctrl-C interrupts, Ctrl-D ends`)
    await this.#takeUp()
    let typed: string[] = []
    const closed = new Promise<void>(resolve => this.#lines.once('close', resolve))
    this.#lines.on('line', line => {
      // Lines that come in one go were pasted together.
      if (typed.push(line) === 1)
        setImmediate(() => {
          const text = typed.join('\n')
          typed = []
          void this.#typed(text)
        })
    })
    this.#lines.on('SIGINT', () => this.#interrupt())
    this.#lines.prompt()
    await closed
    this.#opened.agent.interrupt()
  }

  async #typed(text: string): Promise<void> {
    if (this.#answer) return this.#answer(text)
    if (text.trim() !== '' && this.#opened.agent.isWorking) return this.#opened.agent.steer(text)
    if (text.trim() !== '') await this.#hear(text)
    if (this.#over) this.#lines.close()
    else this.#lines.prompt()
  }

  #interrupt(): void {
    if (this.#opened.agent.isWorking) this.#opened.agent.interrupt()
    else if (this.#lines.line === '') this.#lines.close()
    else this.#lines.write(null, { ctrl: true, name: 'u' })
  }

  /** One thing that was said. What goes wrong is told, and the conversation goes on. */
  async #hear(text: string): Promise<void> {
    try {
      const said = isSlashCommand(text) ? await this.#command(text) : text
      if (said !== undefined) await this.#opened.agent.send(said, this.#printer.on)
    } catch (error) {
      if (!(error instanceof ReverieError)) throw error
      this.#say(`${styledError('red', 'error:')} ${error.message}`)
    }
  }

  /** What is left to be said to the agent after a command, if anything. */
  async #command(text: string): Promise<string | undefined> {
    const done = await runSlashCommand(text, this.#opened, this.#invocation)
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
    for (const { tool } of interrupted) this.#say(styledError('dim', `(${tool} was interrupted)`))
    if (agent.isUnanswered) await agent.goOn(this.#printer.on)
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

  #say(text: string): void {
    process.stderr.write(`${text}\n`)
  }
}
