import { withoutSecrets } from '../../memory/index.ts'
import { History } from '../../session/index.ts'
import type { Reporting } from './report.ts'
import type { SourceSummary } from './source.ts'
import type { MemoryTarget } from './write-memory.ts'

const MINUTE_MS = 60_000

/** Appends the summaries that are not here yet to the history of a project. */
export async function importHistory(
  entries: readonly SourceSummary[],
  { agent, ledger, place, dryRun, now }: MemoryTarget,
  reporting: Reporting,
): Promise<void> {
  const fresh = entries.filter(({ id }) => ledger.memoryOf(agent, id) === undefined)
  reporting.history.unchanged += entries.length - fresh.length
  reporting.history.added += fresh.length
  if (dryRun || fresh.length === 0) return
  const history = new History(place('project'))
  // A crash may have come between an entry and the ledger.
  const there = new Set(
    (await history.entries()).map(({ content, timestamp }) => keyOf(content, new Date(timestamp))),
  )
  for (const { id, content, at = now() } of fresh) {
    const kept = await withoutSecrets(content)
    if (!there.has(keyOf(kept, at))) await history.append(kept, { at })
    await ledger.record(agent, id, content, null, now())
  }
}

/** A history tells the time to the minute. */
function keyOf(content: string, at: Date): string {
  return `${Math.floor(at.getTime() / MINUTE_MS)} ${content}`
}
