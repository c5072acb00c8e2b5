/**
 * One dream at a time. Among Reverie's processes a claim decides; `.consolidate-lock` in the memory directory is kept
 * for other programs with the same convention: its time is that of the last dream, its body the pid of who dreams.
 */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  futimesSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import {
  acquireLock,
  ensureDirectory,
  inspectLock,
  type Lock,
  LockBusy,
  PRIVATE_FILE,
  ReverieError,
  readSmallFile,
} from '../store/index.ts'

export class DreamBusy extends ReverieError {
  readonly pid: number
  /** The same as a part of a sentence. */
  readonly reason: string
  constructor(reason: string, pid: number) {
    super(`${reason.replace(/^./, first => first.toUpperCase())}.`)
    this.reason = reason
    this.pid = pid
  }
}

export const MIRROR = '.consolidate-lock'
/** Another program's lock that is older than this is forgotten (3-dream.md). */
const FOREIGN_STALE_MS = 60 * 60 * 1000

export interface DreamPlace {
  /** Where the memories are. */
  directory: string
  /** Where Reverie keeps what is about them. */
  state: string
}

/** When the last dream was. While somebody dreams, when it was before that. */
export function lastDream({ directory, state }: DreamPlace): Date | undefined {
  const stats = statSync(`${directory}/${MIRROR}`, { throwIfNoEntry: false })
  if (!stats) return undefined
  // It says who dreams only while somebody does, or died doing so: what was before is written down elsewhere then.
  const before = stats.size > 0 ? readBefore(state) : undefined
  if (before) return before.mtimeMs === null ? undefined : new Date(before.mtimeMs)
  return stats.mtime
}

/** Who dreams now, ours or another program; asked without touching anything. */
export async function holderOf(place: DreamPlace, now: Date): Promise<DreamBusy | undefined> {
  const { held, claim } = await inspectLock(claimPath(place))
  if (held && claim) return ourHolder(claim.pid)
  // A pid that one of ours has written and died with is nobody's.
  const pid = readBefore(place.state) ? undefined : foreignHolder(place, now)
  return pid === undefined ? undefined : otherHolder(pid)
}

function ourHolder(pid: number): DreamBusy {
  return new DreamBusy(`process ${pid} is dreaming already`, pid)
}

function otherHolder(pid: number): DreamBusy {
  return new DreamBusy(`another program (process ${pid}) is consolidating this memory`, pid)
}

export class DreamLock implements AsyncDisposable {
  #place: DreamPlace
  #lock: Lock
  #done = false

  private constructor(place: DreamPlace, lock: Lock) {
    this.#place = place
    this.#lock = lock
  }

  /** Throws DreamBusy when somebody else is dreaming. */
  static async acquire(place: DreamPlace, now: Date): Promise<DreamLock> {
    await ensureDirectory(place.state)
    await ensureDirectory(place.directory)
    const lock = await acquireLock(claimPath(place), { waitMs: 0, note: 'a dream' }).catch(error => {
      if (!(error instanceof LockBusy)) throw error
      throw ourHolder(error.holder.pid)
    })
    const own = new DreamLock(place, lock)
    try {
      putBack(place) // of one who died in the middle
      const pid = foreignHolder(place, now)
      if (pid !== undefined) throw otherHolder(pid)
      own.#mirror()
      return own
    } catch (error) {
      await lock.release()
      throw error
    }
  }

  /** Throws when somebody has taken over: nothing more may be applied. */
  check(): Promise<void> {
    return this.#lock.check()
  }

  /** Said in the same breath as what was dreamt, so that a crash cannot part them. */
  companion(now: Date) {
    return { path: join(this.#place.directory, MIRROR), text: '', mtimeMs: now.getTime() }
  }

  /** What was dreamt is durable: the time of it stays. */
  settle(): void {
    this.#done = true
  }

  /** As if there had been no dream since: nobody is told that there was one later. */
  rewind(to: Date | undefined): void {
    const { state } = this.#place
    const { mtimeMs = null } = readBefore(state) ?? {}
    const earlier = to === undefined || mtimeMs === null ? null : Math.min(mtimeMs, to.getTime())
    writeFileSync(beforePath(state), JSON.stringify({ mtimeMs: earlier }), {
      flush: true,
      mode: PRIVATE_FILE,
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.#lock.check()
      if (this.#done) rmSync(beforePath(this.#place.state), { force: true })
      else putBack(this.#place)
    } catch {
      // Taken over: what is there now is another's.
    } finally {
      await this.#lock.release()
    }
  }

  /** What was there is written down before it is changed. */
  #mirror(): void {
    const { directory, state } = this.#place
    const path = join(directory, MIRROR)
    const stats = statSync(path, { throwIfNoEntry: false })
    const before = JSON.stringify({ mtimeMs: stats?.mtimeMs ?? null })
    writeFileSync(beforePath(state), before, { flush: true, mode: PRIVATE_FILE })
    replaceMirror(directory, String(process.pid))
  }
}

function claimPath({ state }: DreamPlace): string {
  return join(state, 'dream-lock')
}

function beforePath(state: string): string {
  return join(state, 'dream-before.json')
}

function readBefore(state: string): { mtimeMs: number | null } | undefined {
  try {
    const text = readSmallFile(beforePath(state))
    const { mtimeMs } = JSON.parse(text ?? '') as { mtimeMs: unknown }
    return { mtimeMs: typeof mtimeMs === 'number' ? mtimeMs : null }
  } catch {
    return undefined
  }
}

/** As it was before a dream that came to nothing, so that the next try is not a day away. */
function putBack({ directory, state }: DreamPlace): void {
  const before = readBefore(state)
  if (!before) return
  const path = join(directory, MIRROR)
  // A dream that was applied has emptied it; then the new time stands.
  const body = statSync(path, { throwIfNoEntry: false }) && readFileSync(path, 'utf8').trim()
  if (body) {
    if (before.mtimeMs === null) rmSync(path, { force: true })
    else replaceMirror(directory, '', new Date(before.mtimeMs))
  }
  rmSync(beforePath(state), { force: true })
}

/**
 * At no instant is it empty and new, which would say that there was a dream just now: whoever is killed then must not
 * keep the next one waiting for a day.
 */
function replaceMirror(directory: string, text: string, mtime?: Date): void {
  // Named like every temporary file of ours: what a killed process leaves is swept away.
  const temporary = join(directory, `.reverie-${randomBytes(8).toString('hex')}.tmp`)
  const file = openSync(temporary, 'wx', PRIVATE_FILE)
  try {
    writeFileSync(file, text)
    if (mtime) futimesSync(file, mtime, mtime)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(temporary, join(directory, MIRROR))
}

function foreignHolder({ directory }: DreamPlace, now: Date): number | undefined {
  const path = join(directory, MIRROR)
  const stats = statSync(path, { throwIfNoEntry: false })
  const pid = stats && Number(readFileSync(path, 'utf8').trim())
  if (!stats || !pid || !Number.isSafeInteger(pid) || pid === process.pid) return undefined
  if (now.getTime() - stats.mtimeMs > FOREIGN_STALE_MS) return undefined
  return isAlive(pid) ? pid : undefined
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
