/** A mind that is a language model: it thinks first, without hands, and then changes the copy with very few. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { runErrand } from '../../agent/index.ts'
import type { Home, Project } from '../../config/index.ts'
import { loadPrompt } from '../../context/index.ts'
import { parseEntry } from '../../memory/index.ts'
import type { OpenedModel } from '../../models/index.ts'
import {
  addUsage,
  type Message,
  type MessageOrigin,
  newMessageId,
  type SessionIndex,
  Sessions,
  Transcript,
  textOf,
} from '../../session/index.ts'
import { ReverieError } from '../../store/index.ts'
import { sessionTools, writeProofShellTool } from '../../tools/index.ts'
import type { Dreamer, DreamMemory, DreamReport, DreamTask, Finding } from '../dreamer.ts'
import { prune } from '../mind/consolidate.ts'
import { putOnStage } from '../mind/embedded-dreamer.ts'
import { findQuote, isQuote } from '../owner-words.ts'
import { briefing } from './briefing.ts'
import { readFindings } from './findings.ts'
import { stageTools } from './stage-tools.ts'

export interface ModelDreamerOptions {
  home: Home
  project: Project
  /** Where the project's memories are, for looking through them. */
  directory: string
  /** Where the record of the run is kept. */
  state: string
  model: OpenedModel
  fallback?: (() => Promise<OpenedModel>) | undefined
  now?: () => Date
  idleMs?: number
}

class DreamerFailed extends ReverieError {}

/** Characters of a token, about; and the share of the window that the material may take. */
const CHARACTERS_A_TOKEN = 3.5
const WINDOW_SHARE = 0.4
const TURNS_LOOKED_AT = 50
const RUNS_KEPT = 20

export function modelDreamer(options: ModelDreamerOptions): Dreamer {
  return { name: options.model.id, dream: task => dreamWith(options, task) }
}

async function dreamWith(options: ModelDreamerOptions, task: DreamTask): Promise<DreamReport> {
  const { home, project, now = () => new Date() } = options
  await using transcript = await recordOf(options, task)
  const thought = await analyse(options, task, transcript)
  if (thought.findings.length === 0) {
    await tendIndex(task)
    return { ...thought, learnt: [], letGo: [] }
  }
  const warnings: string[] = []
  const { material, stage, budget, sessions: index, signal, progress } = task
  progress({ phase: 'consolidate' })
  const sessionIds = new Set(await new Sessions(home, project).ids())
  const tools = [
    ...stageTools({
      stage,
      ownerWords: quote => ownerWords(quote, task, index, project.slug),
      foreign: material.turns.filter(({ origin }) => origin !== 'person').map(({ text }) => text),
      skills: material.skills,
      acceptsSkills: material.acceptsSkills,
      isSession: id => sessionIds.has(id),
      now: now(),
      refused: what => warnings.push(`Refused: ${what}`),
    }),
    ...sessionTools(
      () => index,
      () => transcript.id,
      { onRecord: true },
    ),
    writeProofShellTool({ roots: [options.directory] }),
  ]
  const message = said(
    [
      `Today is ${material.now.toISOString().slice(0, 'YYYY-MM-DD'.length)}. The files are: ${(await stage.list()).join(', ')}`,
      'Findings:',
      ...thought.findings.map(({ kind, target, files, detail }) =>
        JSON.stringify({ target, kind, files, what: detail }),
      ),
    ].join('\n'),
    now(),
  )
  await transcript.append(message)
  const end = await runErrand({
    ...options,
    now,
    transcript,
    system: await loadPrompt('dream-edit'),
    messages: [message],
    tools,
    rounds: Math.max(1, budget.rounds - thought.rounds),
    inputTokens: budget.inputTokens - thought.usage.input,
    signal,
    progress: ({ rounds, usage }) =>
      progress({ rounds: rounds + thought.rounds, usage: addUsage(thought.usage, usage) }),
  })
  signal.throwIfAborted()
  if (end.reason === 'spent')
    warnings.push(`The budget was used up before the dream had finished: ${end.message ?? ''}`)
  else if (end.reason !== 'answered')
    throw new DreamerFailed(`${options.model.id} did not finish the dream: ${end.message ?? end.reason}`)
  progress({ phase: 'prune' })
  await tendIndex(task)
  const closing = lastWords(end.messages)
  return {
    findings: thought.findings,
    learnt: closing === '' ? [] : [closing],
    letGo: [],
    usage: addUsage(thought.usage, end.usage),
    warnings,
  }
}

/** The index is nothing to think about: its lines are mended by code, as the files stand by now. */
async function tendIndex({ material, stage, signal }: DreamTask): Promise<void> {
  const memories: DreamMemory[] = []
  // What the model has let go of loses its line when that is done: it did not lead nowhere before.
  const others = [...material.others]
  for (const memory of material.memories) {
    const text = await stage.read(memory.file)
    const parsed = text === undefined ? undefined : parseEntry(text)
    if (text === undefined || !parsed?.ok) {
      others.push(memory.file)
      continue
    }
    const { name, description, body, pinned } = parsed.entry
    memories.push({ ...memory, text, name, description, body, pinned })
  }
  await putOnStage(stage, await prune({ ...material, memories, others }), signal)
}

async function recordOf(
  { home, project, state, now = () => new Date() }: ModelDreamerOptions,
  { dryRun }: DreamTask,
): Promise<Transcript> {
  if (dryRun) return Transcript.unkept()
  const runs = new Sessions(home, project, { now, directory: join(state, 'dream-runs') })
  await keepNewest(runs)
  return runs.create({ title: 'Dream' })
}

/** The records of runs are for looking into what went wrong; nobody looks into old ones. */
async function keepNewest(runs: Sessions): Promise<void> {
  const old = (await runs.ids()).toSorted().slice(0, -RUNS_KEPT)
  for (const id of old) await rm(runs.pathOf(id), { force: true })
}

async function analyse(
  { model, fallback, now = () => new Date(), idleMs }: ModelDreamerOptions,
  { material, budget, signal, progress }: DreamTask,
  transcript: Transcript,
): Promise<{ findings: Finding[]; usage: DreamReport['usage']; rounds: number }> {
  const characters = Math.min(model.window * WINDOW_SHARE, budget.inputTokens / 2) * CHARACTERS_A_TOKEN
  const message = said(briefing(material, characters), now())
  await transcript.append(message)
  const end = await runErrand({
    model,
    fallback,
    transcript,
    system: await loadPrompt('dream-analyse'),
    messages: [message],
    tools: [],
    rounds: 1,
    inputTokens: budget.inputTokens,
    signal,
    now,
    progress,
    ...(idleMs !== undefined && { idleMs }),
  })
  signal.throwIfAborted()
  if (end.reason !== 'answered')
    throw new DreamerFailed(`${model.id} could not think about memory: ${end.message ?? end.reason}`)
  const findings = readFindings(lastWords(end.messages))
  if (!findings) throw new DreamerFailed(`${model.id} answered with something that is no list of findings.`)
  return { findings, usage: end.usage, rounds: end.rounds }
}

/** Looks in what is known of the owner already, and in what the owner said; what is known comes with it. */
async function ownerWords(
  quote: string,
  { material }: DreamTask,
  index: SessionIndex,
  project: string,
): Promise<string | undefined> {
  if (!isQuote(quote)) return undefined
  const known = material.memories
    .filter(({ type }) => type === 'user' || type === 'feedback')
    .map(({ text }) => text)
  const ofOwner = (turns: readonly { origin: MessageOrigin; text: string }[]) =>
    turns.filter(({ origin }) => origin === 'person').map(({ text }) => text)
  let found = findQuote(quote, [...known, ...ofOwner(material.turns)])
  if (found === undefined) {
    await index.refresh()
    found = findQuote(
      quote,
      ofOwner(await index.turns(quote, { role: 'user', project, onRecord: true, limit: TURNS_LOOKED_AT })),
    )
  }
  return found && [found, ...known].join('\n')
}

function said(text: string, now: Date): Message {
  return {
    id: newMessageId(),
    role: 'user',
    origin: 'program',
    at: now.toISOString(),
    parts: [{ type: 'text', text }],
  }
}

function lastWords(messages: readonly Message[]): string {
  const last = messages.findLast(({ role }) => role === 'assistant')
  return last ? textOf(last).trim() : ''
}
