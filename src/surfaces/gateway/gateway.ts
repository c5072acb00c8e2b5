/** The process that stays: it owns what runs while nobody is there, and ends all of it in order. */
import { type Config, type Home, type Project, prepareHome } from '../../config/index.ts'
import {
  acquireLock,
  because,
  type Lock,
  LockBusy,
  LockLost,
  ownIdentity,
  ReverieError,
  SILENT_AFTER_MS,
} from '../../store/index.ts'
import { GatewayLog } from './log.ts'
import type { GatewayContext, GatewayPart } from './part.ts'
import { gatewayPlaces, type PartState, removeState, writeState } from './state.ts'

/** One gateway runs for a home. */
class GatewayRunning extends ReverieError {}

export interface GatewayOptions {
  home: Home
  project: Project
  env: NodeJS.ProcessEnv
  configOf(project: Project): Promise<Config>
  parts: readonly GatewayPart[]
  /** Ends it. */
  signal: AbortSignal
  /** What it says, line by line, besides its log file. */
  write(text: string): void
  /** For tests: how long parts may take to end. */
  stopWithinMs?: number
  /** For tests: how often it looks whether its place was taken. */
  lookAfterLockMs?: number
}

/** All of it has 5 seconds to end (5-work.md); half a second is for writing that down. */
const STOP_WITHIN_MS = 4_500
/** A machine that slept for days wakes up with its place taken: then this one ends. */
const LOOK_AFTER_LOCK_MS = 10_000

/** Runs until it is told to end. True when all parts ended in time. */
export async function runGateway(options: GatewayOptions): Promise<boolean> {
  const { home, signal, write, lookAfterLockMs = LOOK_AFTER_LOCK_MS } = options
  const places = gatewayPlaces(home)
  await prepareHome(home)
  await using lock = await takeLock(places.lock)
  const log = new GatewayLog(places.log, { write })
  const gateway = new Gateway(options, log)
  try {
    // A part that takes long to start does not keep it from ending.
    await Promise.race([gateway.start(), aborted(signal)])
    await untilEnd(lock, { signal, lookAfterLockMs, say: reason => log.say('gateway', reason) })
    return await gateway.stop()
  } finally {
    if (
      await lock.check().then(
        () => true,
        () => false,
      )
    )
      removeState(places)
  }
}

async function takeLock(path: string): Promise<Lock> {
  try {
    return await acquireLock(path, { waitMs: 0, note: 'gateway', silentAfterMs: SILENT_AFTER_MS })
  } catch (error) {
    if (!(error instanceof LockBusy)) throw error
    throw new GatewayRunning(
      `A gateway runs here already (process ${error.holder.pid}). \`reverie gateway status\` tells about it, \`reverie gateway stop\` ends it.`,
      { cause: error },
    )
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** Nothing else has to keep the process alive. */
function untilEnd(
  lock: Lock,
  {
    signal,
    lookAfterLockMs,
    say,
  }: { signal: AbortSignal; lookAfterLockMs: number; say(reason: string): void },
): Promise<void> {
  return new Promise(resolve => {
    const end = (reason: string) => {
      clearInterval(looking)
      say(reason)
      resolve()
    }
    const looking = setInterval(() => {
      lock.check().catch(error => {
        // What cannot be looked at just now, as with too many open files, is looked at again.
        if (error instanceof LockLost) end(`another gateway has taken over, this one ends: ${because(error)}`)
      })
    }, lookAfterLockMs)
    if (signal.aborted) return end('stops')
    signal.addEventListener('abort', () => end('stops'), { once: true })
  })
}

class Gateway {
  #options: GatewayOptions
  #log: GatewayLog
  #startedAt = new Date().toISOString()
  #states: PartState[]
  #running: { state: PartState; part: AsyncDisposable }[] = []
  #ending = new AbortController()
  #starting: Promise<void> = Promise.resolve()
  /** The part that is being started. */
  #beginning: PartState | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(options: GatewayOptions, log: GatewayLog) {
    this.#options = options
    this.#log = log
    this.#states = options.parts.map(({ name }) => ({ name, status: 'starting' }))
  }

  /** Each by itself: one that cannot be started is told and stops no other. */
  start(): Promise<void> {
    const starting = this.#startAll()
    this.#starting = starting.catch(() => {}) // whoever called hears of it
    return starting
  }

  async #startAll(): Promise<void> {
    const { parts, signal } = this.#options
    await this.#keepState()
    for (const [at, part] of parts.entries()) {
      const state = this.#states[at]
      if (!state || signal.aborted) break
      this.#beginning = state
      try {
        this.#running.push({ state, part: await part.start(this.#contextFor(state)) })
        this.#change(state, { status: 'running' })
      } catch (error) {
        this.#log.say(part.name, `could not be started: ${because(error)}`)
        this.#change(state, { status: 'failed', error: because(error) })
      }
      this.#beginning = undefined
    }
    await this.#writing
    if (signal.aborted) return
    if (this.#running.length === 0)
      throw new ReverieError('No part of the gateway could be started; the log above tells why.')
    this.#log.say('gateway', `runs, process ${process.pid}, in ${this.#options.project.root}`)
  }

  /** In the opposite order. What does not end in time is named and left behind. */
  async stop(): Promise<boolean> {
    const { stopWithinMs = STOP_WITHIN_MS } = this.#options
    this.#ending.abort()
    const ending = this.#endAll()
    const enough = Promise.withResolvers<void>()
    const timer = setTimeout(enough.resolve, stopWithinMs)
    await Promise.race([ending, enough.promise])
    clearTimeout(timer)
    const left = this.#running.map(({ state }) => state).filter(({ status }) => status === 'running')
    if (this.#beginning) left.push(this.#beginning)
    for (const { name } of left) this.#log.say(name, 'did not end in time and is cut off')
    await this.#writing
    this.#log.say('gateway', 'has ended')
    return left.length === 0
  }

  async #endAll(): Promise<void> {
    await this.#starting
    for (const { state, part } of this.#running.toReversed()) {
      await Promise.resolve(part[Symbol.asyncDispose]()).catch(error =>
        this.#log.say(state.name, `did not end well: ${because(error)}`),
      )
      this.#change(state, { status: 'stopped' })
    }
  }

  #contextFor(state: PartState): GatewayContext {
    const { home, project, env, configOf } = this.#options
    return {
      home,
      project,
      env,
      configOf,
      log: text => this.#log.say(state.name, text),
      note: text => {
        if (text !== state.note) this.#change(state, { note: text })
      },
      signal: this.#ending.signal,
    }
  }

  #change(state: PartState, change: Partial<PartState>): void {
    Object.assign(state, change)
    void this.#keepState()
  }

  /** One after the other; a disk that is full is no reason to end. */
  #keepState(): Promise<void> {
    const { home, project } = this.#options
    this.#writing = this.#writing
      .then(() =>
        writeState(gatewayPlaces(home), {
          owner: ownIdentity(),
          startedAt: this.#startedAt,
          project: project.root,
          parts: this.#states,
        }),
      )
      .catch(error => this.#log.say('gateway', `its state could not be written: ${because(error)}`))
    return this.#writing
  }
}
