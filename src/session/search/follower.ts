import { because, inTransaction, isDamaged, isStorageTrouble } from '../../store/index.ts'
import { type Followed, followFile, isUnreadable, type Step, TRANSACTION_WEIGHT } from './follow-file.ts'
import type { IndexTables } from './index-tables.ts'
import { pathOf } from './session-files.ts'
import type { WorkerControl } from './worker-control.ts'

/** Why the index could not be written. */
export interface Trouble {
  kind: 'damaged' | 'unwritable' | 'busy'
  reason: string
}

/** What was done about many files. */
export interface FollowReport {
  files: number
  bytes: number
  turns: number
  /** Files that could not be read, and why. */
  unreadable: { name: string; reason: string }[]
  trouble?: Trouble
}

export const NOTHING: FollowReport = { files: 0, bytes: 0, turns: 0, unreadable: [] }

/** What an error of the database means; anything else is a defect, and thrown again. */
export function troubleOf(error: unknown): Trouble {
  if (isStorageTrouble(error)) {
    const reason = because(error)
    return isDamaged(error) ? { kind: 'damaged', reason } : { kind: 'unwritable', reason }
  }
  if (isBusy(error)) return { kind: 'busy', reason: 'another process keeps writing it' }
  throw error
}

/** "Database is locked". */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 5
}

/** Their steps wait for a common transaction. */
const MOST_FILES_OPEN = 64

/** Follows files until none is left, the steps of several in one transaction if they are small. */
export class Follower {
  #tables: IndexTables
  #projects: string
  #names: readonly string[]
  #control: WorkerControl
  #report: FollowReport = { ...NOTHING, unreadable: [] }
  #waiting: { file: Following; step: Step }[] = []

  constructor(tables: IndexTables, projects: string, names: readonly string[], control: WorkerControl) {
    this.#tables = tables
    this.#projects = projects
    this.#names = names
    this.#control = control
  }

  follow(): FollowReport {
    for (;;) {
      const name = this.#hasEnough ? undefined : this.#names[this.#control.takeNext()]
      if (this.#control.isStopped) return this.#stop()
      if (name !== undefined) {
        const path = pathOf(this.#projects, name)
        this.#goOn({ name, steps: followFile(this.#tables, path, name) })
      } else if (this.#waiting.length > 0) this.#write()
      else return this.#report
    }
  }

  get #hasEnough(): boolean {
    const weight = this.#waiting.reduce((sum, { step }) => sum + step.weight, 0)
    return weight >= TRANSACTION_WEIGHT || this.#waiting.length >= MOST_FILES_OPEN
  }

  #write(): void {
    const written = this.#waiting
    this.#waiting = []
    this.#control.inTurn(() =>
      inTransaction(this.#tables.db, () => {
        for (const { step } of written) step.run()
      }),
    )
    for (const { file } of written) this.#goOn(file)
  }

  #goOn(file: Following): void {
    try {
      const { done, value } = file.steps.next()
      if (!done) {
        this.#waiting.push({ file, step: value })
        return
      }
      this.#report.files++
      this.#report.bytes += value.bytes
      this.#report.turns += value.turns
    } catch (error) {
      if (!isUnreadable(error)) throw error
      this.#report.unreadable.push({ name: file.name, reason: because(error) })
    }
  }

  #stop(): FollowReport {
    for (const { file } of this.#waiting) file.steps.return({ bytes: 0, turns: 0 }) // closes the file
    return this.#report
  }
}

interface Following {
  name: string
  steps: Generator<Step, Followed>
}
