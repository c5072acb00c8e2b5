import type { LanguageModelV4Content, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { Json, Part, TextPart, ThinkingPart, ToolCallPart } from '../session/index.ts'

/** Told while the reply comes in. */
export interface ReplyListener {
  text(delta: string): void
  thinking(delta: string): void
  /**
   * The parts so far end with a call that can be run. The reply will begin with these very parts, whatever becomes
   * of it.
   */
  call(call: ToolCallPart, soFar: readonly Part[]): void
}

type Said = TextPart | ThinkingPart

/** A piece of a text or of thinking. */
interface Piece {
  id: string
  delta?: string
  providerMetadata?: object
}

/**
 * Puts a reply together from what comes in. Parts are only added at its end, and what stands before a call stays as
 * it is: it may be on the disk by then.
 */
export class ReplyParts {
  #listener: ReplyListener
  #parts: Part[] = []
  /** Texts and thinking that may still grow, by the provider's id. */
  #open = new Map<string, Said>()
  /** The last part, when it is a call that may have been cut off. */
  #doubtful: ToolCallPart | undefined
  #ids: Set<string>

  constructor(listener: ReplyListener, callsBefore: readonly ToolCallPart[]) {
    this.#listener = listener
    this.#ids = new Set(callsBefore.map(({ call }) => call))
  }

  take(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case 'text-start':
      case 'text-delta':
        this.#say('text', part)
        return
      case 'reasoning-start':
      case 'reasoning-delta':
        this.#say('thinking', part)
        return
      case 'text-end':
      case 'reasoning-end':
        if (this.#open.has(part.id)) this.#say(part.type === 'text-end' ? 'text' : 'thinking', part)
        this.#open.delete(part.id)
        return
      case 'tool-input-start':
        this.#settle()
        return
      case 'tool-call':
        if (!part.providerExecuted) this.#call(part)
    }
  }

  takeWhole(content: LanguageModelV4Content): void {
    if (content.type === 'tool-call' && !content.providerExecuted) this.#call(content)
    if (content.type !== 'text' && content.type !== 'reasoning') return
    const piece = { ...content, id: '', delta: content.text }
    this.#say(content.type === 'text' ? 'text' : 'thinking', piece)
    this.#open.clear()
  }

  /** What is sure to be whole. The last call is not, when the reply was cut. */
  soFar(): Part[] {
    return this.#parts.filter(part => part !== this.#doubtful)
  }

  /** Of a reply that was not cut. */
  all(): Part[] {
    this.#settle()
    return [...this.#parts]
  }

  #say(type: Said['type'], { id, delta = '', providerMetadata }: Piece): void {
    const open = this.#open.get(id)
    const part: Said = open?.type === type ? open : { type, text: '' }
    this.#open.set(id, part)
    part.text += delta
    if (providerMetadata) part.provider = merged(part.provider, providerMetadata)
    // Some thinking has no words and must be given back nevertheless.
    const isSaid = part.text !== '' || (type === 'thinking' && part.provider !== undefined)
    if (isSaid && !this.#parts.includes(part)) {
      this.#settle()
      this.#parts.push(part)
    }
    if (delta !== '') this.#listener[type](delta)
  }

  #call(call: { toolCallId: string; toolName: string; input: string; providerMetadata?: object }): void {
    this.#settle()
    this.#open.clear()
    const input = readInput(call.input)
    const part: ToolCallPart = {
      type: 'tool-call',
      call: this.#newId(call.toolCallId),
      tool: call.toolName,
      input: input ?? { [UNREADABLE_INPUT]: call.input },
      ...(call.providerMetadata && { provider: merged({}, call.providerMetadata) }),
    }
    this.#parts.push(part)
    // A provider gives what it has of a call that was cut off: half of the arguments, or none.
    if (input && Object.keys(input).length > 0) this.#listener.call(part, [...this.#parts])
    else this.#doubtful = part
  }

  /** What was not the last was not cut off. */
  #settle(): void {
    const call = this.#doubtful
    this.#doubtful = undefined
    if (call && !isUnreadable(call)) this.#listener.call(call, [...this.#parts])
  }

  /** Some servers count the calls of each reply anew. */
  #newId(given: string): string {
    let id = given
    for (let n = 2; id === '' || this.#ids.has(id); n++) id = `${given || 'call'}-${n}`
    this.#ids.add(id)
    return id
  }
}

/** Stands for arguments that are not JSON: the model sees what it wrote, and that nothing was run. */
export const UNREADABLE_INPUT = 'unreadable_arguments'

function isUnreadable({ input }: ToolCallPart): boolean {
  return typeof input === 'object' && input !== null && UNREADABLE_INPUT in input
}

function readInput(text: string): { [key: string]: Json } | undefined {
  if (text.trim() === '') return {}
  try {
    const input: unknown = JSON.parse(text) ?? {} // `null` is how some say that there are none
    return typeof input === 'object' && !Array.isArray(input) ? (input as { [key: string]: Json }) : undefined
  } catch {
    return undefined
  }
}

/** By provider: what is to be given back may come in several pieces. */
function merged(before: object | undefined, after: object): { [key: string]: Json } {
  const result: Record<string, unknown> = { ...before }
  for (const [provider, values] of Object.entries(after))
    result[provider] = { ...(result[provider] as object | undefined), ...(values as object) }
  return result as { [key: string]: Json }
}
