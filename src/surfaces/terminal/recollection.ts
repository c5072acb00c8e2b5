/** Going back through what was typed before, as a value: with the arrows, or by searching. */
export interface Recollection {
  readonly entries: readonly string[]
  /** Which of them is shown; `entries.length` is what was being typed. */
  readonly at: number
  readonly draft: string
}

export interface Search {
  readonly entries: readonly string[]
  readonly query: string
  /** The entry that was found. */
  readonly at: number | undefined
}

export function begin(entries: readonly string[], draft: string): Recollection {
  return { entries, at: entries.length, draft }
}

/** Undefined where there is nothing further that way. */
export function go(recollection: Recollection, by: -1 | 1): Recollection | undefined {
  const at = recollection.at + by
  return at < 0 || at > recollection.entries.length ? undefined : { ...recollection, at }
}

export function shown({ entries, at, draft }: Recollection): string {
  return entries[at] ?? draft
}

/** The newest entry that contains the query, not after `from`. */
export function search(entries: readonly string[], query: string, from = entries.length - 1): Search {
  const wanted = query.toLowerCase()
  for (let at = Math.min(from, entries.length - 1); at >= 0; at--)
    if (query !== '' && entries[at]?.toLowerCase().includes(wanted)) return { entries, query, at }
  return { entries, query, at: undefined }
}

/** The next older one; where there is none it stays. */
export function searchOlder(found: Search): Search {
  if (found.at === undefined) return found
  const older = search(found.entries, found.query, found.at - 1)
  return older.at === undefined ? found : older
}
