/** A thread that brings the index up to date with many files, the first time with all. */
import { parentPort, workerData } from 'node:worker_threads'
import { Follower, type FollowReport, NOTHING, troubleOf } from './follower.ts'
import { IndexTables } from './index-tables.ts'
import { WorkerControl } from './worker-control.ts'

export interface WorkerTask {
  database: string
  projects: string
  names: readonly string[]
  control: SharedArrayBuffer
}

parentPort?.postMessage(work(workerData))

function work({ database, projects, names, control: shared }: WorkerTask): FollowReport {
  const control = new WorkerControl(shared)
  try {
    using tables = IndexTables.openForBulk(database)
    if (tables.mode !== 'writable')
      return { ...NOTHING, trouble: { kind: 'unwritable', reason: 'it is read-only' } }
    return new Follower(tables, projects, names, control).follow()
  } catch (error) {
    control.stop()
    return { ...NOTHING, trouble: troubleOf(error) }
  }
}
