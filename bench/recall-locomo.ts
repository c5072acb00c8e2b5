/** LoCoMo conversations (Maharana et al., 2024) as sessions of turns with questions about them. */
import { readFileSync } from 'node:fs'
import type { SearchDocument } from '../src/search/index.ts'

export type LocomoQuestion = { text: string; category: number; turns: string[]; sessions: string[] }

export type LocomoConversation = {
  name: string
  turns: SearchDocument[]
  questions: LocomoQuestion[]
  /** Evidence that names no turn in any form we know. */
  unparsable: string[]
}

type RawTurn = { speaker: string; dia_id: string; text: string; blip_caption?: string }
type RawQuestion = { question: string; category: number; evidence?: string[] }
type RawConversation = { sample_id: string; conversation: Record<string, unknown>; qa: RawQuestion[] }

/** A turn that asks is less likely to hold the answer than the one that replies. */
const QUESTION_PRIOR = 0.8

export function readLocomo(file: string): LocomoConversation[] {
  return (JSON.parse(readFileSync(file, 'utf8')) as RawConversation[]).map(readConversation)
}

function readConversation({ sample_id, conversation, qa }: RawConversation): LocomoConversation {
  const turns = Object.entries(conversation).flatMap(([key, value]) => {
    const session = /^session_(\d+)$/.exec(key)?.[1]
    if (session === undefined || !Array.isArray(value)) return []
    const date = String(conversation[`${key}_date_time`] ?? '')
    return (value as RawTurn[]).map((turn, order) => asDocument(turn, session, order, date))
  })
  const unparsable: string[] = []
  const questions = qa.flatMap(({ question, category, evidence = [] }) => {
    const named = evidence.flatMap(text => {
      const found = [...text.matchAll(/D:?(\d+):(\d+)/g)].map(
        match => `D${Number(match[1])}:${Number(match[2])}`,
      )
      if (found.length === 0) unparsable.push(text)
      return found
    })
    if (named.length === 0) return []
    const sessions = new Set(named.map(id => id.slice(1, id.indexOf(':'))))
    return [{ text: question, category, turns: [...new Set(named)], sessions: [...sessions] }]
  })
  return { name: sample_id, turns, questions, unparsable }
}

/** As a transcript has it: who said it, what was said and shown, and on which day. */
function asDocument(turn: RawTurn, session: string, order: number, date: string): SearchDocument {
  const shown = turn.blip_caption ? `\n[image: ${turn.blip_caption}]` : ''
  return {
    id: turn.dia_id,
    group: session,
    order,
    fields: { speaker: turn.speaker, text: turn.text + shown, date: date.replace(/^.* on /, '') },
    prior: turn.text.trimEnd().endsWith('?') ? QUESTION_PRIOR : 1,
  }
}
