/** What of a message is searched. */
import type { Json, Message, MessageOrigin, Part } from '../message.ts'

/** Pasted logs are longer; nobody looks for their end. In characters. */
const MOST_SAID = 100_000
/** The paths and commands of a call stand at its beginning, the text of a file after them. */
const MOST_OF_A_CALL = 500
/** What a tool returned is known to the disk: its beginning says what it was (7-bars.md). */
const MOST_OF_A_RESULT = 2_048

/** What came from a tool is found, but what was said about it first. */
const CALL_WEIGHT = 0.7
const RESULT_WEIGHT = 0.5
/** Nobody said this. */
const AUTOMATIC_WEIGHT = 0.3
const AUTOMATIC: ReadonlySet<MessageOrigin> = new Set(['schedule', 'dream', 'notification', 'program'])

export interface TurnText {
  /**
   * The tools that results are from. What a person or a model says has none: a word like "user" in every other
   * turn would find nothing, and the role can be asked for.
   */
  speaker: string
  text: string
  weight: number
}

/** Undefined when there is nothing to find. What was only injected, as memories are, was not said. */
export function turnText({ origin, parts }: Pick<Message, 'origin' | 'parts'>): TurnText | undefined {
  if (origin === 'memory') return undefined
  let said = ''
  let called = ''
  let returned = ''
  const tools: string[] = []
  for (const part of parts) {
    if (part.type === 'text') said = joined(said, part.text)
    else if (part.type === 'tool-call') called = joined(called, callText(part))
    else if (part.type === 'tool-result') {
      tools.push(part.tool)
      for (const { text } of part.content.filter(isText)) returned = joined(returned, text)
    }
  }
  said = whole(said, MOST_SAID)
  returned = whole(returned, MOST_OF_A_RESULT * Math.max(tools.length, 1))
  const text = [said, called, returned].filter(kind => kind !== '').join('\n')
  if (text.trim() === '') return undefined
  const weight = said !== '' ? 1 : called !== '' ? CALL_WEIGHT : RESULT_WEIGHT
  return {
    speaker: tools.join(' '),
    text,
    weight: AUTOMATIC.has(origin) ? weight * AUTOMATIC_WEIGHT : weight,
  }
}

function joined(before: string, text: string): string {
  return before === '' ? text : `${before}\n${text}`
}

function callText({ tool, input }: Extract<Part, { type: 'tool-call' }>): string {
  const words = [tool]
  let length = 0
  for (const value of valuesIn(input)) {
    if (length >= MOST_OF_A_CALL) break
    words.push(whole(value, MOST_OF_A_CALL - length))
    length += value.length
  }
  return words.join(' ')
}

/** The strings and numbers in a tool's input, whatever they are called there. */
function* valuesIn(input: Json): Generator<string> {
  if (typeof input === 'string') yield input
  else if (typeof input === 'number') yield String(input)
  else if (typeof input === 'object' && input !== null)
    for (const value of Object.values(input)) yield* valuesIn(value)
}

function isText<T extends Part>(part: T): part is T & { type: 'text' } {
  return part.type === 'text'
}

/** At most so many characters, and no half of one. */
function whole(text: string, most: number): string {
  if (text.length <= most) return text
  const last = text.charCodeAt(most - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most)
}
