import type { Unreadable } from './source.ts'

export interface Tally {
  added: number
  updated: number
  unchanged: number
}

/** What an import did, or would do. */
export interface ImportReport {
  sessions: Tally
  memories: Tally
  history: Pick<Tally, 'added' | 'unchanged'>
  unreadable: Unreadable[]
  /** What is not taken over, on purpose. */
  leftOut: Array<{ what: string; count: number }>
  notes: string[]
  from: string
  dryRun: boolean
}

/** Gathers the report. */
export class Reporting {
  readonly sessions: Tally = { added: 0, updated: 0, unchanged: 0 }
  readonly memories: Tally = { added: 0, updated: 0, unchanged: 0 }
  readonly history = { added: 0, unchanged: 0 }
  #unreadable = new Map<string, Unreadable>()
  #leftOut = new Map<string, number>()
  #notes = new Set<string>()

  cannotRead(file: string, reason: string): void {
    this.#unreadable.set(JSON.stringify([file, reason]), { file, reason })
  }

  leaveOut(what: string, count = 1): void {
    this.#leftOut.set(what, (this.#leftOut.get(what) ?? 0) + count)
  }

  note(text: string): void {
    this.#notes.add(text)
  }

  toReport(from: string, dryRun: boolean): ImportReport {
    const { sessions, memories, history } = this
    return {
      sessions,
      memories,
      history,
      unreadable: [...this.#unreadable.values()],
      leftOut: [...this.#leftOut].map(([what, count]) => ({ what, count })),
      notes: [...this.#notes],
      from,
      dryRun,
    }
  }
}
