/** One dream: gates, lock, gather, the mind, checks, and then all of it at once or nothing. */
import { join } from 'node:path'
import type { DreamHooks } from '../agent/index.ts'
import type { Config, Home, Project } from '../config/index.ts'
import { type Companion, INDEX_FILE, type Memory, type PlannedSteps, readRefusals } from '../memory/index.ts'
import {
  History,
  type HistoryEntry,
  NO_USAGE,
  SessionIndex,
  SessionIndexCopy,
  type Usage,
} from '../session/index.ts'
import { because, LockLost, ReverieError } from '../store/index.ts'
import { checkDream, mostRemovals } from './checks.ts'
import { diaryEntry } from './diary.ts'
import { DreamBusy, DreamLock, type DreamPlace, holderOf, lastDream } from './dream-lock.ts'
import type { Dreamer, DreamMaterial, DreamProgress, DreamReport, ProposedChange } from './dreamer.ts'
import { countFailure, forgetFailures } from './failures.ts'
import { gateFacts } from './gate-facts.ts'
import { askGates, type Gate, type GateAnswer } from './gates.ts'
import { gatherMaterial } from './material.ts'
import { NOTED, noteText } from './note.ts'
import { openIn } from './open-findings.ts'
import { isOwnFile, isSkillFile } from './own-files.ts'
import { MemoryStage } from './stage.ts'
import { StatusFile } from './status-file.ts'
import { Stoppable } from './stopping.ts'

export interface DreamContext {
  home: Home
  project: Project
  config: Config
  memory: Memory
  dreamer: Dreamer
  /** The conversation that goes on meanwhile. */
  session?: string | undefined
  /** Of the owner, around a dream that may change something. */
  hooks?: DreamHooks
  now?: () => Date
}

export interface DreamOptions {
  force?: boolean
  dryRun?: boolean
  signal?: AbortSignal
  progress?(news: DreamProgress): void
}

export interface DreamChange extends Pick<ProposedChange, 'file' | 'action' | 'reason'> {
  before: string | null
  after: string | null
}

export interface DreamOutcome {
  status: 'done' | 'nothing' | 'skipped' | 'dry-run'
  gate?: Gate
  reason?: string
  /** Of the journal, for undoing it. */
  id?: string
  changes: DreamChange[]
  learnt: readonly string[]
  /** What was found and is for the owner to decide. */
  open: readonly string[]
  usage: Usage
  ms: number
  warnings: string[]
}

/** A dream came to nothing, and memory is as it was. */
export class DreamFailed extends ReverieError {
  /** What it cost all the same. */
  readonly usage: Usage
  constructor(message: string, usage: Usage, options?: ErrorOptions) {
    super(message, options)
    this.usage = usage
  }
}

/** It was stopped by somebody. */
export class DreamStopped extends DreamFailed {}

const MINUTE_MS = 60_000

export function placeOf(memory: Memory): DreamPlace {
  return { directory: memory.place('project'), state: memory.state('project') }
}

/** The gates but the lock. */
export function mayDream(
  context: DreamContext,
  { peek = false, ...options }: { force?: boolean; peek?: boolean } = {},
): Promise<GateAnswer> {
  const { home, project, memory, session, config, now = () => new Date() } = context
  const facts = gateFacts({ home, project, place: placeOf(memory), session, peek })
  return askGates(config.dream, facts, now(), options)
}

export async function dream(context: DreamContext, options: DreamOptions = {}): Promise<DreamOutcome> {
  const started = performance.now()
  const outcome = await (options.dryRun ? imagine(context, options) : dreamIfItMay(context, options))
  return { ...outcome, ms: Math.round(performance.now() - started) }
}

type Untimed = Omit<DreamOutcome, 'ms'>

const NOTHING = { changes: [], learnt: [], open: [], usage: NO_USAGE, warnings: [] }

function skipped(gate: Gate, reason: string): Untimed {
  return { ...NOTHING, status: 'skipped', gate, reason }
}

/** What a dream would do. Nothing is written anywhere: no lock, no claim, no record, no index. */
async function imagine(context: DreamContext, options: DreamOptions): Promise<Untimed> {
  const { memory, now = () => new Date() } = context
  const holder = await holderOf(placeOf(memory), now())
  if (holder) return skipped('lock', holder.reason)
  using copy = new SessionIndexCopy(context.home)
  const { signal = new AbortController().signal, progress: tell = () => {} } = options
  const dreamt = await dreamOn(copy.index, context, { at: now(), dryRun: true, signal, tell })
  return { status: 'dry-run', ...dreamt.told }
}

async function dreamIfItMay(context: DreamContext, options: DreamOptions): Promise<Untimed> {
  const { memory, now = () => new Date() } = context
  const gates = await mayDream(context, options)
  if (!gates.open) return skipped(gates.gate, gates.reason)
  try {
    await using lock = await DreamLock.acquire(placeOf(memory), now())
    const { hooks } = context
    using stoppable = new Stoppable(options.signal ?? new AbortController().signal)
    const { signal } = stoppable
    const asked = await hooks?.before(context.dreamer.name, signal)
    if (asked?.blocked !== undefined) return skipped('hook', asked.blocked)
    const outcome = await dreamUnder(lock, context, { ...options, signal })
    const told = { dreamer: context.dreamer.name, id: outcome.id, changes: outcome.changes }
    const problems = outcome.status === 'done' ? await hooks?.after(told, signal) : undefined
    const warning = 'warning' in gates && gates.warning ? [gates.warning] : []
    const warnings = [...warning, ...(asked?.problems ?? []), ...outcome.warnings, ...(problems ?? [])]
    return { ...outcome, warnings }
  } catch (error) {
    if (!(error instanceof DreamBusy)) throw error
    return skipped('lock', error.reason)
  }
}

async function dreamUnder(
  lock: DreamLock,
  context: DreamContext,
  options: DreamOptions & { signal: AbortSignal },
): Promise<Untimed> {
  const { home, memory, dreamer, now = () => new Date() } = context
  const place = placeOf(memory)
  const at = now()
  const status = new StatusFile(place.state, dreamer.name, at)
  const { progress = () => {} } = options
  const tell = (news: DreamProgress) => {
    status.tell(news)
    progress(news)
  }
  const { signal } = options
  let batch: readonly HistoryEntry[] = []
  const tookUp = (entries: readonly HistoryEntry[]) => {
    batch = entries
  }
  try {
    using sessions = SessionIndex.open(home)
    const dreamt = await dreamOn(sessions, context, { at, dryRun: false, signal, tell, tookUp })
    return await apply(dreamt, lock, context)
  } catch (error) {
    if (!(error instanceof DreamStopped || error instanceof LockLost)) {
      const history = new History(place.directory, { now })
      // Where that cannot be written either, what went wrong first is what is told.
      await countFailure(place.state, { history, batch, why: because(error) }).catch(() => {})
    }
    throw error
  } finally {
    status.remove()
  }
}

interface Dreamt {
  at: Date
  report: DreamReport
  cursor: number
  since: Date | undefined
  changes: readonly (ProposedChange & { before: string | null })[]
  told: Pick<DreamOutcome, 'changes' | 'learnt' | 'open' | 'usage' | 'warnings'>
}

interface DreamRun {
  at: Date
  dryRun: boolean
  signal: AbortSignal
  tell(news: DreamProgress): void
  /** Told which entries of the history it is about. */
  tookUp?(batch: readonly HistoryEntry[]): void
}

/** What comes of it, checked; nothing is written yet. What goes wrong ends as DreamFailed. */
async function dreamOn(
  sessions: SessionIndex,
  context: DreamContext,
  { at, dryRun, signal, tookUp = () => {}, ...options }: DreamRun,
): Promise<Dreamt> {
  const { home, project, config, memory, dreamer, now = () => new Date() } = context
  const place = placeOf(memory)
  const history = new History(place.directory, { now })
  const { minutes, rounds, inputTokens, skills } = config.dream
  const limit = AbortSignal.any([signal, AbortSignal.timeout(minutes * MINUTE_MS)])
  let spent = NO_USAGE
  let stage: MemoryStage | undefined
  try {
    const tell = (news: DreamProgress) => {
      spent = news.usage ?? spent
      options.tell({ ...news, files: stage?.changes().length ?? 0 })
    }
    tell({ phase: 'orient' })
    const refusals = readRefusals(place.state)
    const last = lastDream(place)
    // One that is dated in the future says nothing of what was said since (a clock that was put back).
    const since = last && last <= at ? last : undefined
    tell({ phase: 'gather' })
    const { material, snapshot } = await gatherMaterial({
      home,
      project,
      memory,
      history,
      sessions,
      refusals,
      since,
      now: at,
      maxRemovals: config.dream.maxRemovals,
      acceptsSkills: skills === 'auto',
      signal: limit,
    })
    tookUp(material.history)
    stage = new MemoryStage([...snapshot.memories, ...material.own], snapshot.index)
    const budget = { rounds, inputTokens, deadline: Date.now() + minutes * MINUTE_MS }
    const task = { material, stage, budget, sessions, dryRun, signal: limit, progress: tell }
    const report = await dreamer.dream(task)
    limit.throwIfAborted()
    const { changes, warnings: refused } = withoutRefused(stage.changes(), material)
    const files = snapshot.memories.length
    const most = mostRemovals(files, config.dream.maxRemovals)
    const problems = await checkDream({ files, changes, mostRemovals: most })
    if (problems.length > 0)
      throw new DreamFailed(
        `Nothing was changed, because the dream did not pass the checks: ${problems.join('; ')}.`,
        spent,
      )
    const warnings = [...(report.warnings ?? []), ...refused]
    const { learnt, usage } = report
    const told = { changes: changes.map(shown), learnt, open: openIn(report), usage, warnings }
    return { at, report, cursor: material.history.at(-1)?.cursor ?? 0, since, changes, told }
  } catch (error) {
    throw failure(error, { stopped: signal.aborted, late: limit.aborted, minutes, spent })
  }
}

function shown({ file, action, reason, before, text }: Dreamt['changes'][number]): DreamChange {
  return { file, action, reason, before, after: text }
}

/** All of it, with how far the history was read, or nothing. */
async function apply(dreamt: Dreamt, lock: DreamLock, context: DreamContext): Promise<Untimed> {
  const { memory, config } = context
  const { changes, told } = dreamt
  const place = placeOf(memory)
  const outcome = await memory
    .revise(
      'project',
      {
        message: summaryOf(changes),
        kind: 'dream',
        changes: changes.map(({ file, before, text, wentTo }) => ({
          where: isOwnFile(file) || isSkillFile(file) ? ('home' as const) : ('shelf' as const),
          file,
          seen: before,
          text,
          ...(wentTo !== undefined && { wentTo }),
        })),
        finish: plan => finished(dreamt, plan, { place, lock, dreamer: context.dreamer.name }),
      },
      () => lock.check(),
    )
    .catch(error => {
      throw failure(error, { stopped: false, late: false, ...config.dream, spent: told.usage })
    })
  lock.settle()
  forgetFailures(place.state)
  const left = outcome.dropped.map(({ file, why }) => `${file} was left as it is: ${why}`)
  const made = told.changes.filter(({ file }) => outcome.files.includes(file))
  return {
    ...told,
    status: made.length === 0 ? 'nothing' : 'done',
    ...(outcome.entry !== undefined && made.length > 0 && { id: outcome.entry }),
    changes: made,
    warnings: [...told.warnings, ...left],
  }
}

/** What is said of it in the journal, the diary and the cursors: of what can be done, and not of what was wanted. */
function finished(
  { at, report, cursor, since, changes }: Dreamt,
  { dropped }: PlannedSteps,
  { place, lock, dreamer }: { place: DreamPlace; lock: DreamLock; dreamer: string },
) {
  const made = changes.filter(({ file }) => dropped.every(each => each.file !== file))
  return {
    message: summaryOf(made),
    // Without a change there is nothing to note: the journal says what became of memories.
    noted:
      made.length === 0 ? [] : [{ file: NOTED, text: noteText({ report, made, dreamer, cursor, since }) }],
    companions: companions(place, lock, { at, cursor, report, changes: made, dreamer }),
  }
}

function failure(
  error: unknown,
  { stopped, late, minutes, spent }: { stopped: boolean; late: boolean; minutes: number; spent: Usage },
): Error {
  const cause = { cause: error }
  if (stopped) return new DreamStopped('The dream was stopped, and memory is as it was.', spent, cause)
  if (late)
    return new DreamFailed(
      `The dream took longer than ${minutes} minutes (dream.minutes) and was ended; memory is as it was.`,
      spent,
      cause,
    )
  if (error instanceof DreamFailed || error instanceof LockLost) return error
  const why =
    error instanceof ReverieError
      ? error.message
      : `The dream failed, and memory is as it was: ${because(error)}`
  return new DreamFailed(why, spent, cause)
}

/** What the owner has undone before stays undone, whoever proposes it; and nothing goes into what is not written. */
function withoutRefused<Change extends ProposedChange>(
  changes: readonly Change[],
  { isRefused }: Pick<DreamMaterial, 'isRefused'>,
): { changes: Change[]; warnings: string[] } {
  const refused = new Set(changes.filter(isRefused).map(({ file }) => file))
  for (const { file, wentTo } of changes) if (refused.has(wentTo ?? '')) refused.add(file)
  return {
    changes: changes.filter(({ file }) => !refused.has(file)),
    warnings: [...refused].map(file => `${file} was left as it is: the same change was undone before`),
  }
}

function summaryOf(changes: readonly ProposedChange[]): string {
  const memories = changes.filter(({ file }) => file !== INDEX_FILE)
  const removed = memories.filter(({ text }) => text === null).length
  const improved = memories.length - removed
  const parts = [
    ...(improved > 0 ? [`improved ${improved} ${improved === 1 ? 'memory' : 'memories'}`] : []),
    ...(removed > 0 ? [`let go of ${removed}`] : []),
    ...(memories.length === 0 && changes.length > 0 ? ['mended the index'] : []),
  ]
  return `Dream: ${parts.join(', ') || 'nothing to change'}`
}

/** Written when, and only when, what was dreamt is in the journal. */
function companions(
  { directory, state }: DreamPlace,
  lock: DreamLock,
  {
    at,
    cursor,
    report,
    changes,
    dreamer,
  }: { at: Date; cursor: number; report: DreamReport; changes: readonly ProposedChange[]; dreamer: string },
): Companion[] {
  const day = at.toISOString().replaceAll(/[:.]/g, '-')
  return [
    ...(cursor > 0 ? [{ path: join(directory, '.dream_cursor'), text: `${cursor}\n` }] : []),
    lock.companion(at),
    { path: join(state, 'diary', `${day}.md`), text: diaryEntry({ at, report, changes, dreamer }) },
  ]
}
