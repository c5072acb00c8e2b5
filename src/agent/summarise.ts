/** Makes a conversation shorter: a summary stands for its older part, and goes into the history. */
import {
  asPlainText,
  asRawTexts,
  type CompactionPlan,
  estimateMessages,
  estimateText,
  extractSummary,
  type Limits,
  loadPrompt,
  planCompaction,
  planFromNotes,
} from '../context/index.ts'
import { withoutSecrets } from '../memory/index.ts'
import type { OpenedModel } from '../models/index.ts'
import {
  type History,
  type Message,
  newMessageId,
  RAW,
  type Transcript,
  textOf,
  type Usage,
} from '../session/index.ts'
import { because } from '../store/index.ts'
import type { Compacted } from './loop.ts'
import { askModel } from './request.ts'

export interface Summariser {
  /** The small model, for side jobs. */
  model(): Promise<OpenedModel>
  /** Left out where nothing is to be kept. */
  history: History | undefined
  transcript: Transcript
  limits: Limits
  /** Tokens of messages to which the conversation is made shorter. */
  keep: number
  /** What the person wants to be kept above all. */
  focus?: string | undefined
  /** The session's running notes, and the last message that they know of. */
  notes?: { text: string; covers: string } | undefined
  /** Tells the person. */
  notice(text: string): void
  signal: AbortSignal
  now(): Date
}

export interface CompactedBy extends Compacted {
  summary: string
  dropped: readonly Message[]
  /** No model could make a summary: what was said is in the history as it is. */
  raw: boolean
}

const MOST_ROUNDS = 5
const IDLE_MS = 60_000

/**
 * The notes stand for the older part where they cover it; else a model summarises it, in rounds. When no model can,
 * what was said is archived as it is, marked: nothing is lost either way, but for keys and passwords, which stay in
 * the session where they were said.
 */
export async function compactConversation(
  start: { messages: readonly Message[]; summary: string | undefined },
  options: Summariser,
): Promise<CompactedBy | undefined> {
  const byNotes = await compactByNotes(start.messages, options)
  if (byNotes) return byNotes
  let done: CompactedBy | undefined
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const { messages, summary } = done ?? start
    if (done && estimateMessages(messages) <= options.keep) break
    const plan = planCompaction(messages, { keep: options.keep })
    const next = plan && (await compactOnce(plan, summary, options))
    if (!next) break
    done = {
      ...next,
      dropped: [...(done?.dropped ?? []), ...next.dropped],
      raw: next.raw || done?.raw === true,
    }
  }
  return done
}

async function compactByNotes(
  messages: readonly Message[],
  options: Summariser,
): Promise<CompactedBy | undefined> {
  const { notes, focus, limits, transcript } = options
  if (!notes || focus !== undefined) return undefined
  const plan = planFromNotes(messages, notes.covers, { least: limits.leastKept, most: limits.mostKept })
  if (!plan) return undefined
  await archive([notes.text], options)
  await transcript.boundary(notes.text, plan.keep[0]?.id)
  return { summary: notes.text, messages: plan.keep, dropped: plan.drop, raw: false }
}

async function compactOnce(
  { drop, keep }: CompactionPlan,
  summary: string | undefined,
  options: Summariser,
): Promise<CompactedBy | undefined> {
  const { transcript, signal, focus, limits } = options
  const made = await summaryOf(drop, summary, {
    ...options,
    prompt: 'summarise',
    tokens: limits.summary,
    request:
      focus === undefined
        ? 'Write the notes for this conversation.'
        : `Write the notes for this conversation. What matters most now: ${focus}`,
  })
  if (made.usage) await transcript.charge(made.usage)
  // The person wanted it to stop, and not to go on with less.
  if (signal.aborted) return undefined
  const earlier = summary === undefined ? '' : `[earlier] ${summary}\n\n`
  await archive(made.text === undefined ? asRawTexts(drop, earlier).map(markRaw) : [made.text], options)
  const standing =
    made.text ??
    `${RAW} ${extractSummary(drop, summary?.replace(`${RAW} `, ''), { tokens: limits.summary, focus })}`
  await transcript.boundary(standing, keep[0]?.id)
  return { summary: standing, messages: keep, dropped: drop, raw: made.text === undefined }
}

function markRaw(text: string): string {
  return `${RAW} ${text}`
}

/** A history that cannot be written holds nobody up: the session has all of it. */
async function archive(
  texts: readonly string[],
  { history, notice }: Pick<Summariser, 'history' | 'notice'>,
): Promise<void> {
  try {
    for (const text of texts) await history?.append(await withoutSecrets(text))
  } catch (error) {
    notice(
      `The history could not be written: ${because(error)} The session has all that was said, and the conversation goes on.`,
    )
  }
}

export interface SummaryOptions extends Pick<Summariser, 'model' | 'signal' | 'now' | 'focus'> {
  prompt: 'summarise' | 'notes'
  request: string
  tokens: number
}

/** Without a text when no model could make one. */
export async function summaryOf(
  messages: readonly Message[],
  earlier: string | undefined,
  { model: open, prompt, request, tokens, focus, signal, now }: SummaryOptions,
): Promise<{ text?: string; usage?: Usage }> {
  try {
    const model = await open()
    if (model.id === 'embedded') return { text: extractSummary(messages, earlier, { tokens, focus }) }
    const before = earlier === undefined ? '' : `[earlier] ${earlier}\n\n`
    // What is to be summarised has to fit the one who does it.
    const said = before + asPlainText(messages, { tokens: Math.floor(model.window / 2) })
    const reply = await askModel(
      {
        system: [await loadPrompt(prompt)],
        summary: undefined,
        messages: [toSummarise(said, request, now())],
        model,
        tools: [],
        maxOutput: Math.min(tokens, model.maxOutput),
        whole: false,
        signal,
        idleMs: IDLE_MS,
      },
      { text() {}, thinking() {}, call() {} },
    )
    const text = reply.kind === 'reply' ? textOf(reply).trim() : ''
    const usage = 'usage' in reply ? reply.usage : undefined
    return { ...(standsFor(said, text, tokens) && { text }), ...(usage && { usage }) }
  } catch {
    return {} // no model, no key: the raw text is kept instead
  }
}

/** Of so much talk a summary has at least so many tokens: "Sorry, I cannot do that" is none. */
const [MUCH_TALK, LEAST_SAID] = [800, 20]

/** One that is longer than it may be would be what is too long next. */
function standsFor(said: string, summary: string, tokens: number): boolean {
  const length = estimateText(summary)
  return length > 0 && length <= tokens * 2 && (length >= LEAST_SAID || estimateText(said) < MUCH_TALK)
}

function toSummarise(said: string, request: string, now: Date): Message {
  return {
    id: newMessageId(),
    role: 'user',
    origin: 'program',
    at: now.toISOString(),
    parts: [
      { type: 'attachment', kind: 'conversation', origin: 'program', text: said },
      { type: 'text', text: request },
    ],
  }
}
