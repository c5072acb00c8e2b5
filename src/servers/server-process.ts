/**
 * A server that is a program of this machine. The SDK's own transport ends the one process that it started; a server
 * that is started by `npx` is a grandchild of it, so this one ends the whole group. Nothing that a server writes can
 * do more than end the server.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js'
import { because, ReverieError } from '../store/index.ts'
import { Lines } from './lines.ts'
import { inShort } from './words.ts'

export interface Program {
  command: string
  args: readonly string[]
  env: NodeJS.ProcessEnv
  directory: string
}

/** Of one message. An image of some megabytes is one. */
const LONGEST_LINE_BYTES = 32 * 1024 * 1024
/** Lines that are not of the protocol: a banner is forgiven, a log is not. */
const MOST_GARBAGE_LINES = 200
const MOST_GARBAGE_BYTES = 1024 * 1024
/** Messages that answer nothing, in a second. */
const MOST_UNASKED = 1_000
const SECOND_MS = 1_000
/** How long it may take to end after each signal. */
const AFTER_INTERRUPT_MS = 300
const AFTER_TERMINATE_MS = 700
const AFTER_KILL_MS = 300
const LOOK_EVERY_MS = 20
/** Of what it says on standard error, for the sentence that tells of its end. */
const LAST_WORDS = 400

class NotStarted extends ReverieError {}

export class ServerProcess implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  #program: Program
  #child: ChildProcess | undefined
  #lines = new Lines(LONGEST_LINE_BYTES)
  #garbage = { lines: 0, bytes: 0, first: '' }
  #unasked = { since: 0, count: 0 }
  #lastWords = ''
  #exit = ''
  #misdeed: string | undefined
  #closing: Promise<void> | undefined

  constructor(program: Program) {
    this.#program = program
  }

  /** Why it is gone, and the last that it said; empty while nothing is wrong. */
  get story(): string {
    const why = this.#misdeed ?? this.#exit
    const said = this.#lastWords.trim() || this.#garbage.first
    return [why, said === '' ? '' : `It said: ${inShort(said, LAST_WORDS)}`].filter(Boolean).join('. ')
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  start(): Promise<void> {
    const { command, args, env, directory } = this.#program
    // The system would say that the command does not exist.
    if (!existsSync(directory))
      return Promise.reject(
        new NotStarted(`${command} could not be started: there is no directory ${directory}.`),
      )
    return new Promise((resolve, reject) => {
      const child = spawn(command, args, {
        cwd: directory,
        env,
        // A group of its own, so that whatever it has started ends with it.
        detached: process.platform !== 'win32',
        stdio: ['pipe', 'pipe', 'pipe'],
        windowsHide: true,
      })
      this.#child = child
      child.once('spawn', resolve)
      child.once('error', error => {
        const why = because(error)
        this.#exit ||= `${command} could not be started: ${why}`
        reject(new NotStarted(`${command} could not be started: ${why}.`, { cause: error }))
      })
      child.once('exit', (code, signal) => {
        this.#exit ||= `it ended ${signal ? `by ${signal}` : `with code ${code}`}`
        this.killNow()
        // Somebody who left the group may hold the pipes open.
        setTimeout(() => this.#hearNoMore(), AFTER_KILL_MS).unref()
      })
      child.once('close', () => this.onclose?.())
      child.stdin.on('error', () => {}) // its end is told by `close`
      child.stdout.on('data', (piece: Buffer) => this.#read(piece))
      child.stdout.on('error', () => {})
      child.stderr.on('data', (piece: Buffer) => {
        this.#lastWords = `${this.#lastWords}${piece.toString('utf8').slice(-LAST_WORDS)}`.slice(-LAST_WORDS)
      })
      child.stderr.on('error', () => {})
    })
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { stdin } = this.#child ?? {}
    if (!stdin?.writable) throw new NotStarted(`The server is not there any more. ${this.story}`.trim())
    // One that does not read is noticed by what it does not answer.
    stdin.write(`${JSON.stringify(message)}\n`)
  }

  /** SIGINT, then SIGTERM, then SIGKILL, to all that it has started. */
  close(): Promise<void> {
    this.#closing ??= this.#end()
    return this.#closing
  }

  /** For the last moment of this process, which waits for nothing. */
  killNow(): void {
    this.#signal('SIGKILL')
  }

  async #end(): Promise<void> {
    const child = this.#child
    if (child?.pid === undefined) return
    child.stdin?.end()
    for (const [signal, patience] of [
      ['SIGINT', AFTER_INTERRUPT_MS],
      ['SIGTERM', AFTER_TERMINATE_MS],
      ['SIGKILL', AFTER_KILL_MS],
    ] as const) {
      this.#signal(signal)
      if (await this.#goneWithin(patience)) break
    }
    this.#hearNoMore()
  }

  #hearNoMore(): void {
    this.#child?.stdout?.destroy()
    this.#child?.stderr?.destroy()
  }

  async #goneWithin(ms: number): Promise<boolean> {
    for (const end = performance.now() + ms; performance.now() < end; ) {
      if (!this.#signal(0)) return true
      await wait(LOOK_EVERY_MS)
    }
    return false
  }

  /** To the whole group; false when nobody of it is left. */
  #signal(signal: NodeJS.Signals | 0): boolean {
    const pid = this.#child?.pid
    if (pid === undefined) return false
    try {
      return process.kill(process.platform === 'win32' ? pid : -pid, signal)
    } catch {
      return false
    }
  }

  #read(piece: Buffer): void {
    if (this.#misdeed !== undefined) return
    const lines = this.#lines.add(piece)
    if (!lines) this.#endFor(`it wrote a line of more than ${LONGEST_LINE_BYTES} bytes`)
    for (const line of lines ?? []) if (line.trim() !== '') this.#take(line)
  }

  #take(line: string): void {
    if (this.#misdeed !== undefined) return
    const message = readMessage(line)
    if (!message) this.#countGarbage(line)
    else if ('method' in message) this.#countUnasked()
    if (message) this.onmessage?.(message)
  }

  #countGarbage(line: string): void {
    this.#garbage.lines++
    this.#garbage.bytes += line.length
    this.#garbage.first ||= line.slice(0, LAST_WORDS)
    if (this.#garbage.lines > MOST_GARBAGE_LINES || this.#garbage.bytes > MOST_GARBAGE_BYTES)
      this.#endFor('it wrote to its standard output what is not of the protocol')
  }

  #countUnasked(): void {
    const now = performance.now()
    if (now - this.#unasked.since > SECOND_MS) this.#unasked = { since: now, count: 0 }
    if (++this.#unasked.count > MOST_UNASKED)
      this.#endFor(`it sent more than ${MOST_UNASKED} messages in a second that nobody asked for`)
  }

  #endFor(misdeed: string): void {
    this.#misdeed = misdeed
    this.#child?.stdout?.destroy()
    this.close().then(
      () => this.onclose?.(),
      error => this.onerror?.(error as Error),
    )
  }
}

function readMessage(line: string): JSONRPCMessage | undefined {
  try {
    return JSONRPCMessageSchema.safeParse(JSON.parse(line)).data
  } catch {
    return undefined
  }
}
