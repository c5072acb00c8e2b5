import type { DatabaseSync } from 'node:sqlite'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { because } from '../../store/index.ts'
import { type Followed, followFile, isUnreadable, type Step } from './follow-file.ts'
import { type FollowReport, isBusy } from './follower.ts'
import type { IndexTables } from './index-tables.ts'
import { pathOf } from './session-files.ts'

const BUSY_PAUSE_MS = 15
/** Some 10 ms of reading and writing, in bytes of words. */
const WORDS_AT_ONCE = 64 * 1024

/** The same as in threads, for the little that is new after a turn: between steps, others have theirs. */
export async function followInProcess(
  tables: IndexTables,
  projects: string,
  names: readonly string[],
  signal: AbortSignal,
): Promise<FollowReport> {
  const report: FollowReport = { files: 0, bytes: 0, turns: 0, unreadable: [] }
  for (const name of names) {
    try {
      const steps = followFile(tables, pathOf(projects, name), name, WORDS_AT_ONCE)
      const followed = signal.aborted ? undefined : await run(steps, tables.db, signal)
      if (!followed) break
      report.files++
      report.bytes += followed.bytes
      report.turns += followed.turns
    } catch (error) {
      if (!isUnreadable(error)) throw error
      report.unreadable.push({ name, reason: because(error) })
    }
  }
  return report
}

/** Undefined when the signal came first. */
async function run(
  steps: Generator<Step, Followed>,
  db: DatabaseSync,
  signal: AbortSignal,
): Promise<Followed | undefined> {
  try {
    for (;;) {
      const { done, value } = steps.next()
      if (done) return value
      await write(db, value, signal)
      await setImmediate()
      if (signal.aborted) return undefined
    }
  } finally {
    steps.return({ bytes: 0, turns: 0 }) // closes the file
  }
}

/** Waits for another writer without holding up anything, unless the signal comes first. */
async function write(db: DatabaseSync, step: Step, signal: AbortSignal): Promise<void> {
  while (!begun(db)) {
    await sleep(BUSY_PAUSE_MS)
    if (signal.aborted) return
  }
  try {
    step.run()
    db.exec('COMMIT')
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/** SQLite itself would wait by putting the thread to sleep. */
function begun(db: DatabaseSync): boolean {
  const { timeout } = db.prepare('PRAGMA busy_timeout').get() as { timeout: number }
  db.exec('PRAGMA busy_timeout = 0')
  try {
    db.exec('BEGIN IMMEDIATE')
    return true
  } catch (error) {
    if (!isBusy(error)) throw error
    return false
  } finally {
    db.exec(`PRAGMA busy_timeout = ${timeout}`)
  }
}
