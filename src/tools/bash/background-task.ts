/** How something that runs in the background ended. A final state never changes. */
export type FinalStatus = 'completed' | 'failed' | 'cancelled'

/** Something that runs in the background, or did (5-work.md, "Background"). */
export interface BackgroundTask {
  readonly id: string
  /** In a few words, for lists. */
  readonly title: string
  readonly status: 'running' | FinalStatus
  readonly startedAt: Date
  readonly endedAt?: Date
  /** Follows what it prints. */
  readonly outputFile: string
  /** Null while it runs, and when a signal ended it. */
  readonly exitCode: number | null
  /** The question that it waits for an answer to. */
  readonly waitingFor?: string
}

/** That a task has ended: one for each. */
export interface TaskEnd {
  id: string
  status: FinalStatus
  exitCode: number | null
  /** One or two sentences. */
  summary: string
  outputFile: string
}

/** That a task waits for an answer that nobody can give it. */
export interface TaskQuestion {
  id: string
  question: string
  /** What to do about it. */
  advice: string
  outputFile: string
}
