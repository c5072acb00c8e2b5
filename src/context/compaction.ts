/** Which part of a conversation a summary can stand for. */
import type { Message, MessageOrigin, Part } from '../session/index.ts'

export interface CompactionPlan {
  /** What is summarised, from the first on. */
  drop: readonly Message[]
  /** What stays as it is; begins with what somebody wanted. */
  keep: readonly Message[]
}

/** How much of a conversation is kept as it was. */
const KEPT_SHARE = 0.5

/**
 * Drops the older half or more, up to where the person spoke, so that no call loses its result; undefined when
 * there is nothing before what is being answered.
 */
export function planCompaction(messages: readonly Message[]): CompactionPlan | undefined {
  const total = sizeOf(messages)
  const starts = messages.flatMap((_, at) => (at > 0 && beginsTurn(messages, at) ? [at] : []))
  const cut = starts.find(start => sizeOf(messages.slice(start)) <= total * KEPT_SHARE) ?? starts.at(-1)
  return cut === undefined ? undefined : { drop: messages.slice(0, cut), keep: messages.slice(cut) }
}

/** What somebody wants, and not what the program said to keep things going: that belongs to what was wanted. */
const BEGIN_A_TURN: ReadonlySet<MessageOrigin> = new Set(['person', 'schedule', 'dream', 'notification'])

function beginsTurn(messages: readonly Message[], at: number): boolean {
  const message = messages[at]
  return message?.role === 'user' && BEGIN_A_TURN.has(message.origin) && messages[at - 1]?.role !== 'user'
}

function sizeOf(messages: readonly Message[]): number {
  return messages.reduce((sum, { parts }) => sum + parts.reduce((size, part) => size + partSize(part), 0), 0)
}

function partSize(part: Part): number {
  switch (part.type) {
    case 'image':
      return part.data.length
    case 'tool-call':
      return JSON.stringify(part.input).length
    case 'tool-result':
      return part.content.reduce((size, each) => size + partSize(each), 0)
    default:
      return part.text.length
  }
}

/** Characters of one message, and of all, that a summary is made from; what is longer is shortened in its middle. */
const MESSAGE_CHARACTERS = 4_000
const ALL_CHARACTERS = 120_000

/** What was said, to be summarised by a model or kept as it is. */
export function asPlainText(messages: readonly Message[]): string {
  const lines = messages.flatMap(message => {
    const text = message.parts
      .map(plainPart)
      .filter(part => part !== '')
      .join('\n')
    // Only what begins a line says who speaks: a text that says it of itself stands further in.
    const said = shortened(text, MESSAGE_CHARACTERS).replaceAll(/\r\n?|[\n\u2028\u2029]/g, '\n  ')
    return text === '' ? [] : [`[${message.origin}] ${said}`]
  })
  return shortened(lines.join('\n\n'), ALL_CHARACTERS)
}

function plainPart(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'tool-call':
      return `(calls ${part.tool} ${JSON.stringify(part.input)})`
    case 'tool-result':
      return `(${part.tool} returned: ${part.content.map(plainPart).join(' ')})`
    case 'image':
      return '(an image)'
    default:
      return ''
  }
}

function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  const half = Math.floor(most / 2)
  return `${text.slice(0, half).toWellFormed()}\n[… ${text.length - most} characters …]\n${text.slice(-half).toWellFormed()}`
}
