import type { Recalled } from '../memory/index.ts'
import type { Message, ToolCallPart, ToolOutcome, Usage } from '../session/index.ts'
import type { Effect } from '../tools/index.ts'

/** Why the loop goes round once more. */
export type Transition =
  | 'person-spoke'
  /** A session that ended in the middle of an answer is taken up. */
  | 'taken-up'
  | 'tools-returned'
  /** Work in the background had something to tell. */
  | 'notified'
  /** The person said something while the agent worked. */
  | 'steered'
  | 'limit-raised'
  | 'asked-to-continue'
  | 'waited'
  | 'asked-without-streaming'
  | 'compacted'
  /** What was refused as too long could not be made shorter. */
  | 'asked-again'
  | 'fell-back'
  | 'images-dropped'
  /** The reply broke off after its tools had begun. */
  | 'kept-what-came'

export type EndReason =
  | 'answered'
  /** The reply is longer than it may be, also after asking to go on. */
  | 'cut-short'
  | 'interrupted'
  | 'too-many-turns'
  | 'budget-spent'
  /** Too much of what it tried was not allowed. */
  | 'denied'
  | 'failed'

export interface End {
  reason: EndReason
  /** One or two sentences for the person, unless it was answered. */
  message?: string
}

/** What a job beside the conversation has done: one line for the person, and the command that takes it back. */
export interface Aside {
  job: 'extraction' | 'dream' | 'schedule' | 'sessions' | 'background'
  text: string
  undo?: { id: string; command: string }
  /** False where nothing was done: something failed, was missed, or has to be known. */
  isDone?: boolean
}

/** What an agent tells while it works. Surfaces show it; the loop does not know how. */
export type AgentEvent =
  | { type: 'recalled'; memories: readonly Recalled[] }
  | { type: 'transition'; to: Transition }
  | { type: 'text'; delta: string }
  | { type: 'thinking'; delta: string }
  /** What was shown of the reply since the last one is not part of it: it is asked for again. */
  | { type: 'retracted' }
  | { type: 'reply'; message: Message }
  | { type: 'tool-started'; call: ToolCallPart }
  | { type: 'tool-progress'; call: ToolCallPart; text: string }
  | { type: 'tool-ended'; call: string; tool: string; outcome: ToolOutcome; text: string }
  | { type: 'effect'; effect: Effect }
  /** Another try follows after this time. */
  | { type: 'waiting'; ms: number; attempt: number; of: number; why: string }
  | { type: 'notice'; text: string }
  | ({ type: 'aside' } & Aside)
  | { type: 'usage'; usage: Usage; total: Usage }
  | { type: 'ended'; end: End }

export type Emit = (event: AgentEvent) => void
