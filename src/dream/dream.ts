/** One dream: gates, lock, gather, the mind, checks, and then all of it at once or nothing. */
import { rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DreamHooks } from '../agent/index.ts'
import type { Config, Home, Project } from '../config/index.ts'
import { type Companion, type Memory, readRefusals } from '../memory/index.ts'
import { History, NO_USAGE, Sessions, sourceOfRunSession, type Usage } from '../session/index.ts'
import {
  because,
  LockLost,
  ownIdentity,
  ReverieError,
  readSmallFile,
  writeFileAtomic,
} from '../store/index.ts'
import { checkDream } from './checks.ts'
import { diaryEntry } from './diary.ts'
import { DreamBusy, DreamLock, type DreamPlace, lastDream } from './dream-lock.ts'
import type { Dreamer, DreamMaterial, DreamProgress, DreamReport, ProposedChange } from './dreamer.ts'
import { askGates, type Gate, type GateAnswer, type GateFacts } from './gates.ts'
import { gatherMaterial } from './material.ts'
import { isOwnFile, isSkillFile } from './own-files.ts'
import { MemoryStage } from './stage.ts'

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

/** Kept in the journal beside the changes. */
export const NOTED = 'dream.json'
const MINUTE_MS = 60_000
/** A batch of history that failed so often is set aside (3-dream.md). */
const MOST_FAILURES = 3

export function placeOf(memory: Memory): DreamPlace {
  return { directory: memory.place('project'), state: memory.state('project') }
}

/** The gates but the lock. */
export function mayDream(
  context: DreamContext,
  { peek = false, ...options }: { force?: boolean; peek?: boolean } = {},
): Promise<GateAnswer> {
  const { now = () => new Date() } = context
  return askGates(context.config.dream, gateFacts(context, peek), now(), options)
}

export async function dream(context: DreamContext, options: DreamOptions = {}): Promise<DreamOutcome> {
  const { memory, now = () => new Date() } = context
  const started = performance.now()
  const gates = options.dryRun ? { open: true as const } : await mayDream(context, options)
  const nothing = { changes: [], learnt: [], usage: NO_USAGE, warnings: [] }
  const elapsed = () => Math.round(performance.now() - started)
  if (!gates.open)
    return { ...nothing, status: 'skipped', gate: gates.gate, reason: gates.reason, ms: elapsed() }
  try {
    await using lock = await DreamLock.acquire(placeOf(memory), now())
    const hooks = options.dryRun ? undefined : context.hooks
    const { signal = new AbortController().signal } = options
    const asked = await hooks?.before(context.dreamer.name, signal)
    if (asked?.blocked !== undefined)
      return { ...nothing, status: 'skipped', gate: 'hook', reason: asked.blocked, ms: elapsed() }
    const outcome = await dreamUnder(lock, context, options)
    const told = { dreamer: context.dreamer.name, id: outcome.id, changes: outcome.changes }
    const problems = outcome.status === 'done' ? await hooks?.after(told, signal) : undefined
    const warning = 'warning' in gates && gates.warning ? [gates.warning] : []
    const warnings = [...warning, ...(asked?.problems ?? []), ...outcome.warnings, ...(problems ?? [])]
    return { ...outcome, warnings, ms: elapsed() }
  } catch (error) {
    if (!(error instanceof DreamBusy)) throw error
    return { ...nothing, status: 'skipped', gate: 'lock', reason: error.message, ms: elapsed() }
  }
}

async function dreamUnder(
  lock: DreamLock,
  context: DreamContext,
  { dryRun = false, signal = new AbortController().signal, progress = () => {} }: DreamOptions,
): Promise<Omit<DreamOutcome, 'ms'>> {
  const { home, project, config, memory, dreamer, now = () => new Date() } = context
  const place = placeOf(memory)
  const history = new History(place.directory, { now })
  const { minutes, rounds, inputTokens, maxRemovals, skills } = config.dream
  const at = now()
  const limit = AbortSignal.any([signal, AbortSignal.timeout(minutes * MINUTE_MS)])
  const status = new StatusFile(place.state, dreamer.name, at)
  let cursor = 0
  let spent = NO_USAGE
  try {
    const tell = (news: DreamProgress) => {
      spent = news.usage ?? spent
      status.tell(news)
      progress(news)
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
      refusals,
      since,
      now: at,
      maxRemovals,
      acceptsSkills: skills === 'auto',
      signal: limit,
    })
    cursor = material.history.at(-1)?.cursor ?? 0
    const stage = new MemoryStage([...snapshot.memories, ...material.own], snapshot.index)
    const budget = { rounds, inputTokens, deadline: Date.now() + minutes * MINUTE_MS }
    const report = await dreamer.dream({ material, stage, budget, signal: limit, progress: tell })
    limit.throwIfAborted()
    const { changes, warnings: refused } = withoutRefused(stage.changes(), material)
    const problems = await checkDream({ files: snapshot.memories.length, changes, maxRemovals })
    if (problems.length > 0)
      throw new DreamFailed(
        `Nothing was changed, because the dream did not pass the checks: ${problems.join('; ')}.`,
        spent,
      )
    const shown = changes.map(({ file, action, reason, before, text }) => ({
      file,
      action,
      reason,
      before,
      after: text,
    }))
    const told = {
      changes: shown,
      learnt: report.learnt,
      usage: report.usage,
      warnings: [...(report.warnings ?? []), ...refused],
    }
    if (dryRun) return { status: 'dry-run', ...told }
    const outcome = await memory.revise(
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
        // Without a change there is nothing to note: the journal says what became of memories.
        noted: changes.length === 0 ? [] : [{ file: NOTED, text: noteText(report, dreamer.name, cursor) }],
        companions: companions(place, lock, { at, cursor, report, changes, dreamer: dreamer.name }),
      },
      () => lock.check(),
    )
    lock.settle()
    rmSync(failuresPath(place.state), { force: true })
    const warnings = [
      ...told.warnings,
      ...outcome.dropped.map(({ file, why }) => `${file} was left as it is: ${why}`),
    ]
    const made = shown.filter(({ file }) => outcome.files.includes(file))
    return {
      ...told,
      status: made.length === 0 ? 'nothing' : 'done',
      ...(outcome.entry !== undefined && made.length > 0 && { id: outcome.entry }),
      changes: made,
      warnings,
    }
  } catch (error) {
    if (!dryRun && !signal.aborted && !(error instanceof LockLost))
      await countFailure(place.state, history, cursor, error)
    if (signal.aborted)
      throw new DreamFailed('The dream was stopped, and memory is as it was.', spent, { cause: error })
    if (limit.aborted)
      throw new DreamFailed(
        `The dream took longer than ${minutes} minutes (dream.minutes) and was ended; memory is as it was.`,
        spent,
        { cause: error },
      )
    if (error instanceof DreamFailed || error instanceof LockLost) throw error
    const why =
      error instanceof ReverieError
        ? error.message
        : `The dream failed, and memory is as it was: ${because(error)}`
    throw new DreamFailed(why, spent, { cause: error })
  } finally {
    status.remove()
  }
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
  const removed = changes.filter(({ text }) => text === null).length
  const improved = changes.length - removed
  const parts = [
    ...(improved > 0 ? [`improved ${improved} ${improved === 1 ? 'memory' : 'memories'}`] : []),
    ...(removed > 0 ? [`let go of ${removed}`] : []),
  ]
  return `Dream: ${parts.join(', ') || 'nothing to change'}`
}

function noteText({ findings, learnt, letGo, usage }: DreamReport, dreamer: string, cursor: number): string {
  return `${JSON.stringify({ dreamer, cursor, findings, learnt, letGo, usage }, null, 1)}\n`
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

function failuresPath(state: string): string {
  return join(state, 'dream-failures.json')
}

/** The same batch that fails again and again is set aside, so that the next one has its turn. */
async function countFailure(state: string, history: History, cursor: number, error: unknown): Promise<void> {
  if (cursor === 0) return
  const known = JSON.parse(readSmallFile(failuresPath(state)) ?? '{}') as { cursor?: number; count?: number }
  const count = known.cursor === cursor ? (known.count ?? 0) + 1 : 1
  if (count < MOST_FAILURES)
    return writeFileAtomic(failuresPath(state), `${JSON.stringify({ cursor, count })}\n`)
  const batch = (await history.waiting()).filter(entry => entry.cursor <= cursor)
  await history.setAside(batch, because(error))
  rmSync(failuresPath(state), { force: true })
}

/** Where others see how far a dream is. */
class StatusFile {
  #path: string
  #status: object

  constructor(state: string, dreamer: string, at: Date) {
    this.#path = statusPath(state)
    this.#status = { process: ownIdentity(), dreamer, startedAt: at.toISOString() }
  }

  tell(news: DreamProgress): void {
    this.#status = { ...this.#status, ...news }
    writeFileSync(this.#path, JSON.stringify(this.#status))
  }

  remove(): void {
    rmSync(this.#path, { force: true })
  }
}

export function statusPath(state: string): string {
  return join(state, 'dream-status.json')
}

/** With `peek` nobody is kept from looking again soon. */
function gateFacts({ home, project, memory, session }: DreamContext, peek: boolean): GateFacts {
  const place = placeOf(memory)
  const scan = () => join(place.state, 'dream-scan')
  const sessions = () => new Sessions(home, project)
  return {
    lastDream: () => lastDream(place),
    lastScan: () => (peek ? undefined : statSync(scan(), { throwIfNoEntry: false })?.mtime),
    noteScan() {
      if (peek) return
      try {
        writeFileSync(scan(), '', { flag: 'a' })
        utimesSync(scan(), new Date(), new Date())
      } catch {
        // A home that is not there yet has no sessions to list either.
      }
    },
    // What began by itself is nothing to learn from.
    sessionsSince: async since =>
      (await sessions().touchedSince(since, session)).filter(id => sourceOfRunSession(id) === undefined)
        .length,
    async messagesSince(since) {
      let count = 0
      for (const id of await sessions().touchedSince(since)) {
        const { messages } = await sessions().load(id)
        count += messages.filter(({ origin, at }) => origin === 'person' && new Date(at) > since).length
      }
      return count
    },
  }
}
