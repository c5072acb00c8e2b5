import type { MemoryType } from '../../src/memory/index.ts'

/** What memory directories are made of. The banks have no sentence in common. */
export interface Bank {
  name: string
  /** One fact a row: type, then the ways to say it, each as `name | sentence`. */
  facts: ReadonlyArray<readonly [MemoryType, ...string[]]>
  /** What held, and what holds now; each as `name | sentence`. */
  changed: ReadonlyArray<readonly [MemoryType, old: string, young: string]>
  /** Two that sound alike and both hold. */
  alike: ReadonlyArray<readonly [MemoryType, string, string]>
  /** Notes of several sentences, each about a thing that only its name tells: `name | sentences`. */
  notes: ReadonlyArray<readonly [MemoryType, ...string[]]>
  /** Over; `DATE` is long past. */
  stale: ReadonlyArray<readonly [MemoryType, string]>
  /** Dated and still of use; `DATE` is long past. */
  lasting: ReadonlyArray<readonly [MemoryType, string]>
  /** A sentence, and how many days from its day it means. */
  relative: ReadonlyArray<readonly [string, days: number]>
  /** A sentence with `SECRET` in it. */
  secret: readonly string[]
  /** Instructions that came from elsewhere. */
  injected: readonly string[]
  /** What the owner says in a session, and a word that the memory of it must have. */
  said: ReadonlyArray<readonly [string, string]>
  /** Things of which each has every property: filling, and as alike as can be. */
  things: readonly string[]
  properties: readonly string[]
}
