import {
  addUsage,
  type ImagePart,
  type Message,
  type MessageOrigin,
  NO_USAGE,
  type Part,
  type Stop,
  type TextPart,
  type ToolOutcome,
  type ToolResultPart,
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
  listIn,
  plainJson,
  textIn,
  timeOf,
} from '../json.ts'
import { otherPart, saysSomething, textPart, toldApart, toolResult } from '../parts.ts'
import type { Told } from '../source.ts'
import type { LineConverter } from '../transcript-file.ts'
import { CLAUDE_CODE_MARKS } from './marks.ts'

/** `claude -p`: with what was piped in, it asks what nobody said. */
const SCRIPT = 'sdk-cli'
const SUB_AGENT_MESSAGES = 'messages of sub-agents'
/** Claude Code's own name for a model that is none: an error, or a reply that was not asked for. */
const NO_MODEL = '<synthetic>'
const STOPS: ReadonlyMap<unknown, Stop> = new Map([
  ['end_turn', 'end'],
  ['stop_sequence', 'end'],
  ['tool_use', 'tools'],
  ['max_tokens', 'length'],
])
const DENIED = /^The user doesn't want to (?:proceed|take this action)|^User rejected tool use/

/** A transcript of Claude Code: one content block of a reply a line, and much that is only bookkeeping. */
export class ClaudeCodeTranscript implements LineConverter {
  #ids = new MessageIds()
  #at: string
  /** The name of the tool of each call. */
  #tools = new Map<string, string>()
  /** What has been counted of each reply: its lines all carry the usage of the whole. */
  #counted = new Map<string, Usage>()
  #lines = new Set<string>()
  /** A session is known by what its owner said first; this one's owner said nothing. */
  #scriptAsked: string | undefined
  #customTitle: string | undefined
  #aiTitle: string | undefined
  #summaries = new Map<string, string>()

  /** `at`: when a message was written that does not say so. */
  constructor(at: string) {
    this.#at = at
  }

  take(line: unknown): Told[] {
    if (!isFields(line)) return [{ problem: 'it is not an object' }]
    const type = textIn(line, 'type')
    if (type === 'custom-title') this.#customTitle = textIn(line, 'customTitle')
    else if (type === 'ai-title') this.#aiTitle = textIn(line, 'aiTitle')
    else if (type === 'summary')
      this.#summaries.set(textIn(line, 'leafUuid') ?? '', textIn(line, 'summary') ?? '')
    if (type !== 'user' && type !== 'assistant' && type !== 'attachment') return []
    if (field(line, 'isSidechain') === true) return [{ leftOut: SUB_AGENT_MESSAGES }]
    this.#at = timeOf(field(line, 'timestamp')) ?? this.#at
    const uuid = textIn(line, 'uuid')
    if (uuid !== undefined) this.#lines.add(uuid)
    if (type === 'attachment') return this.#queued(line)
    return type === 'user' ? this.#user(line) : this.#assistant(line)
  }

  finish(): Told[] {
    // Summaries stand in any file; one is about this session if the message that it sums up to is here.
    const [, summary] = [...this.#summaries].findLast(([leaf]) => this.#lines.has(leaf)) ?? []
    const title = titleFrom(this.#customTitle || this.#aiTitle || summary || this.#scriptAsked || '')
    return title === '' ? [] : [{ title }]
  }

  #user(line: Fields): Told[] {
    const content = field(fieldsIn(line, 'message'), 'content')
    if (typeof content !== 'string' && !Array.isArray(content))
      return [{ problem: 'its message has no content' }]
    const blocks: readonly unknown[] =
      typeof content === 'string' ? [{ type: 'text', text: content }] : content
    const isResult = (block: unknown) => textIn(block, 'type') === 'tool_result'
    const results = blocks.filter(isResult).map(block => this.#result(block, line))
    const rest = blocks.filter(block => !isResult(block)).map(partOf)
    const id = this.#ids.of(field(line, 'uuid'), [this.#at, content])
    return [
      ...this.#messages({ id, role: 'tool', origin: 'tool', at: this.#at, parts: results }),
      ...this.#messages({ id: results.length > 0 ? `${id}.said` : id, ...this.#asked(line, rest) }),
    ]
  }

  #asked(line: Fields, parts: readonly Part[]): Omit<Message, 'id'> {
    const about = { role: 'user', at: this.#at } as const
    const kind = textIn(fieldsIn(line, 'origin'), 'kind')
    if (kind !== undefined && kind !== 'human') return { ...about, origin: originOf(kind), parts }
    const isInjected = field(line, 'isMeta') === true || field(line, 'isCompactSummary') === true
    const isScript = textIn(line, 'entrypoint') === SCRIPT
    if (isScript && !isInjected) this.#scriptAsked ??= textOf({ parts })
    return isInjected || isScript
      ? { ...about, origin: 'program', parts }
      : { ...about, ...toldApart(parts, CLAUDE_CODE_MARKS) }
  }

  /** What was typed while a reply was being written is never a line of its own type. */
  #queued(line: Fields): Told[] {
    const queued = fieldsIn(line, 'attachment')
    if (textIn(queued, 'type') !== 'queued_command') return []
    const prompt = field(queued, 'prompt')
    const parts = typeof prompt === 'string' ? [textPart(prompt)] : listIn(queued, 'prompt').map(partOf)
    const mode = textIn(queued, 'commandMode') ?? 'prompt'
    const asked: Omit<Message, 'id'> =
      mode === 'prompt'
        ? this.#asked(queued, parts)
        : { role: 'user', origin: originOf(mode), at: this.#at, parts }
    return this.#messages({ id: this.#ids.of(field(line, 'uuid'), [this.#at, prompt]), ...asked })
  }

  #assistant(line: Fields): Told[] {
    const message = fieldsIn(line, 'message')
    const content = field(message, 'content')
    if (typeof content !== 'string' && !Array.isArray(content))
      return [{ problem: 'its message has no content' }]
    const model = textIn(message, 'model')
    const usage = this.#usageOf(message, line)
    const stop = STOPS.get(field(message, 'stop_reason'))
    const parts =
      typeof content === 'string' ? [textPart(content)] : content.flatMap(block => this.#said(block))
    const isReply = model !== NO_MODEL
    return this.#messages({
      id: this.#ids.of(field(line, 'uuid'), [this.#at, content]),
      role: 'assistant',
      origin: isReply ? 'model' : 'program',
      at: this.#at,
      parts,
      ...(isReply && model !== undefined && { model: `anthropic/${model}` }),
      ...(isReply && usage && { usage }),
      ...(stop && { stop }),
    })
  }

  #said(block: unknown): Part[] {
    const type = textIn(block, 'type')
    if (type === 'text') return [textPart(textIn(block, 'text') ?? '')]
    if (type === 'thinking') return thinkingPart(block)
    if (type === 'redacted_thinking') return []
    if (type !== 'tool_use') return [otherPart(block, 'model', type)]
    const call = textIn(block, 'id')
    if (call === undefined) return [otherPart(block, 'model', type)]
    const tool = textIn(block, 'name') ?? 'unknown'
    this.#tools.set(call, tool)
    return [{ type: 'tool-call', call, tool, input: plainJson(field(block, 'input') ?? {}) }]
  }

  #result(block: unknown, line: Fields): ToolResultPart {
    const call = textIn(block, 'tool_use_id') ?? ''
    const content = field(block, 'content')
    const parts = typeof content === 'string' ? [textPart(content)] : listIn(block, 'content').map(resultPart)
    const failed = field(block, 'is_error') === true
    return toolResult(call, this.#tools.get(call) ?? 'unknown', outcomeOf(failed, parts, line), parts)
  }

  /** What a line adds to what has been counted of its reply; nothing when it says the same again. */
  #usageOf(message: Fields, line: Fields): Usage | undefined {
    const usage = fieldsIn(message, 'usage')
    const cacheRead = countIn(usage, 'cache_read_input_tokens')
    const cacheWrite = countIn(usage, 'cache_creation_input_tokens')
    const usd = field(line, 'costUSD')
    const whole: Usage = {
      input: countIn(usage, 'input_tokens') + cacheRead + cacheWrite,
      output: countIn(usage, 'output_tokens'),
      cacheRead,
      cacheWrite,
      ...(typeof usd === 'number' && usd > 0 && { usd }),
    }
    const reply = textIn(message, 'id')
    const before = (reply !== undefined && this.#counted.get(reply)) || NO_USAGE
    const more: Usage = {
      input: Math.max(0, whole.input - before.input),
      output: Math.max(0, whole.output - before.output),
      cacheRead: Math.max(0, cacheRead - before.cacheRead),
      cacheWrite: Math.max(0, cacheWrite - before.cacheWrite),
      ...(before === NO_USAGE && whole.usd !== undefined && { usd: whole.usd }),
    }
    if (more.input === 0 && more.output === 0) return undefined
    if (reply !== undefined) this.#counted.set(reply, addUsage(before, more))
    return more
  }

  #messages(message: Message): Told[] {
    return message.parts.length > 0 && saysSomething(message) ? [{ message }] : []
  }
}

function originOf(kind: string): MessageOrigin {
  return kind === 'task-notification' ? 'notification' : 'program'
}

function partOf(block: unknown): Part {
  const type = textIn(block, 'type')
  const text = textIn(block, 'text')
  if (type === 'text' && text !== undefined) return textPart(text)
  return (type === 'image' && imagePart(block)) || otherPart(withoutData(block), 'program', type)
}

function resultPart(block: unknown): TextPart | ImagePart {
  const part = partOf(block)
  if (part.type === 'text' || part.type === 'image') return part
  return textPart('text' in part ? part.text : '')
}

function imagePart(block: unknown): ImagePart | undefined {
  const source = fieldsIn(block, 'source')
  const [mediaType, data] = [textIn(source, 'media_type'), textIn(source, 'data')]
  return mediaType !== undefined && data !== undefined ? { type: 'image', mediaType, data } : undefined
}

/** A document is named; its megabytes are not a part of what was said. */
function withoutData(block: unknown): unknown {
  const source = fieldsIn(block, 'source')
  if (textIn(source, 'data') === undefined || !isFields(block)) return block
  const { data: _, ...rest } = source
  return { ...block, source: rest }
}

function thinkingPart(block: unknown): Part[] {
  const text = textIn(block, 'thinking') ?? ''
  const signature = textIn(block, 'signature') ?? ''
  if (text === '' && signature === '') return []
  return [{ type: 'thinking', text, ...(signature !== '' && { provider: { anthropic: { signature } } }) }]
}

function outcomeOf(failed: boolean, parts: ToolResultPart['content'], line: Fields): ToolOutcome {
  const told = field(line, 'toolUseResult')
  if (field(told, 'interrupted') === true) return 'interrupted'
  if (!failed) return 'ok'
  const [first] = parts
  const texts = [told, first?.type === 'text' ? first.text : '']
  return texts.some(text => typeof text === 'string' && DENIED.test(text)) ? 'denied' : 'error'
}
