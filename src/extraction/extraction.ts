/** One extraction: what was said since the last one, the mind, and then all of it at once with the cursor, or nothing. */
import type { Fence, Memory, RevisionOutcome } from '../memory/index.ts'
import { type Message, NO_USAGE, type Usage } from '../session/index.ts'
import { acquireLock, type Lock, LockBusy } from '../store/index.ts'
import { type CopiedChange, MemoryCopy } from './copy.ts'
import { type Cursor, cursorAfter, cursorText, messagesSince, readCursor, writeCursor } from './cursor.ts'
import type { Extractor } from './extractor.ts'
import { type Proposal, proposalsOf, withProposals } from './proposals.ts'
import { talkIn } from './talk.ts'

export interface ExtractionOptions {
  memory: Memory
  /** The session that is looked through, and the file that says how far it has been. */
  session: string
  cursorPath: string
  /** Where several processes may look through the same session; ours are each open in one. */
  lockPath?: string
  /** Where nothing has been looked at yet: the last message that belongs to another session. */
  after?: string | undefined
  messages: readonly Message[]
  /** Asked for only when there is something to look at. */
  extractor(): Promise<Extractor>
  /** What is found is kept at once, or proposed to the owner. */
  approval: 'auto' | 'ask'
  signal: AbortSignal
  now: Date
}

export interface ExtractionOutcome {
  /** `busy`: somebody else is looking through this session. */
  status: 'kept' | 'proposed' | 'nothing' | 'busy'
  /** What was changed, by scope: each is undone by itself. */
  kept: readonly { entry: string | undefined; changes: readonly CopiedChange[] }[]
  proposals: readonly Proposal[]
  dropped: RevisionOutcome['dropped']
}

const NOTHING: Omit<ExtractionOutcome, 'status'> = { kept: [], proposals: [], dropped: [] }
/** What could not be looked through so often is passed over; dreams look at it again in their way. */
const MOST_FAILURES = 3

/** What it cost is told also when it comes to nothing. */
export async function extract(
  options: ExtractionOptions,
  spent: (usage: Usage) => void = () => {},
): Promise<ExtractionOutcome> {
  const { cursorPath, lockPath, after, messages, signal } = options
  const lock = lockPath === undefined ? undefined : await lockAt(lockPath)
  if (lock === 'busy') return { ...NOTHING, status: 'busy' }
  await using _ = lock
  const start = readCursor(cursorPath) ?? (after === undefined ? undefined : { id: after, at: '' })
  const fresh = messagesSince(messages, start)
  const cursor = cursorAfter(fresh)
  if (!cursor) return { ...NOTHING, status: 'nothing' }
  try {
    return await lookThrough(options, { fresh, cursor, fence: async () => lock?.check() }, spent)
  } catch (error) {
    // Where that cannot be written either, what went wrong first is what is told.
    if (!signal.aborted) await countFailure(cursorPath, start, cursor).catch(() => {})
    throw error
  }
}

async function lookThrough(
  options: ExtractionOptions,
  { fresh, cursor, fence }: { fresh: readonly Message[]; cursor: Cursor; fence: Fence },
  spent: (usage: Usage) => void,
): Promise<ExtractionOutcome> {
  const { memory, session, cursorPath, signal, now, approval } = options
  const talk = talkIn(fresh)
  // What the agent saw to itself is not seen to again.
  if (talk.tended || talk.turns.every(({ who }) => who !== 'owner')) {
    await writeCursor(cursorPath, cursor)
    return { ...NOTHING, status: 'nothing' }
  }
  const copy = await MemoryCopy.of(memory, session)
  let usage = NO_USAGE
  try {
    const told = (soFar: Usage) => {
      usage = soFar
    }
    await (await options.extractor()).extract({ talk, memory, copy, now, signal, spent: told })
  } finally {
    if (usage.input + usage.output > 0) spent(usage)
  }
  signal.throwIfAborted()
  const changes = copy.changes()
  const companion = { path: cursorPath, text: cursorText(cursor) }
  if (changes.length === 0) {
    await writeCursor(cursorPath, cursor)
    return { ...NOTHING, status: 'nothing' }
  }
  if (approval === 'ask') {
    const proposals = proposalsOf(changes, { session, now })
    const finish = () => ({ companions: [withProposals(memory, proposals), companion] })
    await memory.revise('project', { message: 'Propose', kind: 'extraction', changes: [], finish }, fence)
    return { ...NOTHING, status: 'proposed', proposals }
  }
  const kept: ExtractionOutcome['kept'][number][] = []
  const dropped: RevisionOutcome['dropped'] = []
  const scopes = [...new Set(changes.map(({ scope }) => scope))]
  for (const scope of scopes) {
    const wanted = changes.filter(change => change.scope === scope)
    const outcome = await memory.revise(
      scope,
      {
        message: messageFor(wanted),
        kind: 'extraction',
        changes: wanted.map(({ file, before, after }) => ({ file, seen: before, text: after })),
        // With the last of them: what was found and how far it was looked are one.
        ...(scope === scopes.at(-1) && { companions: [companion] }),
      },
      fence,
    )
    const made = wanted.filter(({ file }) => outcome.files.includes(file))
    if (made.length > 0) kept.push({ entry: outcome.entry, changes: made })
    dropped.push(...outcome.dropped)
  }
  return { ...NOTHING, status: kept.length === 0 ? 'nothing' : 'kept', kept, dropped }
}

/** One look through a session at a time, whoever asks. */
async function lockAt(path: string): Promise<Lock | 'busy'> {
  try {
    return await acquireLock(path, { waitMs: 0, note: 'looking through a session' })
  } catch (error) {
    if (error instanceof LockBusy) return 'busy'
    throw error
  }
}

async function countFailure(path: string, before: Cursor | undefined, upTo: Cursor): Promise<void> {
  const failures = (before?.failures ?? 0) + 1
  await writeCursor(
    path,
    failures >= MOST_FAILURES ? upTo : { id: before?.id ?? '', at: before?.at ?? '', failures },
  )
}

function messageFor(changes: readonly CopiedChange[]): string {
  const named = (of: readonly CopiedChange[]) => of.map(({ name }) => `"${name}"`).join(', ')
  const made = changes.filter(({ before }) => before === null)
  const updated = changes.filter(({ before }) => before !== null)
  return [
    ...(made.length > 0 ? [`remember ${named(made)}`] : []),
    ...(updated.length > 0 ? [`update ${named(updated)}`] : []),
  ]
    .join(', ')
    .replace(/^./, first => first.toUpperCase())
}
