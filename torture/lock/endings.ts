import { linkSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Lock } from '../../src/store/index.ts'
import { STALE_AFTER_MS } from '../../src/store/index.ts'

/** The ways in which a holder's time ends. All but the first leave a claim that others must see through. */
export const ENDINGS = [
  'released',
  'dead pid',
  'reused pid',
  'other boot',
  'old heartbeat',
  'damaged long ago',
  'killed',
] as const
export type Ending = (typeof ENDINGS)[number]

/** Above every pid that Linux gives out. */
const NO_SUCH_PID = 2 ** 22 + 1
const LONG_AGO_MS = STALE_AFTER_MS + 60_000

/**
 * Ends the holder's time. The claims that nobody holds are planted as the next number by the holder
 * itself, which is the only one that may create it, so that planting breaks no rule of the lock.
 */
export async function end(lock: Lock, ending: Ending): Promise<void> {
  if (ending === 'killed') process.kill(process.pid, 'SIGKILL')
  if (ending !== 'released') plant(lock, ending)
  await lock.release()
}

function plant(lock: Lock, ending: Ending): void {
  const { released: _, ...claim } = lock.claim
  const content: Record<Ending, unknown> = {
    released: claim,
    killed: claim,
    'dead pid': { ...claim, pid: NO_SUCH_PID },
    // This very process runs, but it did not start at that time.
    'reused pid': { ...claim, startTime: '1' },
    'other boot': { ...claim, bootId: '00000000-0000-0000-0000-000000000000' },
    'old heartbeat': claim,
    'damaged long ago': null,
  }
  const draft = join(lock.path, `.planted-${process.pid}`)
  writeFileSync(draft, JSON.stringify(content[ending]))
  if (ending === 'old heartbeat' || ending === 'damaged long ago') {
    const longAgo = new Date(Date.now() - LONG_AGO_MS)
    utimesSync(draft, longAgo, longAgo)
  }
  linkSync(draft, join(lock.path, String(lock.fence + 1)))
  unlinkSync(draft)
}
