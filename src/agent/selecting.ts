/** The small model chooses what is recalled, among what words have found (`memory.select`). */
import type { JSONSchema7 } from '@ai-sdk/provider'
import { loadPrompt } from '../context/index.ts'
import type { Candidate, Select } from '../memory/index.ts'
import type { OpenedModel } from '../models/index.ts'
import { type Message, newMessageId, textOf, type Usage } from '../session/index.ts'
import type { Conversation } from './conversation/conversation.ts'
import type { Emit } from './events.ts'
import { askModel } from './request.ts'

export interface SelectingOptions {
  /** The small model, for side jobs. */
  model(): Promise<OpenedModel>
  /** What it cost. */
  charge(usage: Usage): Promise<void>
  signal: AbortSignal
  now(): Date
  /** The answer waits for it. */
  withinMs?: number
}

const WITHIN_MS = 3_000
/** A few numbers (2-memory.md). */
const MOST_TOKENS = 256

const CHOSEN: JSONSchema7 = {
  type: 'object',
  properties: { chosen: { type: 'array', items: { type: 'integer' } } },
  required: ['chosen'],
  additionalProperties: false,
}

/** Undefined where words decide. */
export function selectFor(
  { options, mind, talk, now }: Conversation,
  emit: Emit,
  signal: AbortSignal,
): Select | undefined {
  if (options.config.memory.select !== 'model') return undefined
  const { transcript } = talk
  return selectWith({
    model: () => mind.open('small'),
    async charge(usage) {
      await transcript.charge(usage)
      emit({ type: 'usage', usage, total: transcript.meta.usage ?? usage })
    },
    signal,
    now,
  })
}

/** On any failure undefined: then words decide. */
export function selectWith({ model, charge, signal, now, withinMs = WITHIN_MS }: SelectingOptions): Select {
  return async (query, candidates) => {
    try {
      const chooser = await model()
      // It knows no more than words do.
      if (chooser.id === 'embedded') return undefined
      const reply = await askModel(
        {
          system: [await loadPrompt('select')],
          summary: undefined,
          messages: [question(query, candidates, now())],
          model: chooser,
          tools: [],
          json: CHOSEN,
          maxOutput: MOST_TOKENS,
          whole: true,
          signal: AbortSignal.any([signal, AbortSignal.timeout(withinMs)]),
          idleMs: withinMs,
        },
        { text() {}, thinking() {}, call() {} },
      )
      if ('usage' in reply && reply.usage) await charge(reply.usage)
      return reply.kind === 'reply' ? chosenOf(textOf(reply), candidates) : undefined
    } catch {
      return undefined
    }
  }
}

/** A long paste is known by how it begins. */
const MOST_CHARACTERS = 4_000

function question(query: string, candidates: readonly Candidate[], now: Date): Message {
  const list = candidates.map(
    ({ type, name, description, note }, at) => `${at + 1}. [${type}] ${name}: ${description} (${note})`,
  )
  return {
    id: newMessageId(),
    role: 'user',
    origin: 'program',
    at: now.toISOString(),
    parts: [
      { type: 'attachment', kind: 'conversation', origin: 'person', text: query.slice(0, MOST_CHARACTERS) },
      { type: 'attachment', kind: 'memory', origin: 'memory', name: 'candidates', text: list.join('\n') },
      { type: 'text', text: 'Which of the memories will help with the answer?' },
    ],
  }
}

/** Undefined where it is no answer; a number that was not in the list is passed over. */
export function chosenOf(text: string, candidates: readonly Candidate[]): string[] | undefined {
  const [json] = /\{[^{}]*\}/.exec(text) ?? []
  if (json === undefined) return undefined
  const { chosen }: { chosen?: unknown } = JSON.parse(json)
  if (!Array.isArray(chosen)) return undefined
  return [...new Set(chosen.flatMap(number => candidates[Number(number) - 1]?.id ?? []))]
}
