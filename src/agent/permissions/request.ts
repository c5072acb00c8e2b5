import type { Config } from '../../config/index.ts'
import type { Rule } from './rule.ts'
import type { Act } from './shell/index.ts'

/**
 * `ask`: reading inside of the project is allowed, the rest is asked about. `acceptEdits`: file tools may also write
 * there. `plan`: nothing may be written. `auto`: what can be shown to stay inside of the project is allowed, the
 * rest is asked about. `deny`: what no rule allows is denied, and nobody is asked.
 */
export type Mode = Config['permissions']['mode']
export const MODES: readonly Mode[] = ['ask', 'acceptEdits', 'plan', 'auto', 'deny']

/** A place in the file system, after looking. */
export interface Place {
  access: 'read' | 'write'
  /** As it was named. */
  path: string
  /** Where that is, with all links followed. */
  real: string
  /** What lies below is read or changed as well. */
  tree?: boolean
  /** Why it cannot be told what would be touched, or what there needs a yes. */
  trouble?: string
}

/** An act of a script, with its places. */
export interface PlacedAct extends Pick<Act, 'words' | 'text' | 'effect' | 'why'> {
  places: readonly Place[]
  /** Places that its words could mean, where it is not known what it does with them. */
  maybe: readonly Place[]
  /** Why what it does depends on something that was found there. */
  trouble?: string
}

export type LookedAt =
  | ({ kind: 'file' } & Place)
  | { kind: 'command'; command: string; acts: readonly PlacedAct[]; unclear?: string }
  | { kind: 'web'; url: string }

export interface Request {
  tool: string
  input: unknown
  readOnly: boolean
  touches: readonly LookedAt[]
}

export interface Policy {
  mode: Mode
  rules: readonly Rule[]
  /** Real path of the project. */
  root: string
  /** The person's home directory, for `~/` in rules. */
  home: string
  /** Real path of Reverie's home. */
  reverie: string
  /** Where commands look for programs. */
  searchPath?: string | undefined
  /** Further real paths that need a yes. */
  protected: readonly string[]
  /** Real paths of what hooks run. */
  hooks?: readonly string[] | undefined
  /** Real paths in the project where commands look for programs. */
  programs?: readonly string[] | undefined
  /** Real paths outside of the project that count as inside. */
  roots: readonly string[]
}

export interface Verdict {
  decision: 'allow' | 'ask' | 'deny'
  /** A sentence for the model or the person. */
  reason: string
  /** The rule that decided. */
  rule?: Rule
  /** The rule that "always allow" would add. */
  suggestion?: string
}
