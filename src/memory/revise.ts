import type { Desk } from './desk.ts'
import { parseEntry } from './entry.ts'
import { INDEX_FILE } from './name.ts'
import { type Fence, merged, placeOf, type Revised, type RevisionDraft, revise } from './revision.ts'
import type { RevisionStep } from './revision-record.ts'
import type { Shelf } from './shelf.ts'

/** A change that was thought out on a copy. */
export interface WantedChange {
  /** On the shelf unless told. */
  where?: RevisionStep['where']
  file: string
  /** What the file said when the copy was made; null when there was none. */
  seen: string | null
  /** Null removes it. */
  text: string | null
  /** The file into which the content of a removed one went. */
  wentTo?: string | undefined
}

export interface PlannedSteps {
  steps: RevisionStep[]
  /** What is left as somebody else made it meanwhile, and why. */
  dropped: { file: string; why: string }[]
}

/** Changes that were thought out on a copy, and what is written with them. */
export interface Revision
  extends Pick<RevisionDraft, 'message' | 'kind'>,
    Partial<Pick<RevisionDraft, 'by' | 'noted' | 'companions'>> {
  changes: readonly WantedChange[]
  /** What can only be said when it is known which of the changes are possible. */
  finish?(plan: PlannedSteps): Partial<Pick<RevisionDraft, 'message' | 'noted' | 'companions'>>
}

export interface RevisionOutcome extends Pick<Revised, 'entry' | 'files'> {
  /** What was left as somebody else made it meanwhile, and why. */
  dropped: { file: string; why: string }[]
}

/** Makes changes that belong together: all of them or none, whatever is killed when. */
export async function reviseMemories(
  desk: Desk,
  shelf: Shelf,
  { changes, finish, ...rest }: Revision,
  fence?: Fence,
): Promise<RevisionOutcome> {
  let dropped: PlannedSteps['dropped'] = []
  const revised = await revise(
    desk,
    shelf,
    async () => {
      const plan = await planSteps(desk, shelf, changes)
      dropped = plan.dropped
      return { by: 'Reverie', ...rest, ...finish?.(plan), steps: plan.steps }
    },
    fence,
  )
  const late = (revised?.dropped ?? []).map(file => ({ file, why: 'it was changed meanwhile' }))
  return { entry: revised?.entry, files: revised?.files ?? [], dropped: [...dropped, ...late] }
}

/**
 * What is to be done about changes now that others may have been here: theirs wins, ours goes in where the edits do
 * not overlap. Removals come last, and only when what was to take their content up does.
 */
async function planSteps(desk: Desk, shelf: Shelf, wanted: readonly WantedChange[]): Promise<PlannedSteps> {
  const plan: PlannedSteps = { steps: [], dropped: [] }
  const removalsLast = [
    ...wanted.filter(({ text }) => text !== null),
    ...wanted.filter(({ text }) => text === null),
  ]
  for (const change of removalsLast) {
    const { where = 'shelf', file, seen, text, wentTo } = change
    const fellAway = plan.dropped.find(dropped => dropped.file === wentTo)
    if (text === null && fellAway) {
      plan.dropped.push({ file, why: `it was to go into ${wentTo}, which was changed meanwhile` })
      continue
    }
    const found = await placeOf(desk, shelf, { where, file, before: null, after: null }).read()
    const now = found === 'unreadable' ? undefined : (found?.text ?? null)
    const after = now === undefined ? undefined : merged(now, seen, text)
    const why = whyNot(where, file, now, after)
    if (why !== undefined) plan.dropped.push({ file, why })
    else if (now !== undefined && after !== undefined && now !== after) {
      const stored = where === 'shelf' ? await shelf.read(file) : undefined
      const mtimeMs = stored && 'text' in stored ? ageKept(now, after, stored.mtimeMs) : undefined
      plan.steps.push({
        where,
        file,
        before: now,
        after,
        ...(mtimeMs !== undefined && { mtimeMs }),
        ...(wentTo !== undefined && { needs: wentTo }),
      })
    }
  }
  return plan
}

function whyNot(
  where: RevisionStep['where'],
  file: string,
  now: string | null | undefined,
  after: string | null | undefined,
): string | undefined {
  if (now === undefined) return 'it can no longer be read'
  if (after === undefined) return 'it was changed meanwhile on the same lines, and stays as it is'
  if (where === 'home' || file === INDEX_FILE || now === after) return undefined
  if (now !== null && isPinned(now)) return 'it was pinned meanwhile'
  if (after !== null && !parseEntry(after).ok) return 'what it was changed to meanwhile does not go with ours'
  return undefined
}

function isPinned(text: string): boolean {
  const parsed = parseEntry(text)
  return parsed.ok && parsed.entry.pinned
}

/**
 * A change that does not say that the memory was confirmed leaves it as old as it was. One that does is believed for what
 * it says; the file that had only its time keeps that, so that the change can be taken back.
 */
function ageKept(before: string | null, after: string | null, mtimeMs: number): number | undefined {
  if (before === null || after === null) return undefined
  const [was, is] = [parseEntry(before), parseEntry(after)]
  if (!was.ok || !is.ok) return undefined
  const { updated } = was.entry
  return updated === undefined || updated === is.entry.updated ? mtimeMs : undefined
}
