/** What the model is sent, by its parts: for `/context`. */
import {
  calibrated,
  estimateMessages,
  estimateText,
  estimateTools,
  type MadeSection,
} from '../context/index.ts'
import type { OpenedModel } from '../models/index.ts'
import type { Message } from '../session/index.ts'
import type { Room } from './room.ts'

export interface ContextReport {
  model: string
  window: number
  /** Tokens beyond which the conversation is made shorter. */
  compactAt: number
  /** Of the next request, as estimated. */
  tokens: number
  sections: ReadonlyArray<Pick<MadeSection, 'name' | 'side' | 'tokens' | 'changed' | 'text'>>
  tools: number
  summary: number
  messages: { count: number; tokens: number }
  /** What else is not as the last answer began with. */
  changed: { tools: boolean; summary: boolean }
  /** The share of the last request that the provider's cache served; undefined when nobody told. */
  cached: number | undefined
}

/** With what an answer began, besides the sections of the prompt. */
export interface Asked {
  forms: readonly object[]
  summary: string | undefined
}

/** All figures as they are calibrated, so that they add up. */
export function contextReport({
  sections,
  toolForms,
  summary,
  messages,
  asked,
  model,
  room,
}: {
  sections: readonly MadeSection[]
  toolForms: readonly object[]
  summary: string | undefined
  messages: readonly Message[]
  asked: Asked | undefined
  model: OpenedModel
  room: Room
}): ContextReport {
  const tokens = (estimate: number) => calibrated(estimate, model.id, room.calibration)
  const usage = messages.findLast(message => message.usage)?.usage
  return {
    model: model.id,
    window: model.window,
    compactAt: room.limits(model).compactAt,
    tokens: room.estimate({ messages, summary, model }),
    sections: sections
      .filter(({ text, changed }) => text !== '' || changed)
      .map(section => ({ ...section, tokens: tokens(section.tokens) })),
    tools: tokens(estimateTools(toolForms)),
    summary: tokens(estimateText(summary ?? '')),
    messages: { count: messages.length, tokens: tokens(estimateMessages(messages)) },
    changed: {
      tools: asked !== undefined && asked.forms !== toolForms,
      summary: asked !== undefined && asked.summary !== summary,
    },
    cached: usage && usage.input > 0 ? usage.cacheRead / usage.input : undefined,
  }
}

/** Of the window, beyond which what is always sent leaves little for what is said. */
const CROWDED = 0.75

/** A sentence for the person, when what is always sent fills the window; undefined when it does not. */
export function crowdedBy(
  sections: readonly Pick<MadeSection, 'name' | 'tokens'>[],
  tools: number,
  { id, window }: Pick<OpenedModel, 'id' | 'window'>,
): string | undefined {
  const parts = [...sections, { name: 'tools', tokens: tools }].toSorted((a, b) => b.tokens - a.tokens)
  const tokens = parts.reduce((sum, part) => sum + part.tokens, 0)
  if (tokens <= window * CROWDED) return undefined
  const largest = parts.slice(0, 3).map(part => `${part.name} (${part.tokens})`)
  return `About ${tokens} of the ${window} tokens of ${id} are taken before anything is said; the largest parts are ${largest.join(', ')}. /context shows all of them.`
}
