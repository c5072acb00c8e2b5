import {
  type AttachmentPart,
  type ImagePart,
  type Message,
  type Part,
  type TextPart,
  type ToolOutcome,
  textOf,
  titleFrom,
  type Usage,
} from '../../../session/index.ts'
import { MessageIds } from '../ids.ts'
import {
  countIn,
  type Fields,
  field,
  fieldsIn,
  isFields,
  jsonIn,
  listIn,
  plainJson,
  textIn,
  timeOf,
} from '../json.ts'
import { imageOrLink, otherPart, saysSomething, textPart, toldApart, toolResult } from '../parts.ts'
import type { Told } from '../source.ts'
import type { LineConverter } from '../transcript-file.ts'
import { CODEX_MARKS } from './marks.ts'

/** What a line says about the session as a whole. */
export interface RolloutHead {
  directory?: string
  isSubAgent?: boolean
  /** `codex exec`: what was asked came from a script. */
  isScript?: boolean
}

/** What stands at the beginning of a rollout, in both of its forms. */
export function headOf(line: unknown): RolloutHead | undefined {
  if (textIn(line, 'type') === 'session_meta') {
    const meta = fieldsIn(line, 'payload')
    const directory = textIn(meta, 'cwd')
    const isSubAgent =
      isFields(field(fieldsIn(meta, 'source'), 'subagent')) || textIn(meta, 'thread_source') === 'subagent'
    const isScript = isOfScript(meta)
    return { ...(directory !== undefined && { directory }), isSubAgent, ...(isScript && { isScript }) }
  }
  if (textIn(line, 'type') !== 'message') return undefined
  const [, directory] =
    CWD.exec(
      listIn(line, 'content')
        .map(item => textIn(item, 'text') ?? '')
        .join('\n'),
    ) ?? []
  return directory === undefined ? undefined : { directory }
}

/** With what was piped in, `codex exec` asks what nobody said. */
function isOfScript(meta: Fields): boolean {
  return textIn(meta, 'source') === 'exec'
}

const CWD = /(?:<cwd>|Current working directory: )([^<\n]+)/

/**
 * A rollout of Codex: `{timestamp, type, payload}` a line; until September 2025 bare items. What is said stands
 * in it twice, as items and as events for the screen: the items are taken.
 */
export class CodexRollout implements LineConverter {
  #ids = new MessageIds()
  #at: string
  #provider = 'openai'
  #model: string | undefined
  #isScript = false
  /** A session is known by what its owner said first; this one's owner said nothing. */
  #scriptAsked: string | undefined
  #tools = new Map<string, string>()
  #title: string | undefined
  #countedTokens = 0
  /** Its usage comes after it. */
  #held: Message | undefined

  constructor(at: string) {
    this.#at = at
  }

  take(line: unknown): Told[] {
    if (!isFields(line)) return [{ problem: 'it is not an object' }]
    this.#at = timeOf(field(line, 'timestamp')) ?? this.#at
    const payload = fieldsIn(line, 'payload')
    switch (textIn(line, 'type')) {
      case 'session_meta':
        this.#provider = textIn(payload, 'model_provider') ?? this.#provider
        this.#isScript = isOfScript(payload)
        return []
      case 'turn_context':
        this.#model = textIn(payload, 'model') ?? this.#model
        return []
      case 'event_msg':
        this.#event(payload)
        return []
      case 'compacted':
        return this.#next(payload, {
          role: 'user',
          origin: 'program',
          parts: textParts(textIn(payload, 'message')),
        })
      case 'response_item':
        return isFields(field(line, 'payload')) ? this.#item(payload) : [{ problem: 'it has no item' }]
      default:
        return this.#item(line)
    }
  }

  finish(): Told[] {
    const title = titleFrom(this.#title ?? this.#scriptAsked ?? '')
    return [...this.#release(), ...(title === '' ? [] : [{ title }])]
  }

  #event(event: Fields): void {
    const type = textIn(event, 'type')
    if (type === 'thread_name_updated') this.#title = textIn(event, 'thread_name') ?? this.#title
    if (type !== 'token_count' || !this.#held) return
    const info = fieldsIn(event, 'info')
    // The same count is told again with every change of the limits.
    const total = countIn(fieldsIn(info, 'total_token_usage'), 'total_tokens')
    if (total === 0 || total === this.#countedTokens) return
    this.#countedTokens = total
    this.#held = { ...this.#held, usage: usageOf(fieldsIn(info, 'last_token_usage')) }
  }

  #item(item: Fields): Told[] {
    switch (textIn(item, 'type')) {
      case 'message':
        return this.#message(item)
      case 'reasoning':
        return this.#reply(item, thinkingParts(item))
      case 'function_call':
        return this.#call(item, textIn(item, 'name'), jsonIn(textIn(item, 'arguments') ?? ''))
      case 'custom_tool_call':
        return this.#call(item, textIn(item, 'name'), plainJson(field(item, 'input') ?? ''))
      case 'local_shell_call':
        return this.#call(item, 'local_shell', plainJson(field(item, 'action') ?? {}))
      case 'function_call_output':
      case 'custom_tool_call_output':
        return this.#result(item)
      case 'web_search_call':
        // It ran at the provider, and what it found is not told.
        return this.#reply(item, [otherPart(field(item, 'action') ?? {}, 'tool', 'web_search')])
      default:
        return []
    }
  }

  #message(item: Fields): Told[] {
    const content = field(item, 'content')
    if (typeof content !== 'string' && !Array.isArray(content))
      return [{ problem: 'its message has no content' }]
    const role = textIn(item, 'role')
    const parts = typeof content === 'string' ? [textPart(content)] : content.map(contentPart)
    if (role === 'assistant') return this.#reply(item, parts)
    if (role !== 'user') return this.#next(item, { role: 'user', origin: 'program', parts })
    const told = toldApart(parts, CODEX_MARKS)
    if (!this.#isScript || told.origin !== 'person') return this.#next(item, { role: 'user', ...told })
    this.#scriptAsked ??= textOf(told)
    return this.#next(item, { role: 'user', origin: 'program', parts })
  }

  #reply(item: Fields, parts: Part[]): Told[] {
    const model = this.#model === undefined ? {} : { model: `${this.#provider}/${this.#model}` }
    return this.#next(item, { role: 'assistant', origin: 'model', parts, ...model })
  }

  #call(item: Fields, name: string | undefined, input: ReturnType<typeof plainJson>): Told[] {
    const call = textIn(item, 'call_id') ?? textIn(item, 'id')
    if (call === undefined) return [{ problem: 'its call has no id' }]
    const tool = name ?? 'unknown'
    this.#tools.set(call, tool)
    return this.#reply(item, [{ type: 'tool-call', call, tool, input }])
  }

  #result(item: Fields): Told[] {
    const call = textIn(item, 'call_id')
    if (call === undefined) return [{ problem: 'its result has no id of a call' }]
    const { content, outcome } = outputOf(field(item, 'output'))
    const tool = this.#tools.get(call) ?? 'unknown'
    return this.#next(item, {
      role: 'tool',
      origin: 'tool',
      parts: [toolResult(call, tool, outcome, content)],
    })
  }

  #next(item: Fields, said: Pick<Message, 'role' | 'origin' | 'parts' | 'model'>): Told[] {
    if (said.parts.length === 0 || !saysSomething(said)) return []
    const message = { id: this.#ids.of(undefined, [this.#at, item]), at: this.#at, ...said }
    const before = this.#release()
    if (message.role !== 'assistant') return [...before, { message }]
    this.#held = message
    return before
  }

  #release(): Told[] {
    const message = this.#held
    this.#held = undefined
    return message ? [{ message }] : []
  }
}

function textParts(text: string | undefined): TextPart[] {
  return text === undefined || text.trim() === '' ? [] : [textPart(text)]
}

function contentPart(item: unknown): TextPart | ImagePart | AttachmentPart {
  const text = textIn(item, 'text')
  if (text !== undefined) return textPart(text)
  const url = textIn(item, 'image_url')
  return url === undefined ? otherPart(item, 'program', textIn(item, 'type')) : imageOrLink(url, 'person')
}

function thinkingParts(item: Fields): Part[] {
  const texts = [...listIn(item, 'summary'), ...listIn(item, 'content')].map(
    part => textIn(part, 'text') ?? '',
  )
  const text = texts.filter(each => each !== '').join('\n\n')
  return text === '' ? [] : [{ type: 'thinking', text }]
}

interface Output {
  content: Array<TextPart | ImagePart>
  outcome: ToolOutcome
}

/** A text, a list of contents, `{content, success}`, or a text that holds `{output, metadata}`. */
function outputOf(output: unknown): Output {
  if (Array.isArray(output)) {
    const parts = output.map(contentPart)
    const content = parts.map(part => (part.type === 'attachment' ? textPart(part.text) : part))
    return { content, outcome: 'ok' }
  }
  if (isFields(output)) {
    const outcome = field(output, 'success') === false ? 'error' : 'ok'
    const { content } = outputOf(field(output, 'content') ?? field(output, 'output') ?? '')
    return { content, outcome }
  }
  const text = typeof output === 'string' ? output : ''
  const told = text.startsWith('{"output":') ? jsonIn(text) : undefined
  const inner = textIn(told, 'output')
  if (inner === undefined) return { content: textParts(text), outcome: 'ok' }
  const code = field(fieldsIn(told, 'metadata'), 'exit_code')
  return { content: textParts(inner), outcome: typeof code === 'number' && code !== 0 ? 'error' : 'ok' }
}

function usageOf(usage: Fields): Usage {
  return {
    input: countIn(usage, 'input_tokens'),
    output: countIn(usage, 'output_tokens'),
    cacheRead: countIn(usage, 'cached_input_tokens'),
    cacheWrite: countIn(usage, 'cache_write_input_tokens'),
  }
}
