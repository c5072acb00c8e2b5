/** What tools returned long ago makes room first: the session file still has it. */
import type { Message, ToolResultPart } from '../session/index.ts'
import { estimateMessage, estimateMessages, estimatePart } from './tokens.ts'

export interface Step {
  messages: readonly Message[]
  /** Tokens, as estimated. */
  freed: number
}

const CLEARED = '[old result cleared]'
/** A result as short as this is not worth clearing. */
const SHORT_TOKENS = 60

/**
 * Clears the older results, all of them at once, so that what a provider has cached changes seldom. The newest
 * `fresh` tokens of results stay, and so does what was returned last, however long it is: the model has not seen it.
 * Results of the tools in `spare` stay too: what they returned is to be followed, and not only known.
 */
export function clearOldResults(
  messages: readonly Message[],
  { fresh, spare = NONE }: { fresh: number; spare?: ReadonlySet<string> },
): Step {
  const asked = messages.findLastIndex(({ role }) => role === 'assistant')
  let seen = 0
  const cleared = messages.toReversed().map((message, fromEnd) => {
    if (message.role !== 'tool') return message
    const tokens = estimateMessage(message)
    const isUnseen = messages.length - 1 - fromEnd > asked
    const isFresh = seen === 0 || isUnseen || seen + tokens <= fresh
    seen += tokens
    return isFresh ? message : withoutResults(message, spare)
  })
  return step(messages, cleared.reverse())
}

const NONE: ReadonlySet<string> = new Set()

/** Shortens what is longer than a result may be in this window: a session may have begun with a larger one. */
export function capResults(messages: readonly Message[], { characters }: { characters: number }): Step {
  const capped = messages.map(message => {
    if (message.role !== 'tool') return message
    const parts = message.parts.map(part => (part.type === 'tool-result' ? cap(part, characters) : part))
    return parts.every((part, at) => part === message.parts[at]) ? message : { ...message, parts }
  })
  return step(messages, capped)
}

function step(before: readonly Message[], after: readonly Message[]): Step {
  const freed = estimateMessages(before) - estimateMessages(after)
  return freed > 0 ? { messages: after, freed } : { messages: before, freed: 0 }
}

function withoutResults(message: Message, spare: ReadonlySet<string>): Message {
  const parts = message.parts.map(part =>
    part.type === 'tool-result' && !spare.has(part.tool) ? clear(part) : part,
  )
  return parts.every((part, at) => part === message.parts[at]) ? message : { ...message, parts }
}

function clear(part: ToolResultPart): ToolResultPart {
  if (estimatePart(part) <= SHORT_TOKENS) return part
  const text = part.file === undefined ? CLEARED : `${CLEARED} It is in ${part.file}`
  return { ...part, content: [{ type: 'text', text }] }
}

/** Said at the end of what was shortened; longer than nothing, so that it is shortened once. */
const SHORTENED = '\n\n[shortened: the whole is in the session file]'

function cap(part: ToolResultPart, characters: number): ToolResultPart {
  const content = part.content.map(each => {
    if (each.type !== 'text' || each.text.length <= characters + SHORTENED.length + 200) return each
    const rest = part.file === undefined ? SHORTENED : `\n\n[shortened: the whole is in ${part.file}]`
    return { ...each, text: each.text.slice(0, characters).toWellFormed() + rest }
  })
  return content.every((each, at) => each === part.content[at]) ? part : { ...part, content }
}
