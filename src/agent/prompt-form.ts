/** Messages in the form in which a provider takes them: the one place where ours become theirs. */
import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider'
import { inFence } from '../context/index.ts'
import type { CacheMarkers, OpenedModel } from '../models/index.ts'
import {
  type AttachmentPart,
  type ImagePart,
  type Message,
  type Part,
  type ToolResultPart,
  toolCallsOf,
  toolResultsOf,
} from '../session/index.ts'

export interface Conversation {
  /** The sections of the system prompt, the most stable first. */
  system: readonly string[]
  /** What stands for everything before the first message. */
  summary: string | undefined
  messages: readonly Message[]
}

/**
 * The same messages give the same bytes, whatever comes after them: a provider's cache serves what it has seen.
 * Only the markers move, which tell it up to where to keep.
 */
export function toPrompt(
  { system, summary, messages }: Conversation,
  model: Pick<OpenedModel, 'provider' | 'cacheMarkers'>,
): LanguageModelV4Prompt {
  const marker = MARKERS[model.cacheMarkers]
  const sections = system.filter(section => !isBlank(section))
  const prompt: LanguageModelV4Prompt = [
    // The templates of many local models take one system message and no more; whoever takes markers takes blocks.
    ...(marker || sections.length === 0 ? sections : [sections.join('\n\n')]).map(toSystem),
    ...(summary === undefined ? [] : [{ role: 'user' as const, content: toUserContent([asPart(summary)]) }]),
    ...toTheirs(messages, model.provider),
  ]
  return marker ? withMarkers(prompt, marker) : prompt
}

function toSystem(content: string): LanguageModelV4Message {
  return { role: 'system', content }
}

function asPart(summary: string): Part {
  return {
    type: 'attachment',
    kind: 'summary',
    origin: 'program',
    name: 'what was said before',
    text: summary,
  }
}

/** Those whose wire has a place for images in the result of a tool. Chat Completions has none. */
const TAKE_IMAGES_IN_RESULTS: ReadonlySet<string> = new Set([
  'anthropic',
  'bedrock',
  'google',
  'openai',
  'vertex',
  'xai',
])

function toTheirs(messages: readonly Message[], provider: string): LanguageModelV4Message[] {
  const isOwn = ({ model }: Message) => model === undefined || model.split('/', 1)[0] === provider
  const foreign = messages.filter(message => !isOwn(message)).flatMap(toolCallsOf)
  const foreignIds = new Set(foreign.map(({ call }) => call))
  // Letters that are good for everybody; whoever made an id gets it back as it was.
  const idOf = (call: string) => (foreignIds.has(call) ? call.replaceAll(/[^\w-]/g, '_') : call)
  const placed = TAKE_IMAGES_IN_RESULTS.has(provider) ? messages : withImagesAfterResults(messages)
  return placed.flatMap(message => {
    const theirs = contentOf(message, isOwn(message), idOf)
    return theirs.content.length === 0 ? [] : [theirs]
  })
}

function contentOf(
  { role, parts }: Message,
  own: boolean,
  idOf: (call: string) => string,
): LanguageModelV4Message {
  switch (role) {
    case 'user':
      return { role, content: toUserContent(parts) }
    case 'assistant':
      return { role, content: toAssistantContent(parts, own, idOf) }
    case 'tool':
      return { role, content: toolResultsOf({ parts }).map(part => toResult(part, idOf)) }
  }
}

/**
 * The images follow all results of the reply, in a message of their own: left where they are, they would be sent
 * as text, base64 and all.
 */
function withImagesAfterResults(messages: readonly Message[]): Message[] {
  let images: ImagePart[] = []
  return messages.flatMap((message, at): Message[] => {
    if (message.role !== 'tool') return [message]
    const parts = message.parts.map((part): Part => {
      if (part.type !== 'tool-result' || part.outcome !== 'ok') return part
      images.push(...part.content.filter(each => each.type === 'image'))
      return {
        ...part,
        content: part.content.map(each =>
          each.type === 'image' ? { type: 'text', text: SHOWN_BELOW } : each,
        ),
      }
    })
    const results = { ...message, parts }
    if (images.length === 0 || messages[at + 1]?.role === 'tool') return [results]
    const shown: Message = {
      ...message,
      role: 'user',
      origin: 'program',
      parts: [SHOWN_HERE, ...images],
    }
    images = []
    return [results, shown]
  })
}

const SHOWN_BELOW = '[an image, shown below]'
/** Not said by the person, and marked as such. */
const SHOWN_HERE: AttachmentPart = {
  type: 'attachment',
  kind: 'images',
  origin: 'tool',
  text: 'What the tools returned:',
}

type UserPart = Extract<LanguageModelV4Message, { role: 'user' }>['content'][number]
type AssistantPart = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'][number]
type ResultPart = Extract<LanguageModelV4Message, { role: 'tool' }>['content'][number]

/** Texts that follow each other become one: DeepSeek and others take a string as a message, and no list of parts. */
function toUserContent(parts: readonly Part[]): UserPart[] {
  const content: UserPart[] = []
  for (const part of parts) {
    if (part.type === 'image') content.push(toFile(part))
    const text = part.type === 'text' ? part.text : part.type === 'attachment' ? fenced(part) : ''
    if (isBlank(text)) continue
    const before = content.at(-1)
    if (before?.type === 'text') before.text += `\n\n${text.toWellFormed()}`
    else content.push({ type: 'text', text: text.toWellFormed() })
  }
  return content
}

function toAssistantContent(
  parts: readonly Part[],
  own: boolean,
  idOf: (call: string) => string,
): AssistantPart[] {
  const content = parts.flatMap(part => toAssistantPart(part, own, idOf))
  // Neither Anthropic nor OpenAI takes thinking that nothing follows, as a reply that was cut may leave it.
  return content.slice(0, content.findLastIndex(({ type }) => type !== 'reasoning') + 1)
}

/** What a provider signed, only it can read: another one is given the words and the calls alone. */
function toAssistantPart(part: Part, own: boolean, idOf: (call: string) => string): AssistantPart[] {
  const options =
    own && 'provider' in part && part.provider ? { providerOptions: fromOurs(part.provider) } : {}
  switch (part.type) {
    case 'text':
      return isBlank(part.text) ? [] : [{ type: 'text', text: part.text.toWellFormed(), ...options }]
    case 'thinking':
      return own && (part.text !== '' || part.provider)
        ? [{ type: 'reasoning', text: part.text, ...options }]
        : []
    case 'tool-call':
      return [
        {
          type: 'tool-call',
          toolCallId: idOf(part.call),
          toolName: part.tool,
          input: part.input,
          ...options,
        },
      ]
    default:
      return []
  }
}

function fromOurs(provider: object): SharedV4ProviderOptions {
  return provider as SharedV4ProviderOptions
}

function toResult(
  { call, tool, outcome, content }: ToolResultPart,
  idOf: (call: string) => string,
): ResultPart {
  return { type: 'tool-result', toolCallId: idOf(call), toolName: tool, output: toOutput(outcome, content) }
}

/** Anthropic takes no error without a word. */
const NOTHING = '(nothing)'

function toOutput(
  outcome: ToolResultPart['outcome'],
  content: ToolResultPart['content'],
): LanguageModelV4ToolResultOutput {
  const said = content.filter(part => part.type === 'image' || !isBlank(part.text))
  const texts = said.flatMap(part => (part.type === 'text' ? [part.text.toWellFormed()] : []))
  const value = texts.join('\n') || NOTHING
  if (outcome !== 'ok') return { type: 'error-text', value }
  if (said.length === texts.length) return { type: 'text', value }
  return {
    type: 'content',
    value: said.map(part =>
      part.type === 'text' ? { type: 'text', text: part.text.toWellFormed() } : toFile(part),
    ),
  }
}

/** Anthropic takes no text without a letter, not even its own. */
function isBlank(text: string): boolean {
  return text.trim() === ''
}

function toFile({ mediaType, data }: ImagePart) {
  return { type: 'file' as const, mediaType, data: { type: 'data' as const, data } }
}

/** Data, however it is written: nothing in it ends the fence. */
export function fenced({ kind, name, text }: Pick<AttachmentPart, 'kind' | 'name' | 'text'>): string {
  return inFence('attachment', { kind, name }, text)
}

const MARKERS: Record<CacheMarkers, SharedV4ProviderOptions | undefined> = {
  anthropic: { anthropic: { cacheControl: { type: 'ephemeral' } } },
  bedrock: { bedrock: { cachePoint: { type: 'default' } } },
  none: undefined,
}
/** Claude takes four markers in all: two in the system prompt, at the boundary and the end, and two in what was said. */
const SECTIONS_MARKED = 2

/**
 * Of what was said, the end is marked, and where the request before ended: a provider looks but a few blocks back from
 * a marker for what it has kept, and a reply with many calls is longer than that, with their results.
 */
function withMarkers(
  prompt: LanguageModelV4Prompt,
  providerOptions: SharedV4ProviderOptions,
): LanguageModelV4Prompt {
  const sections = prompt.flatMap(({ role }, at) => (role === 'system' ? [at] : []))
  const replied = prompt.findLastIndex(({ role }) => role === 'assistant')
  const marked = new Set([
    ...sections.slice(-SECTIONS_MARKED),
    prompt.findLastIndex(isHeard),
    prompt.findLastIndex((message, at) => at < replied && isHeard(message)),
  ])
  return prompt.map((message, at) => (marked.has(at) ? { ...message, providerOptions } : message))
}

function isHeard({ role }: LanguageModelV4Message): boolean {
  return role === 'user' || role === 'tool'
}
