/** What of a conversation may be learnt from, and what only says where words came from. Pure. */
import { type Message, textOf, toolResultsOf } from '../session/index.ts'

export interface Turn {
  who: 'owner' | 'assistant'
  /** ISO 8601. */
  at: string
  text: string
}

export interface Talk {
  turns: readonly Turn[]
  /** What tools returned and what was put in: nothing is learnt from it, and what resembles it is not the owner's. */
  foreign: readonly string[]
  /** The agent kept or forgot something itself. */
  tended: boolean
}

/** Tools by which the agent looks after memory itself. */
const TENDING = /^memory_(?:save|forget)$/
/** The words of one turn that are looked at. */
const LONGEST_TURN = 8_000
/** Of what tools returned, for comparison. */
const LONGEST_FOREIGN = 20_000

/**
 * The owner's words and the answers to them. What a schedule asked, and everything up to the owner's next words, is
 * left out; so are memories that were put in, dreams, what the program itself said, and what was said off the record.
 */
export function talkIn(messages: readonly Message[]): Talk {
  const turns: Turn[] = []
  const foreign: string[] = []
  let tended = false
  let isOwners = true
  for (const message of messages) {
    const { role, origin, at, offRecord = false } = message
    if (role === 'user' && (origin === 'person' || origin === 'schedule'))
      isOwners = origin === 'person' && !offRecord
    for (const part of message.parts)
      if (part.type === 'attachment' && part.origin !== 'program')
        foreign.push(part.text.slice(0, LONGEST_FOREIGN))
    for (const { tool, outcome, content } of toolResultsOf(message)) {
      if (TENDING.test(tool) && outcome === 'ok') tended = true
      for (const part of content) if (part.type === 'text') foreign.push(part.text.slice(0, LONGEST_FOREIGN))
    }
    const text = textOf(message).trim().slice(0, LONGEST_TURN)
    if (!isOwners || text === '') continue
    if (role === 'user' && origin === 'person') turns.push({ who: 'owner', at, text })
    if (role === 'assistant' && origin === 'model') turns.push({ who: 'assistant', at, text })
  }
  return { turns, foreign, tended }
}

/** The newest turns that fit. */
export function within(turns: readonly Turn[], characters: number): readonly Turn[] {
  let left = characters
  const from = turns.findLastIndex(({ text }) => {
    left -= text.length
    return left < 0
  })
  return turns.slice(from + 1)
}
