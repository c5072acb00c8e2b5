import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isLinkUnsupported, makeFirstMissing, PRIVATE_DIRECTORY, PRIVATE_FILE } from './atomic-file.ts'
import { because, ReverieError, systemCode } from './error.ts'
import { livenessOf, ownIdentity, type ProcessIdentity } from './process-identity.ts'

/**
 * A lock between processes is a directory of numbered claims, of which the highest number counts.
 *
 * Taking the lock is creating the claim after the highest one, exclusively, once that one is released or
 * stale: of any number of processes that saw the same highest claim, one succeeds. The highest is never
 * removed. Its owner keeps the claim open and beats and releases through that handle, never through the
 * name, so that however slow it was it touches no claim but its own, even if the directory was removed
 * and made anew meanwhile. The number only grows and is a fence: work done under an older one must stop.
 *
 * A claim is one line of JSON, without a newline; a second line says that it was released.
 */
export interface Claim extends ProcessIdentity {
  token: string
  /** The owner let go. */
  released: boolean
  /** What the holder wants others to know. */
  note?: string
  /** What whoever takes over from a dead holder has to know. */
  forSuccessor?: string
}

/** After how long a silence a claim is stale. */
export interface Staleness {
  /** A claim whose heartbeat is older than this is stale even if its process seems to run. */
  staleAfterMs?: number
  /** The same where the process cannot be asked: on another machine, or in a container that was made anew. */
  silentAfterMs?: number
}

export interface LockOptions extends Staleness {
  /** How long to wait for another holder; 0 tries once. */
  waitMs?: number
  note?: string
  forSuccessor?: string
  identity?: ProcessIdentity
  signal?: AbortSignal
}

export class LockBusy extends ReverieError {
  readonly holder: Claim
  constructor(path: string, holder: Claim) {
    const what = holder.note ? ` (${holder.note})` : ''
    super(`${path} is held by process ${holder.pid}${what}. Try again when it has finished.`)
    this.holder = holder
  }
}

/** The lock went to somebody else while we were, say, asleep. Nothing more may be written under it. */
export class LockLost extends ReverieError {}

const DEFAULT_WAIT_MS = 30_000
/** Older than this, a heartbeat no longer speaks for a running process (3-dream.md: 1 hour). */
export const STALE_AFTER_MS = 60 * 60 * 1000
const HEARTBEAT_MS = 60_000
/** For locks that are held for days, so that a container that crashed does not keep the next one waiting. */
export const SILENT_AFTER_MS = 5 * HEARTBEAT_MS
const FIRST_PAUSE_MS = 2
const LONGEST_PAUSE_MS = 120
/** Claims kept behind the highest, so that a process that was slow by a few claims still meets them. */
const CLAIMS_KEPT = 4
const UNREADABLE_HELD_MS = 10_000
const RELEASED = '\nreleased\n'
const CLAIM = /^[1-9][0-9]{0,14}$/
const DRAFT = /^\.[0-9a-f]{24}$/

export class Lock implements AsyncDisposable {
  readonly path: string
  /** Grows with every holder. */
  readonly fence: number
  readonly claim: Claim
  #file: fs.FileHandle
  #heartbeat: NodeJS.Timeout
  #released = false

  constructor(path: string, fence: number, claim: Claim, file: fs.FileHandle) {
    this.path = path
    this.fence = fence
    this.claim = claim
    this.#file = file
    this.#heartbeat = setInterval(() => void this.beat().catch(() => {}), HEARTBEAT_MS)
    this.#heartbeat.unref()
  }

  /** Says that the holder is alive; done by itself once a minute while the event loop turns. */
  async beat(now = new Date()): Promise<void> {
    await this.#file.utimes(now, now)
  }

  /** Throws LockLost if somebody has taken over. To be called before anything that must not happen twice. */
  async check(): Promise<void> {
    if (this.#released || (await highestClaim(this.path)) !== this.fence)
      throw new LockLost(`${this.path} was taken over by another process; nothing more is written under it.`)
  }

  async release(): Promise<void> {
    if (this.#released) return
    this.#released = true
    clearInterval(this.#heartbeat)
    await letGo(this.#file)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.release()
  }
}

/** Takes the lock, waiting for other holders with growing pauses; throws LockBusy when the time is up. */
export async function acquireLock(path: string, options: LockOptions = {}): Promise<Lock> {
  const claim: Claim = {
    ...(options.identity ?? ownIdentity()),
    token: randomBytes(12).toString('hex'),
    released: false,
    ...(options.note !== undefined && { note: options.note }),
    ...(options.forSuccessor !== undefined && { forSuccessor: options.forSuccessor }),
  }
  const deadline = performance.now() + (options.waitMs ?? DEFAULT_WAIT_MS)
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const result = await tryLock(path, claim, options)
    if (result instanceof Lock) return result
    const left = deadline - performance.now()
    if (left <= 0) throw new LockBusy(path, result)
    await sleep(Math.min(left, pause * (0.5 + Math.random())), undefined, { signal: options.signal })
  }
}

/** Runs `work` under the lock. */
export async function withLock<T>(
  path: string,
  work: (lock: Lock) => Promise<T>,
  options?: LockOptions,
): Promise<T> {
  await using lock = await acquireLock(path, options)
  return await work(lock)
}

/** The claim that counts now, if there ever was one, and whether it is held. */
export async function inspectLock(
  path: string,
  staleness: Staleness = {},
): Promise<{ held: boolean; claim?: Claim; beatAt?: Date }> {
  const highest = await highestClaim(path)
  if (highest === 0) return { held: false }
  const claim = await readClaim(path, highest)
  const stats = await fs.stat(claimPath(path, highest)).catch(ignoreMissing)
  if (claim === 'vanished' || !stats) return inspectLock(path, staleness)
  return { held: await isHeld(path, highest, claim, staleness), claim, beatAt: stats.mtime }
}

/** The new lock, or the claim of who holds it. */
async function tryLock(path: string, claim: Claim, staleness: Staleness): Promise<Lock | Claim> {
  try {
    for (;;) {
      makeDirectory(path)
      const highest = await highestClaim(path)
      if (highest > 0) {
        const current = await readClaim(path, highest)
        if (current === 'vanished') continue
        if (await isHeld(path, highest, current, staleness)) return current
      }
      const lock = await claimNext(path, highest + 1, claim)
      if (lock) return lock
    }
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    throw new ReverieError(`Could not take the lock ${path}: ${because(error)}.`, { cause: error })
  }
}

function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: PRIVATE_DIRECTORY })
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
    makeFirstMissing(path)
  }
}

/** Undefined when somebody else was faster. */
async function claimNext(path: string, fence: number, claim: Claim): Promise<Lock | undefined> {
  const file = await createExclusively(path, fence, claim)
  if (!file) return undefined
  try {
    // The draft may be hours old if the machine slept just then, and must not look stale.
    await file.utimes(new Date(), new Date())
    // A process that was very slow can create anew a number that was cleaned up long ago.
    if ((await highestClaim(path)) === fence) {
      await dropOldClaims(path, fence).catch(() => {}) // the next holder tries again
      return new Lock(path, fence, claim, file)
    }
  } catch (error) {
    await letGo(file)
    throw error
  }
  await letGo(file)
  return undefined
}

async function isHeld(
  path: string,
  fence: number,
  claim: Claim,
  { staleAfterMs = STALE_AFTER_MS, silentAfterMs = staleAfterMs }: Staleness,
): Promise<boolean> {
  if (claim.released) return false
  const liveness = livenessOf(claim)
  if (liveness === 'dead') return false
  const stats = await fs.stat(claimPath(path, fence)).catch(ignoreMissing)
  const mostMs = liveness === 'unknown' ? silentAfterMs : staleAfterMs
  return stats !== undefined && Date.now() - stats.mtimeMs <= mostMs
}

function claimPath(path: string, fence: number): string {
  return join(path, String(fence))
}

async function claimNumbers(path: string): Promise<number[]> {
  return (await fs.readdir(path)).filter(name => CLAIM.test(name)).map(Number)
}

/** 0 where there is none, or no directory. */
async function highestClaim(path: string): Promise<number> {
  try {
    return Math.max(0, ...(await claimNumbers(path)))
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return 0
    throw new ReverieError(`The lock ${path} cannot be read: ${because(error)}. Mend or remove it.`, {
      cause: error,
    })
  }
}

async function readClaim(path: string, fence: number): Promise<Claim | 'vanished'> {
  const text = await fs.readFile(claimPath(path, fence), 'utf8').catch(ignoreMissing)
  if (text === undefined) return 'vanished'
  const claim = parseClaim(text)
  if (claim) return claim
  // Damage (locks are not fsynced, so a power cut can empty them), or just being written where hard
  // links do not work: somebody unknown, who is believed for a moment.
  const { mtimeMs } = (await fs.stat(claimPath(path, fence)).catch(ignoreMissing)) ?? { mtimeMs: 0 }
  const released = Date.now() - mtimeMs > UNREADABLE_HELD_MS
  return { pid: 0, startTime: '', bootId: '', host: 'unknown', token: '', released }
}

function parseClaim(text: string): Claim | undefined {
  const [line = '', ...more] = text.split('\n')
  try {
    const claim = JSON.parse(line) as Partial<Claim> | null
    const { pid, startTime, bootId, host, token } = claim ?? {}
    if (typeof pid !== 'number' || [startTime, bootId, host, token].some(value => typeof value !== 'string'))
      return undefined
    return { ...(claim as Claim), released: more.length > 0 }
  } catch {
    return undefined
  }
}

/** Undefined if the number is taken already. The claim appears with its whole content, or not at all. */
async function createExclusively(
  path: string,
  fence: number,
  claim: Claim,
): Promise<fs.FileHandle | undefined> {
  const { released: _, ...content } = claim
  const draft = join(path, `.${randomBytes(12).toString('hex')}`)
  let file: fs.FileHandle | undefined
  try {
    file = await fs.open(draft, 'wx', PRIVATE_FILE)
    await file.appendFile(JSON.stringify(content))
    try {
      await fs.link(draft, claimPath(path, fence))
    } catch (error) {
      if (!isLinkUnsupported(error)) throw error
      await file.close()
      file = await fs.open(claimPath(path, fence), 'wx', PRIVATE_FILE)
      await file.appendFile(JSON.stringify(content))
    }
    return file
  } catch (error) {
    await file?.close()
    // ENOENT: the directory, or the draft of a process that slept for hours, was cleaned up meanwhile.
    if (['EEXIST', 'ENOENT'].includes(systemCode(error) ?? '')) return undefined
    throw error
  } finally {
    await fs.unlink(draft).catch(() => {}) // an old draft is cleaned up by a later holder
  }
}

async function letGo(file: fs.FileHandle): Promise<void> {
  try {
    await file.appendFile(RELEASED)
  } finally {
    await file.close()
  }
}

/** Removes claims far behind the highest, and drafts of claims whose writer was killed. */
async function dropOldClaims(path: string, fence: number): Promise<void> {
  for (const name of await fs.readdir(path)) {
    const file = join(path, name)
    if (CLAIM.test(name) && Number(name) <= fence - CLAIMS_KEPT) await fs.unlink(file).catch(ignoreMissing)
    if (!DRAFT.test(name)) continue
    const stats = await fs.stat(file).catch(ignoreMissing)
    if (stats && Date.now() - stats.mtimeMs > STALE_AFTER_MS) await fs.unlink(file).catch(ignoreMissing)
  }
}

function ignoreMissing(error: unknown): undefined {
  if (systemCode(error) !== 'ENOENT') throw error
}
