import { changeOf, type FileStamp, type FileState } from './file-state.ts'
import { BEING_DROPPED } from './index-tables.ts'

export interface RefreshPlan {
  /** The files to be looked into, those that are gone first. */
  names: string[]
  /** About how much there is to do, in bytes that are to be read or whose turns are to be removed. */
  bytes: number
}

/** What has to be looked into, by what the index remembers and what the directories tell. */
export function planRefresh(
  known: ReadonlyMap<string, FileState>,
  found: ReadonlyMap<string, FileStamp>,
): RefreshPlan {
  const plan: RefreshPlan = { names: [], bytes: 0 }
  for (const [name, { size }] of known) {
    if (found.has(name)) continue
    plan.names.push(name)
    plan.bytes += size
  }
  for (const [name, stamp] of found) {
    const state = known.get(name)
    const change = state === undefined || state.consumed === BEING_DROPPED ? 'anew' : changeOf(state, stamp)
    if (change === 'none') continue
    plan.names.push(name)
    plan.bytes += stamp.size - (change === 'anew' ? 0 : (state?.consumed ?? 0))
    if (change === 'anew') plan.bytes += state?.size ?? 0
  }
  return plan
}
