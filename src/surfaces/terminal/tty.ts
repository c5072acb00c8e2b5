/** A terminal that is taken over and given back, whatever happens meanwhile. */
import { writeSync } from 'node:fs'
import type { ReadStream } from 'node:tty'

/** Pastes are marked; keys that xterm has no sequence for are told apart, where the terminal can. */
const TAKE = '\u001b[?2004h\u001b[>1u'
const GIVE_BACK = '\u001b[<u\u001b[?2004l\u001b[?7h\u001b[?25h'

export interface TtyOptions {
  input: ReadStream
  output: NodeJS.WriteStream & { fd: number }
  onData(text: string): void
  onResize(): void
  /** The terminal is there again after it was left with Control-Z. */
  onReturn(): void
  /** Somebody ends the program, or the terminal is gone. */
  onEnd(signal: NodeJS.Signals | undefined): void
}

const ENDING: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP']

export class Tty {
  #options: TtyOptions
  #isTaken = false
  #isOver = false

  constructor(options: TtyOptions) {
    this.#options = options
  }

  open(): void {
    const { input, output, onData, onResize, onEnd } = this.#options
    input.setEncoding('utf8')
    input.on('data', onData)
    input.once('end', () => onEnd(undefined))
    input.once('error', () => onEnd(undefined))
    output.on('resize', onResize)
    for (const signal of ENDING) process.once(signal, this.#onSignal)
    process.on('exit', this.#giveBackAtOnce)
    this.#take()
    input.resume()
  }

  close(): void {
    if (this.#isOver) return
    this.#isOver = true
    const { input, output, onData, onResize } = this.#options
    this.#giveBack()
    input.off('data', onData)
    output.off('resize', onResize)
    for (const signal of ENDING) process.off(signal, this.#onSignal)
    process.off('exit', this.#giveBackAtOnce)
    input.pause()
  }

  /** Gives the terminal to the shell until the person comes back. */
  suspend(): void {
    this.#giveBack()
    process.once('SIGCONT', () => {
      if (this.#isOver) return
      this.#take()
      this.#options.onReturn()
    })
    process.kill(process.pid, 'SIGTSTP')
  }

  #onSignal = (signal: NodeJS.Signals): void => {
    this.#options.onEnd(signal)
  }

  #take(): void {
    this.#options.input.setRawMode(true)
    this.#options.output.write(TAKE)
    this.#isTaken = true
  }

  #giveBack(): void {
    if (!this.#isTaken) return
    this.#isTaken = false
    this.#options.output.write(GIVE_BACK)
    try {
      this.#options.input.setRawMode(false)
    } catch {
      // The terminal is gone: there is nothing to give back.
    }
  }

  /** When the process ends in a way that nobody foresaw, only what is written now is still written. */
  #giveBackAtOnce = (): void => {
    if (!this.#isTaken) return
    this.#isTaken = false
    try {
      writeSync(this.#options.output.fd, `\r\n${GIVE_BACK}`)
      this.#options.input.setRawMode(false)
    } catch {
      // The terminal is gone.
    }
  }
}
