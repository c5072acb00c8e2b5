import type { Language } from './sentences.ts'

export type MemoryType = 'user' | 'feedback' | 'project' | 'reference'

/** Something a person said that is worth keeping, ready to be saved. */
export interface Statement {
  type: MemoryType
  /** A few words, in the third person or as a noun. */
  name: string
  /** One line by which it is found again. */
  description: string
  /** The person's own words; rules and decisions with the reason that was given for them. */
  body: string
  /** Whether they asked for it to be kept, said it in passing, or put right what was said before. */
  kind: 'asked' | 'stated' | 'correction'
  language: Language
}

/** What kind of fact a sentence tells. */
export interface Fact {
  type: MemoryType
  /** It tells that something is no longer as it was. */
  changed: boolean
}

/** A form in which sentences tell a fact. */
export interface FactPattern {
  type: MemoryType
  is: RegExp
  /** What looks the same and is none. */
  unless?: RegExp
}

/** A rule for how to work. */
export interface Rule {
  /** The rule alone, without "from now on" and "please". */
  rule: string
  /** It could also be meant for the task at hand. */
  weak: boolean
}
