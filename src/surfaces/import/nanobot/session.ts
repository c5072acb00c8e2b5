import type { Message, MessageOrigin, Part, TextPart } from '../../../session/index.ts'
import { MessageIds } from '../ids.ts'
import { type Fields, field, fieldsIn, isFields, jsonIn, listIn, plainJson, textIn, timeOf } from '../json.ts'
import { attachment, imageOrLink, otherPart, saysSomething, textPart, toolResult } from '../parts.ts'
import type { Told } from '../source.ts'
import type { LineConverter } from '../transcript-file.ts'

const CONTEXT = '[Runtime Context'
const CONTEXT_END = '[/Runtime Context]'

/** A session of nanobot: a line about the session, then one message a line, in the form of OpenAI's chat API. */
export class NanobotSession implements LineConverter {
  #ids = new MessageIds()
  #at: string
  #origin: MessageOrigin
  #tools = new Map<string, string>()

  /** `key`: the channel and chat, such as `telegram:1234`, or the schedule that the session is of. */
  constructor(at: string, key: string) {
    this.#at = at
    this.#origin = askedBy(key)
  }

  take(line: unknown): Told[] {
    if (!isFields(line)) return [{ problem: 'it is not an object' }]
    if (textIn(line, '_type') === 'metadata') {
      const key = textIn(line, 'key')
      if (key !== undefined) this.#origin = askedBy(key)
      return []
    }
    this.#at = timeOf(field(line, 'timestamp')) ?? this.#at
    const message = this.#message(line)
    if (!message)
      return [{ problem: `no message has the role ${JSON.stringify(plainJson(field(line, 'role')))}` }]
    if (message.parts.length === 0 || !saysSomething(message)) return []
    return [{ message: { id: this.#ids.of(undefined, line), at: this.#at, ...message } }]
  }

  finish(): Told[] {
    return []
  }

  #message(line: Fields): Omit<Message, 'id' | 'at'> | undefined {
    const parts = contentParts(field(line, 'content'))
    switch (textIn(line, 'role')) {
      case 'user': {
        const isInjected = textIn(line, 'injected_event') !== undefined
        const told = parts.flatMap(withoutContext)
        return { role: 'user', origin: isInjected ? 'notification' : this.#origin, parts: told }
      }
      case 'system':
        return { role: 'user', origin: 'program', parts }
      case 'tool': {
        const call = textIn(line, 'tool_call_id') ?? ''
        const tool = textIn(line, 'name') ?? this.#tools.get(call) ?? 'unknown'
        const content = parts.map(part => (part.type === 'attachment' ? textPart(part.text) : part))
        return { role: 'tool', origin: 'tool', parts: [toolResult(call, tool, 'ok', content)] }
      }
      case 'assistant':
        return {
          role: 'assistant',
          origin: 'model',
          parts: [...thinking(line), ...parts, ...this.#calls(line)],
        }
      default:
        return undefined
    }
  }

  #calls(line: Fields): Part[] {
    return listIn(line, 'tool_calls').map(call => {
      const id = textIn(call, 'id')
      if (id === undefined) return otherPart(call, 'model', 'tool_call')
      const called = fieldsIn(call, 'function')
      const tool = textIn(called, 'name') ?? 'unknown'
      this.#tools.set(id, tool)
      const input = field(called, 'arguments')
      return {
        type: 'tool-call',
        call: id,
        tool,
        input: typeof input === 'string' ? jsonIn(input) : plainJson(input ?? {}),
      }
    })
  }
}

/** Who speaks where a person's words stand. */
function askedBy(key: string): MessageOrigin {
  const [channel] = key.split(/[:_]/, 1)
  if (channel === 'cron' || channel === 'heartbeat') return 'schedule'
  if (channel === 'dream') return 'dream'
  return channel === 'system' ? 'program' : 'person'
}

function contentParts(content: unknown): Array<TextPart | ReturnType<typeof imageOrLink>> {
  if (typeof content === 'string') return content === '' ? [] : [textPart(content)]
  if (!Array.isArray(content)) return []
  return content.map(item => {
    const text = textIn(item, 'text')
    if (text !== undefined) return textPart(text)
    const url = textIn(fieldsIn(item, 'image_url'), 'url')
    return url === undefined ? otherPart(item, 'program', textIn(item, 'type')) : imageOrLink(url, 'person')
  })
}

/** The time and the chat are put before or after what was said. */
function withoutContext(part: Part): Part[] {
  if (part.type !== 'text') return [part]
  const start = part.text.indexOf(CONTEXT)
  if (start < 0) return [part]
  const closing = part.text.indexOf(CONTEXT_END, start)
  const blank = part.text.indexOf('\n\n', start)
  const end = closing >= 0 ? closing + CONTEXT_END.length : blank >= 0 ? blank : part.text.length
  const said = `${part.text.slice(0, start)}${part.text.slice(end)}`.trim()
  return [
    ...(said === '' ? [] : [textPart(said)]),
    attachment('context', 'program', part.text.slice(start, end)),
  ]
}

function thinking(line: Fields): Part[] {
  const text = textIn(line, 'reasoning_content') ?? ''
  return text.trim() === '' ? [] : [{ type: 'thinking', text }]
}
