/**
 * A message: the one type for what is said in a conversation, from the surface to the disk. It becomes a
 * provider's form only where the provider is called.
 */
import type { Usage } from '../models/index.ts'

export type { Usage }

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

export const ROLES = ['user', 'assistant', 'tool'] as const
export type Role = (typeof ROLES)[number]

/**
 * Who is behind a message. Only `person` is the owner speaking; what anybody else said is data, and nothing is
 * learned from `memory`, `schedule`, `dream` or `program`.
 */
export const MESSAGE_ORIGINS = [
  /** Typed or said by somebody. */
  'person',
  /** Written by a model. */
  'model',
  /** What a tool returned. */
  'tool',
  /** Remembered before, and injected. */
  'memory',
  /** The prompt of a schedule or a heartbeat. */
  'schedule',
  'dream',
  /** News of work in the background. */
  'notification',
  /** Put in by the program that runs the conversation: a request to go on, a summary, a reminder. */
  'program',
] as const
export type MessageOrigin = (typeof MESSAGE_ORIGINS)[number]

/** What a provider wants back unchanged with the next request, such as a signature. */
interface FromProvider {
  provider?: { readonly [key: string]: Json }
}

export interface TextPart extends FromProvider {
  type: 'text'
  text: string
}

export interface ThinkingPart extends FromProvider {
  type: 'thinking'
  text: string
}

export interface ToolCallPart extends FromProvider {
  type: 'tool-call'
  /** Unique in the session. */
  call: string
  tool: string
  input: Json
}

export type ToolOutcome = 'ok' | 'error' | 'denied' | 'interrupted'

export interface ToolResultPart {
  type: 'tool-result'
  call: string
  tool: string
  outcome: ToolOutcome
  content: ReadonlyArray<TextPart | ImagePart>
  /** Where all of it is, when `content` is only its beginning. */
  file?: string
}

export interface ImagePart {
  type: 'image'
  mediaType: string
  /** Base64. */
  data: string
}

/** Something that goes with a message and is not said by its author: recalled memories, metadata, a file. */
export interface AttachmentPart {
  type: 'attachment'
  kind: string
  origin: MessageOrigin
  name?: string
  text: string
}

export type Part = TextPart | ThinkingPart | ToolCallPart | ToolResultPart | ImagePart | AttachmentPart

/** Why a reply ended. */
export type Stop = 'end' | 'tools' | 'length' | 'interrupted' | 'error'

export interface Message {
  id: string
  role: Role
  origin: MessageOrigin
  /** ISO 8601, in UTC. */
  at: string
  parts: readonly Part[]
  /** Of a reply. */
  model?: string
  usage?: Usage
  stop?: Stop
  /** Said while memory was off: nothing is learnt from it, whoever looks at it and when. */
  offRecord?: true
}

/** The words of a message, without thinking, tools and attachments. */
export function textOf({ parts }: Pick<Message, 'parts'>): string {
  return parts
    .filter(part => part.type === 'text')
    .map(({ text }) => text)
    .join('\n\n')
}

export function toolCallsOf({ parts }: Pick<Message, 'parts'>): ToolCallPart[] {
  return parts.filter(part => part.type === 'tool-call')
}

export function toolResultsOf({ parts }: Pick<Message, 'parts'>): ToolResultPart[] {
  return parts.filter(part => part.type === 'tool-result')
}

export const NO_USAGE: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

/** Tokens and money of two replies together; the price of the whole is known when a part's is. */
export function addUsage(a: Usage, b: Usage): Usage {
  const usd = a.usd === undefined && b.usd === undefined ? undefined : (a.usd ?? 0) + (b.usd ?? 0)
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    ...(usd !== undefined && { usd }),
  }
}
