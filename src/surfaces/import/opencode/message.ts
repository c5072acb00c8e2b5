import type { Message, Part, Stop, ToolOutcome, ToolResultPart, Usage } from '../../../session/index.ts'
import { countIn, type Fields, field, fieldsIn, isFields, plainJson, textIn, timeOf } from '../json.ts'
import { attachment, imageFromUrl, otherPart, saysSomething, textPart, toolResult } from '../parts.ts'
import type { Told } from '../source.ts'

/** A message of OpenCode and its parts, each as it stands in its file or row, with its id. */
export interface StoredMessage {
  id: string
  info: unknown
  parts: ReadonlyArray<{ id: string; data: unknown }>
}

/** What is not said by anybody: where a step begins and ends, and which files it changed. */
const BOOKKEEPING = new Set([
  'step-start',
  'step-finish',
  'snapshot',
  'patch',
  'retry',
  'compaction',
  'agent',
])
const STOPS: ReadonlyMap<unknown, Stop> = new Map([
  ['stop', 'end'],
  ['tool-calls', 'tools'],
  ['length', 'length'],
])

/** Whether nothing more is going to be added to a message. */
export function isComplete(info: unknown): boolean {
  if (textIn(info, 'role') !== 'assistant') return false
  return timeOf(field(fieldsIn(info, 'time'), 'completed')) !== undefined || isFields(field(info, 'error'))
}

/** The messages that a message of OpenCode is: its tools have their results in the same part as the call. */
export function convertMessage({ id, info, parts }: StoredMessage, fallbackAt: string): Told[] {
  const role = textIn(info, 'role')
  if (role !== 'user' && role !== 'assistant')
    return [{ problem: `message ${JSON.stringify(id)} has no role` }]
  const at = timeOf(field(fieldsIn(info, 'time'), 'created')) ?? fallbackAt
  const said = parts.filter(({ data }) => !BOOKKEEPING.has(textIn(data, 'type') ?? ''))
  const messages = role === 'user' ? asked(id, at, said) : replied(id, at, info, said)
  return messages
    .filter(message => message.parts.length > 0 && saysSomething(message))
    .map(message => ({ message }))
}

function asked(id: string, at: string, stored: StoredMessage['parts']): Message[] {
  const parts = stored.map(({ data }) => askedPart(data))
  const isPersons = parts.some(({ type }) => type === 'text' || type === 'image')
  // Where nobody said anything, what the program put in is the message.
  const told = isPersons ? parts : parts.map(part => ('text' in part ? textPart(part.text) : part))
  return [{ id, role: 'user', origin: isPersons ? 'person' : 'program', at, parts: told }]
}

function askedPart(data: unknown): Part {
  const type = textIn(data, 'type')
  if (type === 'text') {
    const text = textIn(data, 'text') ?? ''
    const isPrograms = field(data, 'synthetic') === true || field(data, 'ignored') === true
    return isPrograms ? attachment('context', 'program', text) : textPart(text)
  }
  return type === 'file' ? filePart(data) : otherPart(data, 'program', type)
}

function filePart(data: unknown): Part {
  const url = textIn(data, 'url') ?? ''
  const name = textIn(data, 'filename')
  if (textIn(data, 'mime')?.startsWith('image/')) {
    const image = imageFromUrl(url)
    if (image) return image
  }
  const text = textIn(fieldsIn(fieldsIn(data, 'source'), 'text'), 'value')
  return attachment('file', 'person', text ?? (url.startsWith('data:') ? 'data' : url), name)
}

function replied(id: string, at: string, info: unknown, stored: StoredMessage['parts']): Message[] {
  const messages: Message[] = []
  const take = (role: 'assistant' | 'tool', parts: readonly Part[]) => {
    if (parts.length === 0) return
    const about = { id: messages.length === 0 ? id : `${id}.${messages.length}`, at, parts }
    messages.push(
      role === 'tool'
        ? { ...about, role, origin: 'tool' }
        : { ...about, role, origin: 'model', ...(messages.length === 0 && aboutReply(info)) },
    )
  }
  let parts: Part[] = []
  let results: ToolResultPart[] = []
  const flush = () => {
    take('assistant', parts)
    take('tool', results)
    parts = []
    results = []
  }
  for (const { id: partId, data } of stored) {
    const type = textIn(data, 'type')
    if (type === 'tool') {
      const call = textIn(data, 'callID') ?? partId
      const tool = textIn(data, 'tool') ?? 'unknown'
      const state = fieldsIn(data, 'state')
      parts.push({ type: 'tool-call', call, tool, input: plainJson(field(state, 'input') ?? {}) })
      results.push(resultOf(call, tool, state))
      continue
    }
    // What comes after a result was said knowing it.
    if (results.length > 0) flush()
    if (type === 'text') parts.push(textPart(textIn(data, 'text') ?? ''))
    else if (type === 'reasoning') parts.push({ type: 'thinking', text: textIn(data, 'text') ?? '' })
    else parts.push(type === 'file' ? filePart(data) : otherPart(data, 'model', type))
  }
  flush()
  return messages
}

function resultOf(call: string, tool: string, state: Fields): ToolResultPart {
  const status = textIn(state, 'status')
  const outcome: ToolOutcome = status === 'completed' ? 'ok' : status === 'error' ? 'error' : 'interrupted'
  const text = textIn(state, 'output') ?? textIn(state, 'error') ?? ''
  return toolResult(call, tool, outcome, text === '' ? [] : [textPart(text)])
}

function aboutReply(info: unknown): Pick<Message, 'model' | 'usage' | 'stop'> {
  const [provider, model] = [textIn(info, 'providerID'), textIn(info, 'modelID')]
  const stop = stopOf(info)
  return {
    ...(provider !== undefined && model !== undefined && { model: `${provider}/${model}` }),
    usage: usageOf(info),
    ...(stop && { stop }),
  }
}

function stopOf(info: unknown): Stop | undefined {
  const error = field(info, 'error')
  if (isFields(error)) return textIn(error, 'name') === 'MessageAbortedError' ? 'interrupted' : 'error'
  return STOPS.get(field(info, 'finish'))
}

function usageOf(info: unknown): Usage {
  const tokens = fieldsIn(info, 'tokens')
  const cache = fieldsIn(tokens, 'cache')
  const [cacheRead, cacheWrite] = [countIn(cache, 'read'), countIn(cache, 'write')]
  const usd = field(info, 'cost')
  return {
    input: countIn(tokens, 'input') + cacheRead + cacheWrite,
    output: countIn(tokens, 'output') + countIn(tokens, 'reasoning'),
    cacheRead,
    cacheWrite,
    ...(typeof usd === 'number' && Number.isFinite(usd) && usd > 0 && { usd }),
  }
}
