import type { SearchDocument } from '../../search/index.ts'

/** Something that somebody said at a time, at its place in a conversation. */
export interface Turn {
  id: string
  /** The conversation, and how many turns of it came before. */
  group: string
  order: number
  speaker: string
  text: string
  /** What was shown with it: the caption of a picture. */
  shown?: string
  at: Date
  /** How likely it is an answer beside what a person or a model said; 1 unless told. */
  weight?: number
}

/** The fields of a turn and their weights, for whoever searches turns. */
export const TURN_FIELDS = { speaker: 1, text: 1, date: 1 }

/** A turn that asks is less likely to hold the answer than the one that replies. */
const QUESTION_PRIOR = 0.8

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
)

/** As it is searched: who said it, what was said and shown, and on which day. */
export function turnDocument(turn: Turn): SearchDocument {
  const { id, group, order, speaker, text, shown, at, weight = 1 } = turn
  return {
    id,
    group,
    order,
    fields: { speaker, text: shown === undefined ? text : `${text}\n${shown}`, date: dayOf(at) },
    prior: weight * (asks(text) ? QUESTION_PRIOR : 1),
  }
}

/** The owner's day, in words that a question would use: `8 May, 2023`. */
function dayOf(at: Date): string {
  const day = at.getDate()
  return Number.isNaN(day) ? '' : `${day} ${MONTHS[at.getMonth()]}, ${at.getFullYear()}`
}

function asks(text: string): boolean {
  let end = text.length - 1
  while (end > 0 && text.charCodeAt(end) <= 32) end--
  return text[end] === '?'
}
