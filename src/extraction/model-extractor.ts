/** Extraction by a language model: it reads what was said and the list of what is known, and has very few hands. */
import { runErrand } from '../agent/index.ts'
import { loadPrompt } from '../context/index.ts'
import { fence } from '../dream/index.ts'
import type { ListedMemory } from '../memory/index.ts'
import type { OpenedModel } from '../models/index.ts'
import { type Message, newMessageId, Transcript } from '../session/index.ts'
import { ReverieError } from '../store/index.ts'
import type { ExtractionTask, Extractor } from './extractor.ts'
import { type Talk, within } from './talk.ts'
import { extractionTools } from './tools.ts'

export interface ModelExtractorOptions {
  model: OpenedModel
  fallback?: (() => Promise<OpenedModel>) | undefined
  idleMs?: number
}

class ExtractionFailed extends ReverieError {}

/** How often the model is asked at most (2-memory.md). */
const ROUNDS = 5
/** How much it may be sent in all. */
const INPUT_TOKENS = 60_000
/** Of one request: what failed is looked at again after the next reply. */
const TRIES = 2
/** Memories in the list that it is shown, the nearest to the talk first (2-memory.md). */
const LISTED_AT_MOST = 200
const NEAREST = 30
/** Characters of a token, about; and the shares of what it may be sent at once. */
const CHARACTERS_A_TOKEN = 3.5
const SHARES = { talk: 0.25, list: 0.15 }
const DAY = 'YYYY-MM-DD'.length

export function modelExtractor(options: ModelExtractorOptions): Extractor {
  return { name: options.model.id, extract: task => extractWith(options, task) }
}

async function extractWith(
  { model, fallback, idleMs }: ModelExtractorOptions,
  task: ExtractionTask,
): Promise<void> {
  const { signal, now } = task
  const characters = Math.min(model.window, INPUT_TOKENS) * CHARACTERS_A_TOKEN
  const message: Message = {
    id: newMessageId(),
    role: 'user',
    origin: 'program',
    at: now.toISOString(),
    parts: [{ type: 'text', text: await briefing(task, characters) }],
  }
  const end = await runErrand({
    model,
    fallback,
    transcript: Transcript.unkept(),
    system: await loadPrompt('extract'),
    messages: [message],
    tools: extractionTools(task),
    rounds: ROUNDS,
    inputTokens: INPUT_TOKENS,
    tries: TRIES,
    signal,
    now: () => now,
    progress: ({ usage }) => task.spent(usage),
    ...(idleMs !== undefined && { idleMs }),
  })
  signal.throwIfAborted()
  // What was done within the budget holds: each of it was checked by itself.
  if (end.reason === 'answered' || end.reason === 'spent' || end.reason === 'stuck') return
  throw new ExtractionFailed(`${model.id} did not look through what was said: ${end.message ?? end.reason}`)
}

async function briefing(task: ExtractionTask, characters: number): Promise<string> {
  return [
    `Today is ${task.now.toISOString().slice(0, DAY)}.`,
    `What is remembered already:\n\n${await manifest(task, characters * SHARES.list)}`,
    `What was said:\n\n${said(task.talk, characters * SHARES.talk)}`,
  ].join('\n\n')
}

async function manifest({ memory, copy, talk }: ExtractionTask, characters: number): Promise<string> {
  const words = talk.turns.filter(({ who }) => who === 'owner').map(({ text }) => text)
  const near = new Set((await memory.search(words.join('\n'), NEAREST)).map(keyOf))
  const first = copy.listed.filter(each => near.has(keyOf(each)))
  const rest = copy.listed.filter(each => !near.has(keyOf(each)))
  const lines = [...first, ...rest].slice(0, LISTED_AT_MOST).map(lineOf)
  let left = characters
  const shown = lines.filter(line => {
    left -= line.length
    return left >= 0
  })
  return shown.length === 0 ? 'Nothing yet.' : fence(shown.join('\n'))
}

function lineOf({ file, type, name, description, pinned, scope }: ListedMemory): string {
  const marks = [type, ...(pinned ? ['pinned'] : []), ...(scope === 'project' ? [] : [scope])].join(', ')
  return `${file} (${marks}): ${name}: ${description}`
}

function keyOf({ scope, file }: Pick<ListedMemory, 'scope' | 'file'>): string {
  return `${scope}/${file}`
}

function said({ turns }: Talk, characters: number): string {
  return within(turns, characters)
    .map(({ who, at, text }) => `${at.slice(0, DAY)}, the ${who}:\n${fence(text)}`)
    .join('\n\n')
}
