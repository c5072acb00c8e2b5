/** The conversation as the mind sees it: the last message of the person, and what was done about it since. */
import { separated } from './attachments.ts'
import { type Finding, findingsIn } from './findings.ts'

/** As much of a language model's prompt as the mind looks at; every version of the interface fits. */
export interface Message {
  role: string
  content: string | ReadonlyArray<Part>
}

export interface Part {
  type: string
  text?: string
  toolCallId?: string
  toolName?: string
  input?: unknown
  output?: Output
}

interface Output {
  type: string
  value?: unknown
  reason?: string | undefined
}

export type Result = { ok: true; value: unknown } | { ok: false; message: string }

/** A call that was made, and its result once there is one. */
export interface Made {
  id: string
  name: string
  input: unknown
  result: Result | undefined
}

export interface Turn {
  /** What the person wrote, without what was injected; undefined when only injected things came. */
  words: string | undefined
  /** How many messages the person has written so far. */
  number: number
  /** Memories that were attached to the message. */
  recalled: Finding[]
  made: Made[]
  /** How many times tools were called for this message. */
  steps: number
  before: Before | undefined
}

/** The turn before this one. */
interface Before {
  words: string
  answer: string
  made: Made[]
}

function texts(message: Message): string[] {
  if (typeof message.content === 'string') return [message.content]
  return message.content.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : []))
}

/** The person's own text of a message; undefined when it holds only what was injected. */
function wordsOf(message: Message): string | undefined {
  if (message.role !== 'user') return undefined
  const parts = texts(message).map(separated)
  const own = parts.map(part => part.own.trim()).filter(Boolean)
  return own.length === 0 && parts.some(({ attachments }) => attachments.length > 0)
    ? undefined
    : own.join('\n\n')
}

export function readTurn(prompt: readonly Message[]): Turn {
  const starts = prompt.flatMap((message, at) => (wordsOf(message) === undefined ? [] : [at]))
  const start = starts.at(-1)
  if (start === undefined)
    return { words: undefined, number: 0, recalled: [], made: [], steps: 0, before: undefined }
  const since = prompt.slice(start)
  const earlier = starts.at(-2)
  const before = earlier === undefined ? undefined : prompt.slice(earlier, start)
  const message = since[0]
  return {
    words: isAnswered(since) ? undefined : message && wordsOf(message),
    number: starts.length,
    recalled: attachedMemories(prompt, start),
    made: callsIn(since),
    steps: since.filter(({ role, content }) => role === 'assistant' && hasCall(content)).length,
    before: before?.[0] && {
      words: wordsOf(before[0]) ?? '',
      answer: answerIn(before),
      made: callsIn(before),
    },
  }
}

function hasCall(content: Message['content']): boolean {
  return typeof content !== 'string' && content.some(({ type }) => type === 'tool-call')
}

/** The person's message has had its answer, and something else was injected after it. */
function isAnswered(since: readonly Message[]): boolean {
  const answer = since.findLastIndex(({ role, content }) => role === 'assistant' && !hasCall(content))
  return answer > 0 && since.slice(answer + 1).some(({ role }) => role === 'user')
}

function answerIn(messages: readonly Message[]): string {
  return messages
    .filter(({ role }) => role === 'assistant')
    .flatMap(texts)
    .join('\n')
}

function callsIn(messages: readonly Message[]): Made[] {
  const parts = messages.flatMap(({ role, content }) =>
    role === 'user' || typeof content === 'string' ? [] : content,
  )
  const results = new Map<string, Output>()
  for (const { type, toolCallId, output } of parts)
    if (type === 'tool-result' && toolCallId !== undefined && output) results.set(toolCallId, output)
  return parts.flatMap(({ type, toolCallId = '', toolName = '', input }) => {
    if (type !== 'tool-call') return []
    const output = results.get(toolCallId)
    return [{ id: toolCallId, name: toolName, input: parsed(input), result: output && resultOf(output) }]
  })
}

function resultOf({ type, value, reason }: Output): Result {
  if (type === 'execution-denied') return { ok: false, message: reason ?? 'It was not allowed.' }
  if (type === 'error-text' || type === 'error-json')
    return { ok: false, message: typeof value === 'string' ? value : (JSON.stringify(value) ?? '') }
  if (type !== 'content' || !Array.isArray(value)) return failedOr(parsed(value))
  const said = value.flatMap((part: unknown) => {
    const text: unknown = (part as { text?: unknown } | null)?.text
    return typeof text === 'string' ? [text] : []
  })
  return failedOr(parsed(said.join('\n')))
}

function failedOr(value: unknown): Result {
  const error: unknown = (value as { error?: unknown } | null | undefined)?.error
  return typeof error === 'string' ? { ok: false, message: error } : { ok: true, value }
}

/** Tools answer in JSON; what is none is a sentence. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

const MEMORY_ATTACHMENT = /^<attachment\b[^>]*\bkind="memory"/i

/** Memories come with the message, or in messages of their own beside it. */
function attachedMemories(prompt: readonly Message[], start: number): Finding[] {
  let first = start
  while (prompt[first - 1]?.role === 'user') first--
  const attached = prompt
    .slice(first)
    .filter(({ role }) => role === 'user')
    .flatMap(texts)
    .flatMap(text => separated(text).attachments)
    .filter(attachment => MEMORY_ATTACHMENT.test(attachment))
    // Whatever else the attachment says about itself, the memories are the list in it.
    .flatMap(attachment => parsed(attachment.slice(attachment.indexOf('['), attachment.lastIndexOf(']') + 1)))
  return findingsIn(attached)
}
