/** Where others see how far a dream is, and by whom it can be stopped. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { NO_USAGE, type Usage } from '../session/index.ts'
import { livenessOf, ownIdentity, PRIVATE_FILE, type ProcessIdentity, readSmallFile } from '../store/index.ts'
import type { DreamPhase, DreamProgress } from './dreamer.ts'

export interface RunningDream {
  pid: number
  dreamer: string
  startedAt: string
  phase: DreamPhase
  /** How often a model was asked so far, and what that took. */
  rounds: number
  usage: Usage
  /** Files that would be changed as far as it is now. */
  files: number
}

export class StatusFile {
  #path: string
  #status: object

  constructor(state: string, dreamer: string, at: Date) {
    this.#path = statusPath(state)
    this.#status = { process: ownIdentity(), dreamer, startedAt: at.toISOString() }
  }

  tell(news: DreamProgress): void {
    this.#status = { ...this.#status, ...news }
    writeFileSync(this.#path, JSON.stringify(this.#status), { mode: PRIVATE_FILE })
  }

  remove(): void {
    rmSync(this.#path, { force: true })
  }
}

/** Whoever died while dreaming left this behind too, and its pid may be another's by now. */
export function readRunning(state: string): RunningDream | undefined {
  try {
    const status = JSON.parse(readSmallFile(statusPath(state)) ?? '') as Partial<RunningDream> & {
      process: ProcessIdentity
    }
    const { process: owner, dreamer = '', startedAt = '', phase = 'orient' } = status
    const { rounds = 0, usage = NO_USAGE, files = 0 } = status
    if (livenessOf(owner) !== 'alive') return undefined
    return { pid: owner.pid, dreamer, startedAt, phase, rounds, usage, files }
  } catch {
    return undefined // nobody
  }
}

function statusPath(state: string): string {
  return join(state, 'dream-status.json')
}
