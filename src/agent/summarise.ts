/** Makes a conversation shorter when a provider has said that it is too long. */
import { asPlainText, loadPrompt, planCompaction } from '../context/index.ts'
import { withoutSecrets } from '../memory/index.ts'
import type { OpenedModel } from '../models/index.ts'
import {
  addUsage,
  type History,
  type Message,
  NO_USAGE,
  newMessageId,
  RAW,
  type Transcript,
  textOf,
  type Usage,
} from '../session/index.ts'
import type { Compacted } from './loop.ts'
import { askModel } from './request.ts'

export interface Summariser {
  /** The small model, for side jobs. */
  model(): Promise<OpenedModel>
  /** Left out where nothing is to be kept. */
  history: History | undefined
  transcript: Transcript
  signal: AbortSignal
  now(): Date
}

const SUMMARY_TOKENS = 4_000
const IDLE_MS = 60_000
/** How much of what could not be summarised stands in for the summary; all of it is in the history. */
const RAW_CHARACTERS = 8_000

/**
 * Lets a summary stand for the older part, and writes it into the history. When no model can make one, what was
 * said is archived as it is, marked: nothing is lost either way, but for keys and passwords, which stay in the
 * session where they were said.
 */
export async function compactConversation(
  { messages, summary }: { messages: readonly Message[]; summary: string | undefined },
  { model, history, transcript, signal, now }: Summariser,
): Promise<Compacted | undefined> {
  const plan = planCompaction(messages)
  if (!plan) return undefined
  const before = summary === undefined ? '' : `[earlier] ${summary}\n\n`
  const said = before + asPlainText(plan.drop)
  const { text: made, usage } = await summaryOf(said, model, signal, now())
  const total = usage && addUsage(transcript.meta.usage ?? NO_USAGE, usage)
  if (total) await transcript.note({ usage: total })
  // The person wanted it to stop, and not to go on with less.
  if (signal.aborted) return undefined
  await history?.append(await withoutSecrets(made ?? `${RAW} ${said}`))
  const standing = made ?? `${RAW} ${said.slice(-RAW_CHARACTERS)}`
  await transcript.boundary(standing, plan.keep[0]?.id)
  return { summary: standing, messages: plan.keep }
}

async function summaryOf(
  said: string,
  model: Summariser['model'],
  signal: AbortSignal,
  now: Date,
): Promise<{ text?: string; usage?: Usage }> {
  try {
    const reply = await askModel(
      {
        system: [await loadPrompt('summarise')],
        summary: undefined,
        messages: [toSummarise(said, now)],
        model: await model(),
        tools: [],
        maxOutput: SUMMARY_TOKENS,
        whole: false,
        signal,
        idleMs: IDLE_MS,
      },
      { text() {}, thinking() {}, call() {} },
    )
    const text = reply.kind === 'reply' ? textOf(reply).trim() : ''
    const usage = 'usage' in reply ? reply.usage : undefined
    return { ...(text !== '' && { text }), ...(usage && { usage }) }
  } catch {
    return {} // no model, no key: the raw text is kept instead
  }
}

function toSummarise(said: string, now: Date): Message {
  return {
    id: newMessageId(),
    role: 'user',
    origin: 'program',
    at: now.toISOString(),
    parts: [
      { type: 'attachment', kind: 'conversation', origin: 'program', text: said },
      { type: 'text', text: 'Write the notes for this conversation.' },
    ],
  }
}
