import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { acquireLock, type Lock } from '../../store/index.ts'

/** So many locks for all files: who waits for another file's now and then waits for milliseconds. */
const LOCKS = 64
const WAIT_MS = 10_000

/**
 * Between the last look at a file and its replacement nobody else of ours may replace it: agents of this process and
 * of others on the same machine that use the same directory of locks.
 */
export class FileLocks {
  readonly directory: string

  constructor(directory: string) {
    this.directory = directory
  }

  /** Runs `work` while nobody else changes these files. */
  async hold<T>(paths: readonly string[], work: () => Promise<T>): Promise<T> {
    // Always taken in the same order, so that no two wait for each other.
    const names = [...new Set(paths.map(lockName))].sort()
    const held: Lock[] = []
    try {
      for (const name of names) held.push(await acquireLock(join(this.directory, name), { waitMs: WAIT_MS }))
      return await work()
    } finally {
      for (const lock of held.reverse()) await lock.release()
    }
  }
}

function lockName(path: string): string {
  return `file-${createHash('sha256').update(path).digest().readUInt32BE() % LOCKS}`
}
