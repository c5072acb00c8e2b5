/** A thread that brings the index up to date with many files, or the first time with all. */
import { parentPort, workerData } from 'node:worker_threads'
import { because, inTransaction, isDamaged, isStorageTrouble } from '../../store/index.ts'
import { followFile, isUnreadable } from './follow-file.ts'
import { IndexTables } from './index-tables.ts'
import { pathOf } from './session-files.ts'
import { WorkerControl } from './worker-control.ts'

export interface WorkerTask {
  database: string
  projects: string
  names: readonly string[]
  control: SharedArrayBuffer
}

export interface WorkerReport {
  files: number
  bytes: number
  turns: number
  /** Files that could not be read, and why. */
  unreadable: { name: string; reason: string }[]
  /** Why the index could not be written. */
  trouble?: { reason: string; damaged: boolean }
}

/** Where it is not run as a thread, there is no task. */
if (parentPort && isTask(workerData)) parentPort.postMessage(work(workerData))

function work({ database, projects, names, control: shared }: WorkerTask): WorkerReport {
  const control = new WorkerControl(shared)
  const report: WorkerReport = { files: 0, bytes: 0, turns: 0, unreadable: [] }
  try {
    using tables = IndexTables.openForBulk(database)
    if (tables.mode !== 'writable') return { ...report, trouble: { reason: 'it cannot be written', damaged: false } }
    for (let at = control.takeNext(); at < names.length && !control.isStopped; at = control.takeNext())
      follow(tables, projects, names[at] ?? '', control, report)
    return report
  } catch (error) {
    if (!isStorageTrouble(error)) throw error
    control.stop()
    return { ...report, trouble: { reason: because(error), damaged: isDamaged(error) } }
  }
}

function follow(
  tables: IndexTables,
  projects: string,
  name: string,
  control: WorkerControl,
  report: WorkerReport,
): void {
  try {
    const steps = followFile(tables, pathOf(projects, name), name)
    for (;;) {
      const { done, value } = control.isStopped ? steps.return({ bytes: 0, turns: 0 }) : steps.next()
      if (!done) {
        control.inTurn(() => inTransaction(tables.db, value))
        continue
      }
      report.files++
      report.bytes += value.bytes
      report.turns += value.turns
      return
    }
  } catch (error) {
    if (!isUnreadable(error)) throw error
    report.unreadable.push({ name, reason: because(error) })
  }
}

function isTask(data: unknown): data is WorkerTask {
  return typeof data === 'object' && data !== null && 'database' in data && 'control' in data
}
