/** Runs the calls of one reply: each once, beside each other where that is safe. */

import type { ImagePart, TextPart, ToolCallPart, ToolOutcome, ToolResultPart } from '../session/index.ts'
import { ReverieError } from '../store/index.ts'
import type { Ask, Effect, Tool, ToolOutput } from '../tools/index.ts'
import { UNREADABLE_INPUT } from './reply-parts.ts'

/** How many calls run at the same time at most (4-agent.md). */
const MOST_AT_ONCE = 10

export interface RunnerOptions {
  tools: ReadonlyMap<string, Tool>
  signal: AbortSignal
  ask: Ask | undefined
  /** To be on the disk before a tool starts: the call itself, and that it starts. */
  before(call: ToolCallPart): Promise<void>
  /** The result, as soon as there is one; the next tool does not wait for it. */
  after(result: ToolResultPart, effects: readonly Effect[]): Promise<void>
  /** Whether a call may go ahead, and with what input: asked once, right before it would. */
  gate(call: ToolCallPart, tool: Tool, input: unknown): Promise<Gated>
  /** Something to add to a result, from whoever watches over tools. */
  remark(call: ToolCallPart, result: Pick<ToolResultPart, 'outcome' | 'content'>): Promise<string[]>
  progress(call: ToolCallPart, text: string): void
  /** Characters of a result that the model is given: less in a small window. */
  resultLimit(tool: Tool): number
  /** Keeps what is too long for the model, and tells where. */
  keepAll(call: ToolCallPart, text: string): Promise<string>
}

export type Gated =
  | {
      go: true
      input: unknown
      /** Whether it would still touch what it was let for; asked at the last moment. */
      isUnchanged?: () => Promise<boolean>
    }
  | { go: false; reason: string }

/**
 * Calls may be given while the reply is still coming in. They start in their order: one that may run beside others
 * starts when only such are running, any other when none is.
 */
export class ToolRunner {
  #options: RunnerOptions
  #waiting: ToolCallPart[] = []
  #running = new Map<string, Tool | undefined>()
  #taken = new Set<string>()
  #work = new Set<Promise<void>>()
  #failure: unknown
  #cancelled = false

  constructor(options: RunnerOptions) {
    this.#options = options
  }

  /** Whether any tool has begun: then the reply that asked for it can no longer be taken back. */
  get acted(): boolean {
    return this.#taken.size > this.#waiting.length
  }

  /** Whether a call was given and has begun, or waits to. */
  has({ call }: ToolCallPart): boolean {
    return this.#taken.has(call)
  }

  /** A call is run once, however often it is given. */
  add(call: ToolCallPart): void {
    if (this.#taken.has(call.call)) return
    this.#taken.add(call.call)
    this.#waiting.push(call)
    this.#startNext()
  }

  /** Forgets what has not begun; returns it. */
  dropWaiting(): ToolCallPart[] {
    const dropped = this.#waiting
    this.#waiting = []
    for (const { call } of dropped) this.#taken.delete(call)
    return dropped
  }

  /** Returns when every call has its result. */
  async finish(): Promise<void> {
    while (this.#work.size > 0) await Promise.all(this.#work)
    if (this.#failure !== undefined) throw this.#failure
  }

  #startNext(): void {
    while (!this.#cancelled && this.#running.size < MOST_AT_ONCE) {
      const [next] = this.#waiting
      if (!next) return
      const tool = this.#options.tools.get(next.tool)
      const alone = tool !== undefined && !tool.concurrent
      const othersAlone = [...this.#running.values()].some(other => other !== undefined && !other.concurrent)
      if (this.#running.size > 0 && (alone || othersAlone)) return
      this.#waiting.shift()
      this.#running.set(next.call, tool)
      const work = this.#run(next, tool)
        // What cannot be written down ends the turn; nothing more is started.
        .catch(error => {
          this.#failure ??= error
          this.#cancelled = true
        })
        .finally(() => {
          this.#running.delete(next.call)
          this.#work.delete(work)
          this.#startNext()
        })
      this.#work.add(work)
    }
  }

  async #run(call: ToolCallPart, tool: Tool | undefined): Promise<void> {
    const { signal } = this.#options
    const prepared = signal.aborted ? interrupted(false) : await this.#prepare(call, tool)
    await this.#options.before(call)
    const ran = 'result' in prepared ? prepared : await this.#runTool(call, prepared)
    const remarks = await this.#options.remark('result' in prepared ? call : prepared.call, ran.result)
    const content = [...ran.result.content, ...remarks.flatMap(asText)]
    const result: ToolResultPart = {
      type: 'tool-result',
      call: call.call,
      tool: call.tool,
      ...ran.result,
      content,
    }
    await this.#options.after(result, ran.effects)
  }

  /** The tool and its input, or why it does not come to that. */
  async #prepare(call: ToolCallPart, tool: Tool | undefined): Promise<Prepared | Ran> {
    const { tools, gate, signal } = this.#options
    if (!tool) return failed(`There is no tool "${call.tool}". There are: ${someOf([...tools.keys()])}.`)
    const input = readInput(call.input, tool)
    if ('problem' in input) return failed(input.problem)
    try {
      const meant = meantBy(call, tool, input.value)
      const gated = await untilAborted(gate(meant.call, meant.tool, meant.input), signal)
      if (gated === ABORTED) return interrupted(false)
      if (!gated.go) return denied(gated.reason)
      const isAsItWas = gated.input === meant.input && meant.tool === tool
      const amended = isAsItWas ? { value: meant.input } : readInput(gated.input, meant.tool)
      if ('problem' in amended) return failed(amended.problem)
      return { ...meant, input: amended.value, isUnchanged: gated.isUnchanged }
    } catch (error) {
      return failed(`${call.tool} was not run: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  async #runTool(call: ToolCallPart, { tool, input, isUnchanged }: Prepared): Promise<Ran> {
    const { signal, ask } = this.#options
    try {
      if (isUnchanged && !(await isUnchanged())) return denied(CHANGED)
      const context = {
        call: call.call,
        signal,
        ask,
        progress: (text: string) => this.#options.progress(call, text),
      }
      const output = await untilAborted(tool.run(input, context), signal)
      return output === ABORTED ? interrupted(true) : await this.#done(call, tool, output)
    } catch (error) {
      if (signal.aborted) return interrupted(true)
      return failed(error instanceof ReverieError ? error.message : `${call.tool} failed: ${String(error)}`)
    }
  }

  async #done(call: ToolCallPart, tool: Tool, output: ToolOutput): Promise<Ran> {
    const { text, images = [], effects = [] } = output
    const limit = this.#options.resultLimit(tool)
    if (text.length <= limit)
      return { result: { outcome: 'ok', content: [...asText(text), ...images] }, effects }
    const file = await this.#options.keepAll(call, text)
    const shown = `${text.slice(0, limit)}\n\n[cut here: ${text.length} characters in all, the whole is in ${file}]`
    return { result: { outcome: 'ok', content: [...asText(shown), ...images], file }, effects }
  }
}

interface Prepared {
  /** As it is judged and watched. */
  call: ToolCallPart
  tool: Tool
  input: unknown
  isUnchanged: (() => Promise<boolean>) | undefined
}

const CHANGED =
  'What it would touch is no longer what it was allowed for: it has changed meanwhile. Nothing was done; try again.'

interface Ran {
  result: { outcome: ToolOutcome; content: Array<TextPart | ImagePart>; file?: string }
  effects: readonly Effect[]
}

/** A call that only passes on another one is that other one, to whoever judges and watches. */
function meantBy(call: ToolCallPart, tool: Tool, input: unknown): Pick<Prepared, 'call' | 'tool' | 'input'> {
  const other = tool.standsFor?.(input)
  if (!other) return { call, tool, input }
  const meant = { ...call, tool: other.tool.name, input: other.input as ToolCallPart['input'] }
  return { call: meant, tool: other.tool, input: other.input }
}

/** Names to choose from, when there are not too many of them. */
const MOST_NAMED = 60

function someOf(names: readonly string[]): string {
  return names.length <= MOST_NAMED ? names.join(', ') : `${names.slice(0, MOST_NAMED).join(', ')}…`
}

function failed(text: string): Ran {
  return { result: { outcome: 'error', content: asText(text) }, effects: [] }
}

function denied(text: string): Ran {
  return { result: { outcome: 'denied', content: asText(text) }, effects: [] }
}

function interrupted(started: boolean): Ran {
  const text = started
    ? 'Interrupted by the person. It may have done all, part or none of its work.'
    : 'Interrupted by the person before it was started. Nothing was done.'
  return { result: { outcome: 'interrupted', content: asText(text) }, effects: [] }
}

function asText(text: string): TextPart[] {
  return [{ type: 'text', text: text === '' ? '(nothing)' : text }]
}

function readInput(input: unknown, { name, input: schema }: Tool): { value: unknown } | { problem: string } {
  if (typeof input === 'object' && input !== null && UNREADABLE_INPUT in input)
    return {
      problem: `The arguments of ${name} were not valid JSON, so nothing was run. Call it again with valid ones.`,
    }
  const parsed = schema.safeParse(input)
  if (parsed.success) return { value: parsed.data }
  const issues = parsed.error.issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.length > 0 ? `${path.join('.')}: ` : ''}${message}`)
  return { problem: `The arguments of ${name} do not fit, so nothing was run. ${issues.join('; ')}.` }
}

const ABORTED = Symbol('aborted')

/** A tool that does not listen to its signal is not waited for. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | typeof ABORTED> {
  if (signal.aborted) return ABORTED
  let stop = () => {}
  const aborted = new Promise<typeof ABORTED>(resolve => {
    stop = () => resolve(ABORTED)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
    work.catch(() => {})
  }
}
