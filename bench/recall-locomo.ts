/** LoCoMo conversations (Maharana et al., 2024) as sessions of turns with questions about them. */
import { readFileSync } from 'node:fs'
import type { SearchDocument } from '../src/search/index.ts'
import { turnDocument } from '../src/session/index.ts'

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

export function readLocomo(file: string): LocomoConversation[] {
  return (JSON.parse(readFileSync(file, 'utf8')) as RawConversation[]).map(readConversation)
}

function readConversation({ sample_id, conversation, qa }: RawConversation): LocomoConversation {
  const turns = Object.entries(conversation).flatMap(([key, value]) => {
    const session = /^session_(\d+)$/.exec(key)?.[1]
    if (session === undefined || !Array.isArray(value)) return []
    // `1:56 pm on 8 May, 2023`
    const at = new Date(String(conversation[`${key}_date_time`] ?? '').replace(/^.* on /, ''))
    return (value as RawTurn[]).map((turn, order) => asDocument(turn, session, order, at))
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

function asDocument(turn: RawTurn, group: string, order: number, at: Date): SearchDocument {
  const { dia_id: id, speaker, text, blip_caption: caption } = turn
  return turnDocument({
    id,
    group,
    order,
    speaker,
    text,
    at,
    ...(caption && { shown: `[image: ${caption}]` }),
  })
}
