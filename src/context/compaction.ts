/** Which part of a conversation a summary can stand for. */
import { type Message, type MessageOrigin, type Part, toolCallsOf } from '../session/index.ts'
import { estimateMessages, estimateText } from './tokens.ts'

export interface CompactionPlan {
  /** What is summarised, from the first on. */
  drop: readonly Message[]
  /** What stays as it is; begins with what somebody wanted. */
  keep: readonly Message[]
}

/** How many messages one summary stands for at most: a longer stretch is summarised in rounds (4-agent.md). */
const MESSAGES_A_ROUND = 60

/**
 * Drops the oldest part, up to where the person spoke, so that no call loses its result: until what is kept is at
 * most `keep` tokens, or a round's worth is dropped. Undefined when it fits, and when there is nothing before what is
 * being answered.
 */
export function planCompaction(
  messages: readonly Message[],
  { keep, most = MESSAGES_A_ROUND }: { keep: number; most?: number },
): CompactionPlan | undefined {
  if (estimateMessages(messages) <= keep) return undefined
  // What was said while it was being answered belongs to the turn, and stays with it.
  const current = currentTurn(messages)
  const starts = messages.flatMap((_, at) =>
    at > 0 && at <= current && beginsTurn(messages, at) ? [at] : [],
  )
  // One turn may be longer than a round: it goes whole.
  const inRound = starts.filter((start, at) => at === 0 || start <= most)
  const cut = inRound.find(start => estimateMessages(messages.slice(start)) <= keep) ?? inRound.at(-1)
  return cut === undefined ? undefined : { drop: messages.slice(0, cut), keep: messages.slice(cut) }
}

/**
 * What the session's notes can stand for: everything up to the message that they cover, as long as enough stays as
 * it was said, and not too much.
 */
export function planFromNotes(
  messages: readonly Message[],
  covers: string,
  { least, most, leastMessages = 5 }: { least: number; most: number; leastMessages?: number },
): CompactionPlan | undefined {
  const covered = messages.findIndex(({ id }) => id === covers)
  if (covered < 0) return undefined
  const last = Math.min(covered + 1, currentTurn(messages))
  const starts = messages.flatMap((_, at) => (at > 0 && at <= last && beginsTurn(messages, at) ? [at] : []))
  const cut = starts.findLast(start => {
    const kept = messages.slice(start)
    return kept.length >= leastMessages && estimateMessages(kept) >= least
  })
  if (cut === undefined || estimateMessages(messages.slice(cut)) > most) return undefined
  return { drop: messages.slice(0, cut), keep: messages.slice(cut) }
}

/** What somebody wants, and not what the program said to keep things going: that belongs to what was wanted. */
const BEGIN_A_TURN: ReadonlySet<MessageOrigin> = new Set(['person', 'schedule', 'dream', 'notification'])

/** Where what is being answered begins: with what somebody wanted after the last reply that called nothing. */
export function currentTurn(messages: readonly Message[]): number {
  const answered = messages.findLastIndex(
    message => message.role === 'assistant' && toolCallsOf(message).length === 0,
  )
  const begin = messages.findIndex((message, at) => at > answered && isWanted(message))
  // Nothing was wanted since: the last thing that was is what the conversation is about.
  return begin < 0 ? Math.max(0, messages.findLastIndex(isWanted)) : begin
}

function isWanted({ role, origin }: Message): boolean {
  return role === 'user' && BEGIN_A_TURN.has(origin)
}

function beginsTurn(messages: readonly Message[], at: number): boolean {
  const message = messages[at]
  return message !== undefined && isWanted(message) && messages[at - 1]?.role !== 'user'
}

/** Characters of one message, and of all, that a summary is made from; what is longer is shortened in its middle. */
const MESSAGE_CHARACTERS = 4_000
const ALL_CHARACTERS = 120_000

/** What was said, to be summarised by a model that takes `tokens` of it. */
export function asPlainText(messages: readonly Message[], { tokens }: { tokens: number }): string {
  const lines = messages.map(message => lineOf(message, text => shortened(text, MESSAGE_CHARACTERS)))
  const text = joined(lines)
  // A token of Chinese is a letter, one of English a word: what is left may be denser than the whole was.
  let most = ALL_CHARACTERS
  for (;;) {
    const cut = shortened(text, most)
    const estimate = estimateText(cut)
    if (estimate <= tokens || most === 0) return cut
    most = Math.floor((Math.min(most, text.length) * tokens) / (estimate + 1))
  }
}

/** Characters of one piece of what was said: a line that long is still read by whoever looks into the history. */
const PIECE_CHARACTERS = 100_000

/**
 * All that was said, whole, in pieces; of what tools were given and returned both ends, since it can be found out
 * again and the session has it.
 */
export function asRawTexts(messages: readonly Message[], before = ''): string[] {
  const cut = (part: Part) =>
    part.type === 'tool-call' || part.type === 'tool-result'
      ? shortened(plainPart(part), MESSAGE_CHARACTERS)
      : plainPart(part)
  const text = before + joined(messages.map(message => lineOf(message, said => said, cut)))
  const pieces: string[] = []
  for (let from = 0; from < text.length; ) {
    const piece = text.slice(from, from + PIECE_CHARACTERS)
    // Between two messages where there is such a place, and never within a letter of two halves.
    const end = from + piece.length === text.length ? -1 : piece.lastIndexOf('\n\n[')
    const half = /[\uD800-\uDBFF]$/.test(piece) ? 1 : 0
    const taken = end > 0 ? end : piece.length - (piece.length > half ? half : 0)
    pieces.push(text.slice(from, from + taken).trim())
    from += taken
  }
  return pieces
}

function joined(lines: readonly string[]): string {
  return lines.filter(line => line !== '').join('\n\n')
}

function lineOf(
  { origin, parts }: Message,
  cut: (text: string) => string,
  plain: (part: Part) => string = plainPart,
): string {
  const text = parts
    .map(plain)
    .filter(part => part !== '')
    .join('\n')
  // Only what begins a line says who speaks: a text that says it of itself stands further in.
  return text === '' ? '' : `[${origin}] ${cut(text).replaceAll(/\r\n?|[\n\u2028\u2029]/g, '\n  ')}`
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
    case 'attachment':
      // What a helper or a command in the background came to; the rest is given anew with every message.
      return part.kind === 'notification' ? `(news of ${part.name ?? 'work'}: ${part.text})` : ''
    default:
      return ''
  }
}

function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  const half = Math.floor(most / 2)
  return `${text.slice(0, half).toWellFormed()}\n[… ${text.length - most} characters …]\n${text.slice(-half).toWellFormed()}`
}
