import { type Message, type MessageOrigin, type Part, titleFrom } from '../../../session/index.ts'
import { MessageIds } from '../ids.ts'
import { type Fields, field, fieldsIn, isFields, listIn, textIn, timeOf } from '../json.ts'
import { attachment, saysSomething, textPart, toolResult } from '../parts.ts'
import type { Told } from '../source.ts'

/** What is put into a conversation and not said in it. */
const INJECTED: ReadonlyMap<string, MessageOrigin> = new Map([
  ['user_editable_context', 'program'],
  // What ChatGPT remembers of its owner.
  ['model_editable_context', 'memory'],
])

/** The messages on the way from the first to the one that was looked at last: other ways were tried and left. */
export function convertConversation(conversation: unknown): Told[] {
  const mapping = field(conversation, 'mapping')
  if (!isFields(mapping)) return [{ problem: 'it has no messages (mapping)' }]
  const reader = new Reader(
    timeOf(field(conversation, 'create_time')) ?? timeOf(field(conversation, 'update_time')),
    textIn(conversation, 'default_model_slug'),
  )
  const told = pathTo(mapping, lastNode(conversation, mapping)).flatMap(node => reader.take(node))
  const title = titleFrom(textIn(conversation, 'title') ?? '')
  return title === '' ? told : [...told, { title }]
}

function pathTo(mapping: Fields, last: string | undefined): unknown[] {
  const path: unknown[] = []
  const seen = new Set<string>()
  for (let id = last; id !== undefined && !seen.has(id); id = textIn(field(mapping, id), 'parent')) {
    seen.add(id)
    path.push(field(mapping, id))
  }
  return path.reverse()
}

/** `current_node`; where an export has lost it, the newest message. */
function lastNode(conversation: unknown, mapping: Fields): string | undefined {
  const current = textIn(conversation, 'current_node')
  if (current !== undefined && Object.hasOwn(mapping, current)) return current
  const times = Object.entries(mapping).map(([id, node]) => {
    const at = timeOf(field(fieldsIn(node, 'message'), 'create_time'))
    return { id, at: at ?? '' }
  })
  return times.reduce<(typeof times)[number] | undefined>(
    (latest, each) => (latest === undefined || each.at >= latest.at ? each : latest),
    undefined,
  )?.id
}

class Reader {
  #ids = new MessageIds()
  #at: string
  #model: string | undefined
  /** The call that has no result yet: ChatGPT's have no ids. */
  #call: { call: string; tool: string } | undefined

  constructor(at: string | undefined, model: string | undefined) {
    this.#at = at ?? new Date(0).toISOString()
    this.#model = model
  }

  take(node: unknown): Told[] {
    const message = fieldsIn(node, 'message')
    const role = textIn(fieldsIn(message, 'author'), 'role')
    if (role === undefined) return []
    this.#at = timeOf(field(message, 'create_time')) ?? this.#at
    const id = this.#ids.of(field(message, 'id') ?? field(node, 'id'), message)
    const said = this.#said(role, id, message)
    if (said.parts.length === 0 || !saysSomething(said)) return []
    return [{ message: { id, at: this.#at, ...said } }]
  }

  #said(role: string, id: string, message: Fields): Omit<Message, 'id' | 'at'> {
    const content = fieldsIn(message, 'content')
    const parts = partsOf(content)
    const injected = INJECTED.get(textIn(content, 'content_type') ?? '')
    if (injected) return { role: 'user', origin: injected, parts }
    switch (role) {
      case 'assistant':
        return this.#reply(id, message, content, parts)
      case 'tool':
        return this.#result(message, parts)
      case 'user':
        return { role: 'user', origin: isHidden(message) ? 'program' : 'person', parts }
      default:
        return { role: 'user', origin: 'program', parts }
    }
  }

  #reply(id: string, message: Fields, content: Fields, parts: Part[]): Omit<Message, 'id' | 'at'> {
    const model = textIn(fieldsIn(message, 'metadata'), 'model_slug') ?? this.#model
    const reply = {
      role: 'assistant',
      origin: 'model',
      ...(model !== undefined && { model: `openai/${model}` }),
    } as const
    const recipient = textIn(message, 'recipient') ?? 'all'
    if (recipient === 'all' || textIn(content, 'content_type') === 'thoughts') return { ...reply, parts }
    const text = parts.map(part => ('text' in part ? part.text : '')).join('\n\n')
    this.#call = { call: id, tool: recipient }
    return { ...reply, parts: [{ type: 'tool-call', ...this.#call, input: text }] }
  }

  #result(message: Fields, parts: Part[]): Omit<Message, 'id' | 'at'> {
    const name = textIn(fieldsIn(message, 'author'), 'name') ?? 'unknown'
    const call = this.#call
    this.#call = undefined
    const content = parts.map(part =>
      part.type === 'image' ? part : textPart('text' in part ? part.text : ''),
    )
    if (call)
      return { role: 'tool', origin: 'tool', parts: [toolResult(call.call, call.tool, 'ok', content)] }
    // A tool may tell more than once, or without having been called.
    const told = content.map(part =>
      part.type === 'text' ? attachment('tool-output', 'tool', part.text, name) : part,
    )
    return { role: 'user', origin: 'tool', parts: told }
  }
}

function isHidden(message: Fields): boolean {
  const metadata = fieldsIn(message, 'metadata')
  return (
    field(metadata, 'is_visually_hidden_from_conversation') === true ||
    field(metadata, 'is_user_system_message') === true
  )
}

function partsOf(content: Fields): Part[] {
  switch (textIn(content, 'content_type')) {
    case 'thoughts':
      return listIn(content, 'thoughts').flatMap(thought => {
        const texts = [textIn(thought, 'summary') ?? '', textIn(thought, 'content') ?? '']
        const text = texts.filter(each => each.trim() !== '').join('\n\n')
        return text === '' ? [] : [{ type: 'thinking', text }]
      })
    case 'reasoning_recap': // "Thought for 5 seconds"
      return []
    case 'user_editable_context':
      return texts(content, ['user_profile', 'user_instructions'])
    case 'model_editable_context':
      return texts(content, ['model_set_context'])
    case 'tether_quote':
      return texts(content, ['title', 'url', 'text'])
    case 'tether_browsing_display':
      return texts(content, ['summary', 'result'])
    default:
      return [...texts(content, ['text']), ...listIn(content, 'parts').flatMap(partOf)]
  }
}

function texts(content: Fields, keys: readonly string[]): Part[] {
  const found = keys.map(key => textIn(content, key) ?? '').filter(text => text.trim() !== '')
  return found.length === 0 ? [] : [textPart(found.join('\n\n'))]
}

function partOf(part: unknown): Part[] {
  if (typeof part === 'string') return part.trim() === '' ? [] : [textPart(part)]
  const text = textIn(part, 'text')
  if (text !== undefined) return text.trim() === '' ? [] : [textPart(text)]
  // Images and sounds are files of their own in an export, and are not taken over: that they were there is.
  const pointer = textIn(part, 'asset_pointer')
  return pointer === undefined ? [] : [attachment('file', 'person', pointer, textIn(part, 'content_type'))]
}
