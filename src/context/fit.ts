/**
 * What is done when one turn alone is more than there is room for, so that no summary can help: what was written with
 * old calls goes, then the oldest steps, images, and the middle of what is longest. Each function makes messages of
 * messages; the session file has all of it.
 */
import {
  type Json,
  type Message,
  type Part,
  type ToolCallPart,
  type ToolResultPart,
  toolCallsOf,
  toolResultsOf,
} from '../session/index.ts'
import type { Step } from './ageing.ts'
import { currentTurn } from './compaction.ts'
import { estimateMessages, estimatePart, estimateText } from './tokens.ts'

/** Characters of a text within a call that stay. */
const INPUT_KEPT = 200
/** Rounds of calls and results that stay however little room there is. */
const ROUNDS_KEPT = 2
/** Characters that stay of each text. */
const LEAST_KEPT = 400

/** What was written to files with old calls is in the files: of long texts the beginning stays. */
export function clearOldInputs(messages: readonly Message[]): Step {
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  return stepTo(
    messages,
    messages.map((message, at) => (at < last ? withoutInputs(message) : message)),
  )
}

/** The same with the last reply's calls, which say what was done just now: where nothing else helps. */
export function clearInputs(messages: readonly Message[], { most }: { most: number }): Step {
  if (estimateMessages(messages) <= most) return { messages, freed: 0 }
  return stepTo(messages, messages.map(withoutInputs))
}

function withoutInputs(message: Message): Message {
  return message.role === 'assistant' ? withParts(message, clearInput) : message
}

function clearInput(part: Part): Part {
  if (part.type !== 'tool-call') return part
  const input = shortTexts(part.input)
  return input === part.input ? part : { ...part, input }
}

function shortTexts(value: Json): Json {
  if (typeof value === 'string') return cutInput(value)
  if (typeof value !== 'object' || value === null) return value
  const before = Array.isArray(value) ? value : Object.values(value)
  const after = before.map(shortTexts)
  if (after.every((each, at) => each === before[at])) return value
  return Array.isArray(value)
    ? after
    : Object.fromEntries(Object.keys(value).map((key, at) => [key, after[at] ?? null]))
}

const INPUT_CLEARED = '[… cleared]'

function cutInput(text: string): string {
  if (text.length <= INPUT_KEPT + INPUT_CLEARED.length) return text
  return text.slice(0, INPUT_KEPT).toWellFormed() + INPUT_CLEARED
}

/**
 * Leaves out the oldest rounds of the turn that is being answered until the rest fits, never one without its results,
 * and never what somebody said. What is left out is told in one line, which `tell` makes into a message.
 */
export function dropOldSteps(
  messages: readonly Message[],
  { most, tell }: { most: number; tell: (text: string) => Message },
): Step {
  const begin = currentTurn(messages)
  const rounds = roundsOf(messages, begin)
  const dropped = new Set<Message>()
  let tokens = estimateMessages(messages)
  for (const round of rounds.slice(0, Math.max(0, rounds.length - ROUNDS_KEPT))) {
    if (tokens <= most) break
    for (const message of round) dropped.add(message)
    tokens -= estimateMessages(round)
  }
  if (dropped.size === 0) return { messages, freed: 0 }
  const calls = [...dropped].flatMap(toolCallsOf).map(({ tool }) => tool)
  const first = messages.findIndex(message => dropped.has(message))
  const note = tell(
    `[${calls.length} earlier steps of this are left out for want of room: ${counted(calls)}]`,
  )
  const kept = messages.flatMap((message, at) =>
    at === first ? [note] : dropped.has(message) ? [] : [message],
  )
  return stepTo(messages, kept)
}

/** A reply with calls, and their results. */
function roundsOf(messages: readonly Message[], begin: number): Message[][] {
  const rounds: Message[][] = []
  for (const message of messages.slice(begin)) {
    if (message.role === 'assistant') rounds.push([message])
    else if (message.role === 'tool') rounds.at(-1)?.push(message)
  }
  return rounds.filter(([reply]) => reply !== undefined && toolCallsOf(reply).length > 0)
}

/**
 * Leaves out the oldest calls with their results, of a reply that made more than there is room for however short each
 * is: until the rest fits, never the last one, and told in one line. A reply of which no call is left goes with them, for
 * it would pass for the answer.
 */
export function dropCalls(
  messages: readonly Message[],
  { most, tell }: { most: number; tell: (text: string) => Message },
): Step {
  const calls = messages.flatMap(toolCallsOf)
  const costs = new Map(messages.flatMap(costsOfResults))
  const dropped = new Map<string, ToolCallPart>()
  let tokens = estimateMessages(messages)
  if (tokens > most) tokens += NOTE_TOKENS + estimateText(counted(calls.map(({ tool }) => tool)))
  for (const part of calls.slice(0, -1)) {
    if (tokens <= most) break
    dropped.set(part.call, part)
    tokens -= estimatePart(part) + (costs.get(part.call) ?? 0)
  }
  if (dropped.size === 0) return { messages, freed: 0 }
  const names = [...dropped.values()].map(({ tool }) => tool)
  const note = tell(
    `[${dropped.size} calls and what they returned are left out for want of room: ${counted(names)}]`,
  )
  const isDropped = (part: Part) =>
    (part.type === 'tool-call' || part.type === 'tool-result') && dropped.has(part.call)
  const first = messages.findIndex(({ parts }) => parts.some(isDropped))
  const kept = messages.flatMap((message, at): Message[] => {
    const parts = message.parts.filter(part => !isDropped(part))
    const left = parts.length === message.parts.length ? [message] : [{ ...message, parts }]
    const rest = parts.length < message.parts.length && !parts.some(isStep) ? [] : left
    return at === first ? [note, ...rest] : rest
  })
  return stepTo(messages, kept)
}

/** More than the line that stands for them has besides their names. */
const NOTE_TOKENS = 50

/** A message that holds nothing else goes with its result. */
function costsOfResults(message: Message): Array<[call: string, tokens: number]> {
  const results = toolResultsOf(message)
  return results.map(result => [
    result.call,
    results.length === 1 ? estimateMessages([message]) : estimatePart(result),
  ])
}

function isStep({ type }: Part): boolean {
  return type === 'tool-call' || type === 'tool-result'
}

function counted(names: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].map(([name, count]) => `${name} ×${count}`).join(', ')
}

/** Images go, the oldest first, until the rest fits: each leaves a word in its place. */
export function dropImages(messages: readonly Message[], { most }: { most: number }): Step {
  let tokens = estimateMessages(messages)
  const fitted = messages.map(message => {
    if (tokens <= most || !hasImage(message)) return message
    const without = withParts(message, withoutImages)
    tokens -= estimateMessages([message]) - estimateMessages([without])
    return without
  })
  return stepTo(messages, fitted)
}

const NO_IMAGE = { type: 'text', text: '[an image, left out for want of room]' } as const

function hasImage({ parts }: Message): boolean {
  return parts.some(
    part =>
      part.type === 'image' ||
      (part.type === 'tool-result' && part.content.some(({ type }) => type === 'image')),
  )
}

function withoutImages(part: Part): Part {
  if (part.type === 'image') return NO_IMAGE
  if (part.type !== 'tool-result') return part
  return { ...part, content: part.content.map(each => (each.type === 'image' ? NO_IMAGE : each)) }
}

/** A text that is longer than there is room for. */
export interface LongText {
  /** Names it within the session. */
  key: string
  text: string
}

export interface WhichTexts {
  /** What the model said itself counts as well: where nothing else helps. */
  replies?: boolean | undefined
}

/** How many characters of each text can stay so that all fit; undefined when they do as they are. */
export function charactersThatFit(
  messages: readonly Message[],
  { most, replies }: WhichTexts & { most: number },
): number | undefined {
  if (estimateMessages(messages) <= most) return undefined
  let [least, longest] = [
    LEAST_KEPT,
    Math.max(LEAST_KEPT, ...textsIn(messages, { replies }).map(({ text }) => text.length)),
  ]
  while (longest - least > LEAST_KEPT / 4) {
    const middle = Math.floor((least + longest) / 2)
    const { messages: shorter } = shorten(messages, { characters: middle, fileOf: () => '', replies })
    if (estimateMessages(shorter) <= most) least = middle
    else longest = middle
  }
  return least
}

/** What would be shortened, for whoever keeps the whole of it. */
export function longTexts(messages: readonly Message[], characters: number): LongText[] {
  return textsIn(messages, {}).filter(({ text }) => isTooLong(text, characters))
}

/** Takes the middle out of what somebody said and tools returned where it is longer, and says where all of it is. */
export function shorten(
  messages: readonly Message[],
  {
    characters,
    fileOf,
    replies,
  }: WhichTexts & { characters: number; fileOf: (key: string) => string | undefined },
): Step {
  const cut = (text: string, file: string | undefined) =>
    isTooLong(text, characters) ? withoutMiddle(text, characters, file) : text
  const shortened = messages.map(message => {
    if (message.role === 'assistant' && !replies) return message
    return withParts(message, (part, at) => {
      if (part.type === 'text' || part.type === 'attachment') {
        const text = cut(part.text, fileOf(keyOf(message, at)))
        return text === part.text ? part : { ...part, text }
      }
      return part.type === 'tool-result'
        ? withTexts(part, text => cut(text, part.file ?? fileOf(keyOf(message, at))))
        : part
    })
  })
  return stepTo(messages, shortened)
}

function textsIn(messages: readonly Message[], { replies }: WhichTexts): LongText[] {
  return messages.flatMap(message => {
    if (message.role === 'assistant' && !replies) return []
    return message.parts.flatMap((part, at): LongText[] => {
      const key = keyOf(message, at)
      if (part.type === 'text' || part.type === 'attachment') return [{ key, text: part.text }]
      if (part.type !== 'tool-result' || part.file !== undefined) return []
      return part.content.flatMap(each => (each.type === 'text' ? [{ key, text: each.text }] : []))
    })
  })
}

function keyOf({ id }: Message, at: number): string {
  return `${id}-${at}`
}

const MIDDLE = 'characters left out for want of room'
/** Longer than what stands in its place, so that what was shortened is not shortened again for the same room. */
const SLACK = 400

function isTooLong(text: string, characters: number): boolean {
  return text.length > characters + SLACK
}

function withoutMiddle(text: string, characters: number, file: string | undefined): string {
  const [head, tail] = [Math.ceil(characters * 0.6), Math.floor(characters * 0.4)]
  const where = file === undefined ? 'all of it is in the session' : `all of it is in ${file}`
  const note = `\n[… ${text.length - head - tail} ${MIDDLE}; ${where} …]\n`
  return text.slice(0, head).toWellFormed() + note + text.slice(text.length - tail).toWellFormed()
}

function withTexts(part: ToolResultPart, change: (text: string) => string): ToolResultPart {
  const content = part.content.map(each => {
    if (each.type !== 'text') return each
    const text = change(each.text)
    return text === each.text ? each : { ...each, text }
  })
  return content.every((each, at) => each === part.content[at]) ? part : { ...part, content }
}

function withParts(message: Message, change: (part: Part, at: number) => Part): Message {
  const parts = message.parts.map(change)
  return parts.every((part, at) => part === message.parts[at]) ? message : { ...message, parts }
}

function stepTo(before: readonly Message[], after: readonly Message[]): Step {
  const freed = estimateMessages(before) - estimateMessages(after)
  return freed > 0 ? { messages: after, freed } : { messages: before, freed: 0 }
}
