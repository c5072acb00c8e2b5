/** Session files that look like those of a coding agent, of any size and the same every time. */
import { once } from 'node:events'
import { createWriteStream, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Json, Part, Role, ToolCallPart } from '../src/session/index.ts'
import { oneOf, randomFrom } from '../torture/random.ts'
import { SessionWords } from './session-words.ts'

export interface SessionFileOptions {
  megabytes: number
  seed: number
  /** When the session began. */
  at?: Date
  /** Writes a compaction boundary this many megabytes before the end; none unless told. */
  liveMegabytes?: number
}

export interface WrittenFiles {
  files: string[]
  bytes: number
  messages: number
}

const MEGABYTE = 1_000_000
const WRITE_BYTES = 256 * 1024
const START = new Date('2024-01-08T09:00:00Z')
const HOURS_BETWEEN = 3
const PROJECTS = 12

/**
 * Sizes are log-normal: most are small and a few are very large. The figures are those of a coding agent's logs:
 * a tool result has 1.5 KB in the middle and 4 KB on average, a session 300 KB in the middle.
 */
const RESULT_CHARACTERS = { median: 1_500, spread: 1.4, most: 100_000 }
const SESSION_MEGABYTES = { median: 0.3, spread: 1, most: 20 }

/** Writes one session of a size; returns how many messages it has. */
export async function writeSessionFile(path: string, options: SessionFileOptions): Promise<WrittenFiles> {
  mkdirSync(dirname(path), { recursive: true })
  const id = path.slice(path.lastIndexOf('/') + 1).replace(/\.jsonl$/, '')
  const writer = new SessionWriter(id, options)
  const stream = createWriteStream(path)
  const bytes = options.megabytes * MEGABYTE
  const boundaryAt =
    options.liveMegabytes === undefined ? undefined : bytes - options.liveMegabytes * MEGABYTE
  let written = 0
  let bounded = boundaryAt === undefined
  let pending = writer.header()
  while (written + pending.length < bytes) {
    if (!bounded && written + pending.length >= (boundaryAt ?? 0)) {
      pending += writer.boundary()
      bounded = true
    }
    pending += writer.exchange()
    if (pending.length < WRITE_BYTES) continue
    const chunk = Buffer.from(pending)
    pending = ''
    written += chunk.length
    if (!stream.write(chunk)) await once(stream, 'drain')
  }
  written += Buffer.byteLength(pending)
  stream.end(pending)
  await once(stream, 'finish')
  return { files: [path], bytes: written, messages: writer.messages }
}

/** Writes many sessions of several projects below `projects`, together of a size. */
export async function writeSessionFiles(
  projects: string,
  { megabytes, seed }: Pick<SessionFileOptions, 'megabytes' | 'seed'>,
): Promise<WrittenFiles> {
  const random = randomFrom(seed)
  const all: WrittenFiles = { files: [], bytes: 0, messages: 0 }
  for (let number = 0; all.bytes < megabytes * MEGABYTE; number++) {
    const left = megabytes - all.bytes / MEGABYTE
    const size = Math.min(left, logNormal(random, SESSION_MEGABYTES))
    const at = new Date(START.getTime() + number * HOURS_BETWEEN * 3_600_000)
    const time = at.toISOString().replaceAll(/[-:]/g, '').slice(0, 'YYYYMMDDTHHMMSS'.length)
    const name = `${time.replace('T', '-')}-${number.toString(36).padStart(6, 'a')}.jsonl`
    const path = join(projects, `project-${number % PROJECTS}`, 'sessions', name)
    const one = await writeSessionFile(path, { megabytes: size, seed: seed + number, at })
    all.files.push(path)
    all.bytes += one.bytes
    all.messages += one.messages
  }
  return all
}

/** The lines of one session, an exchange at a time: a question, work with tools, an answer. */
class SessionWriter {
  messages = 0
  #id: string
  #random: () => number
  #words: SessionWords
  #time: number
  #serial = 0
  #lastMessage = ''

  constructor(id: string, { seed, at = START }: Pick<SessionFileOptions, 'seed' | 'at'>) {
    this.#id = id
    this.#random = randomFrom(seed)
    this.#words = new SessionWords(this.#random)
    this.#time = at.getTime()
  }

  header(): string {
    const project = `/home/owner/projects/${this.#id.slice(-3)}`
    return line({ kind: 'session', format: 1, id: this.#id, at: this.#now(), project })
  }

  boundary(): string {
    const summary = this.#words.sentences(20)
    return line({
      kind: 'boundary',
      at: this.#now(),
      summary,
      keep: this.#lastMessage,
      meta: { title: 'Generated' },
    })
  }

  exchange(): string {
    let lines = this.#message('user', [{ type: 'text', text: this.#words.question() }])
    const steps = Math.floor(this.#random() * 7)
    for (let step = 0; step < steps; step++) lines += this.#toolStep()
    lines += this.#message('assistant', [
      { type: 'thinking', text: this.#words.sentences(2) },
      { type: 'text', text: this.#words.prose() },
    ])
    return lines + line({ kind: 'meta', at: this.#now(), title: 'Generated', lastAt: this.#now() })
  }

  #toolStep(): string {
    const call = `call_${this.#id.slice(-6)}_${this.#serial++}`
    const [tool, input, text] = this.#use()
    const said: Part[] = this.#random() < 0.4 ? [{ type: 'text', text: this.#words.sentences(1) }] : []
    const called: ToolCallPart = { type: 'tool-call', call, tool, input }
    return (
      this.#message('assistant', [...said, called]) +
      line({ kind: 'checkpoint', at: this.#now(), call, tool }) +
      this.#message('tool', [
        { type: 'tool-result', call, tool, outcome: 'ok', content: [{ type: 'text', text }] },
      ])
    )
  }

  #use(): [tool: string, input: Json, result: string] {
    const length = Math.floor(logNormal(this.#random, RESULT_CHARACTERS))
    const path = this.#words.path()
    switch (Math.floor(this.#random() * 4)) {
      case 0:
        return ['read_file', { path }, this.#words.code(length)]
      case 1:
        return ['bash', { command: this.#words.command() }, this.#words.output(length)]
      case 2:
        return ['grep', { pattern: this.#words.word(), path }, this.#words.matches(length)]
      default: {
        const change = { path, old: this.#words.code(300), new: this.#words.code(400) }
        return ['edit_file', change, `Edited ${path}.`]
      }
    }
  }

  #message(role: Role, parts: readonly Part[]): string {
    this.messages++
    this.#lastMessage = `m_${this.#id.slice(-6)}${this.#serial++}`
    const origin = oneOf(this.#random, role === 'user' ? ['person'] : role === 'tool' ? ['tool'] : ['model'])
    return line({ kind: 'message', id: this.#lastMessage, role, origin, at: this.#now(), parts })
  }

  #now(): string {
    this.#time += 5_000 + Math.floor(this.#random() * 60_000)
    return new Date(this.#time).toISOString()
  }
}

function line(record: unknown): string {
  return `${JSON.stringify(record)}\n`
}

function logNormal(
  random: () => number,
  { median, spread, most }: { median: number; spread: number; most: number },
): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return Math.min(most, median * Math.exp(spread * normal))
}
