import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isLinkUnsupported, PRIVATE_DIRECTORY, PRIVATE_FILE } from './atomic-file.ts'
import { because, ReverieError, systemCode } from './error.ts'
import { livenessOf, ownIdentity, type ProcessIdentity } from './process-identity.ts'

/**
 * A lock between processes is a directory of numbered claims, of which the highest number counts.
 *
 * Taking the lock is creating the claim after the highest one, exclusively, once that one is released or
 * stale: of any number of processes that saw the same highest claim, one succeeds. A claim is written by
 * its owner alone, and the highest is never removed, so a slow process can neither delete nor revive
 * somebody else's claim. The number only grows and is a fence: work done under an older one must stop.
 */
export interface Claim extends ProcessIdentity {
  token: string
  /** Set when the owner let go. */
  released: boolean
  /** What the holder wants others to know. */
  note?: string
}

export interface LockOptions {
  /** How long to wait for another holder; 0 tries once. */
  waitMs?: number
  /** A claim whose heartbeat is older than this is stale even if its process seems to run. */
  staleAfterMs?: number
  note?: string
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
const FIRST_PAUSE_MS = 2
const LONGEST_PAUSE_MS = 120
/** Claims kept behind the highest, so that a process that was slow by a few claims still meets them. */
const CLAIMS_KEPT = 4
const UNREADABLE_HELD_MS = 10_000
const CLAIM = /^[1-9][0-9]*$/
const DRAFT = /^\.[0-9a-f]{24}$/

export class Lock implements AsyncDisposable {
  readonly path: string
  /** Grows with every holder. */
  readonly fence: number
  readonly claim: Claim
  #heartbeat: NodeJS.Timeout
  #released = false

  constructor(path: string, fence: number, claim: Claim) {
    this.path = path
    this.fence = fence
    this.claim = claim
    this.#heartbeat = setInterval(() => void this.beat().catch(() => {}), HEARTBEAT_MS)
    this.#heartbeat.unref()
  }

  /** Says that the holder is alive; done by itself once a minute while the event loop turns. */
  async beat(now = new Date()): Promise<void> {
    await fs.utimes(claimPath(this.path, this.fence), now, now)
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
    await replaceOwnClaim(this.path, this.fence, { ...this.claim, released: true })
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
  }
  const deadline = performance.now() + (options.waitMs ?? DEFAULT_WAIT_MS)
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const result = await tryLock(path, claim, options.staleAfterMs ?? STALE_AFTER_MS)
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
  staleAfterMs = STALE_AFTER_MS,
): Promise<{ held: boolean; claim?: Claim }> {
  const highest = await highestClaim(path).catch(error => {
    if (systemCode(error) === 'ENOENT') return 0
    throw error
  })
  if (highest === 0) return { held: false }
  const claim = await readClaim(path, highest)
  if (claim === 'vanished') return inspectLock(path, staleAfterMs)
  return { held: await isHeld(path, highest, claim, staleAfterMs), claim }
}

/** The new lock, or the claim of who holds it. */
async function tryLock(path: string, claim: Claim, staleAfterMs: number): Promise<Lock | Claim> {
  for (;;) {
    const highest = await highestClaimOrMake(path)
    if (highest > 0) {
      const current = await readClaim(path, highest)
      if (current === 'vanished') continue
      if (await isHeld(path, highest, current, staleAfterMs)) return current
    }
    const fence = highest + 1
    if (!(await createExclusively(path, fence, claim))) continue
    // A claim number freed by clean-up can be created anew by a process that was very slow.
    if ((await highestClaim(path)) !== fence) {
      await fs.unlink(claimPath(path, fence)).catch(ignoreMissing)
      continue
    }
    await dropOldClaims(path, fence)
    return new Lock(path, fence, claim)
  }
}

async function isHeld(path: string, fence: number, claim: Claim, staleAfterMs: number): Promise<boolean> {
  if (claim.released) return false
  if (livenessOf(claim) === 'dead') return false
  const stats = await fs.stat(claimPath(path, fence)).catch(ignoreMissing)
  return stats !== undefined && Date.now() - stats.mtimeMs <= staleAfterMs
}

function claimPath(path: string, fence: number): string {
  return join(path, String(fence))
}

async function claimNumbers(path: string): Promise<number[]> {
  return (await fs.readdir(path)).filter(name => CLAIM.test(name)).map(Number)
}

async function highestClaim(path: string): Promise<number> {
  return Math.max(0, ...(await claimNumbers(path)))
}

async function highestClaimOrMake(path: string): Promise<number> {
  try {
    return await highestClaim(path)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT')
      throw new ReverieError(`Could not read the lock ${path}: ${because(error)}.`, { cause: error })
    try {
      mkdirSync(path, { recursive: true, mode: PRIVATE_DIRECTORY })
    } catch (cause) {
      throw new ReverieError(`Could not make the lock ${path}: ${because(cause)}.`, { cause })
    }
    return 0
  }
}

async function readClaim(path: string, fence: number): Promise<Claim | 'vanished'> {
  const text = await fs.readFile(claimPath(path, fence), 'utf8').catch(ignoreMissing)
  if (text === undefined) return 'vanished'
  try {
    return JSON.parse(text) as Claim
  } catch {
    // Damage (locks are not fsynced, so a power cut can empty them), or just being written where hard
    // links do not work: somebody unknown, who is believed for a moment.
    const { mtimeMs } = (await fs.stat(claimPath(path, fence)).catch(ignoreMissing)) ?? { mtimeMs: 0 }
    const released = Date.now() - mtimeMs > UNREADABLE_HELD_MS
    return { pid: 0, startTime: '', bootId: '', host: 'unknown', token: '', released }
  }
}

/** False if the number is taken already. The claim appears with its whole content, or not at all. */
async function createExclusively(path: string, fence: number, claim: Claim): Promise<boolean> {
  const temporary = join(path, `.${claim.token}`)
  try {
    await fs.writeFile(temporary, JSON.stringify(claim), { mode: PRIVATE_FILE })
    await fs.link(temporary, claimPath(path, fence)).catch(async error => {
      if (!isLinkUnsupported(error)) throw error
      await fs.writeFile(claimPath(path, fence), JSON.stringify(claim), { mode: PRIVATE_FILE, flag: 'wx' })
    })
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw new ReverieError(`Could not take the lock ${path}: ${because(error)}.`, { cause: error })
  } finally {
    await fs.unlink(temporary).catch(ignoreMissing)
  }
}

async function replaceOwnClaim(path: string, fence: number, claim: Claim): Promise<void> {
  const temporary = join(path, `.${claim.token}`)
  await fs.writeFile(temporary, JSON.stringify(claim), { mode: PRIVATE_FILE })
  await fs.rename(temporary, claimPath(path, fence))
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
