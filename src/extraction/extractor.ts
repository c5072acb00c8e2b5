/** What extraction works with: the terms between the run and the mind that decides. */
import type { Memory, MemoryType, Origin } from '../memory/index.ts'
import type { Usage } from '../session/index.ts'
import type { MemoryCopy } from './copy.ts'
import type { Talk } from './talk.ts'

/** A memory that is to be made. */
export interface NewMemory {
  type: MemoryType
  name: string
  description: string
  body: string
  origin: Origin
  /** When it was said. */
  at: Date
}

export interface ExtractionTask {
  talk: Talk
  memory: Memory
  copy: MemoryCopy
  now: Date
  signal: AbortSignal
  /** Told after every reply of a model. */
  spent(usage: Usage): void
}

/** A mind that finds in a talk what is worth keeping: changes the copy as it sees fit. */
export interface Extractor {
  /** The model, or `embedded`. */
  readonly name: string
  extract(task: ExtractionTask): Promise<void>
}
