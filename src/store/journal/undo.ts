import { diff3Merge } from 'node-diff3'

/** How to take back one file's part of an entry. Content is null where there is no file. */
export type UndoStep =
  | { kind: 'set'; content: Buffer | null }
  /** Nothing to do: it is as it was before the entry. */
  | { kind: 'done' }
  /** What came later touches the same lines; the file stays as it is. */
  | { kind: 'conflict' }

/** Decides from the content before and after the entry, and what is there now. */
export function undoStep(before: Buffer | null, after: Buffer | null, now: Buffer | null): UndoStep {
  if (same(now, before)) return { kind: 'done' }
  if (same(now, after)) return { kind: 'set', content: before }
  if (before === null || after === null || now === null) return { kind: 'conflict' }
  const merged = mergeText(now, after, before)
  return merged === undefined ? { kind: 'conflict' } : { kind: 'set', content: merged }
}

/** Three-way merge by lines; undefined when both sides changed the same ones, or it is no text. */
export function mergeText(mine: Buffer, base: Buffer, theirs: Buffer): Buffer | undefined {
  if ([mine, base, theirs].some(content => content.includes(0))) return undefined
  const lines = (content: Buffer) => content.toString('utf8').split('\n')
  const merged: string[] = []
  for (const region of diff3Merge(lines(mine), lines(base), lines(theirs), { excludeFalseConflicts: true })) {
    if (region.conflict) return undefined
    merged.push(...(region.ok ?? []))
  }
  return Buffer.from(merged.join('\n'))
}

function same(a: Buffer | null, b: Buffer | null): boolean {
  return a === null || b === null ? a === b : a.equals(b)
}
