import type { z } from 'zod'
import type { ImagePart } from '../session/index.ts'

/** What a tool is given besides its input. */
export interface ToolContext {
  /** The id of this call. */
  call: string
  /** Aborted when the person interrupts. What runs on after that is nobody's. */
  signal: AbortSignal
  /** Something to show while it runs. */
  progress(text: string): void
  /** Asks the person; undefined where nobody is there to answer. */
  ask: Ask | undefined
}

export interface Question {
  question: string
  /** Answers to choose from; others can be given too. */
  options: readonly string[]
}

export type Ask = (question: Question, signal: AbortSignal) => Promise<string>

/** What a tool did that a person should see besides its result. */
export type Effect =
  | ({ kind: 'remembered'; created: boolean } & MemoryEffect)
  | ({ kind: 'forgotten' } & MemoryEffect)
  | { kind: 'todo'; items: readonly TodoItem[] }

/** What a call would touch, for whoever decides whether it may. Paths are absolute; links in them are not resolved. */
export type Touch =
  | { kind: 'read'; path: string }
  | { kind: 'write'; path: string }
  | { kind: 'command'; command: string; directory: string }
  | { kind: 'web'; url: string }

interface MemoryEffect {
  name: string
  file: string
  undo: string | undefined
  /** What did not work out besides, such as the entry in the journal that would undo it. */
  warnings: readonly string[]
}

export interface TodoItem {
  text: string
  status: 'pending' | 'in_progress' | 'completed'
}

export interface ToolOutput {
  text: string
  images?: readonly ImagePart[]
  effects?: readonly Effect[]
}

/** What can be done with one kind of call. Make one with `defineTool`. */
export interface Tool {
  name: string
  /** For the model: when to use it, and what comes back. */
  description: string
  input: z.ZodType
  /** What a model is told that it takes, where that is not what `input` says: JSON Schema, of somebody else's making. */
  form?: Readonly<Record<string, unknown>>
  /** It changes nothing. */
  readOnly: boolean
  /** It may run beside others that may, too. */
  concurrent: boolean
  /** Characters of its result that the model is given; the rest is kept in a file. */
  resultLimit: number
  /** What a call would touch. A tool without this touches nothing but what is Reverie's own. */
  touches?(input: unknown): Touch[]
  /** It only passes a call on to another tool: that one is judged, watched and run. */
  standsFor?(input: unknown): { tool: Tool; input: unknown }
  /** An error that it throws is told to the model, which may try something else. */
  run(input: unknown, context: ToolContext): Promise<ToolOutput>
}

/** Characters of a result, where a tool does not say otherwise (4-agent.md). */
const RESULT_LIMIT = 100_000

export interface ToolDefinition<Schema extends z.ZodType> {
  name: string
  description: string
  input: Schema
  form?: Tool['form']
  readOnly?: boolean
  concurrent?: boolean
  resultLimit?: number
  touches?(input: z.output<Schema>): Touch[]
  standsFor?(input: z.output<Schema>): { tool: Tool; input: unknown }
  run(input: z.output<Schema>, context: ToolContext): Promise<ToolOutput>
}

/** A tool that is not said to be read-only writes, and what writes runs alone. */
export function defineTool<Schema extends z.ZodType>(definition: ToolDefinition<Schema>): Tool {
  const { readOnly = false, resultLimit = RESULT_LIMIT, touches, standsFor, form, ...rest } = definition
  return {
    ...rest,
    readOnly,
    ...(form && { form }),
    ...(standsFor && { standsFor: (input: unknown) => standsFor(input as z.output<Schema>) }),
    ...(touches && { touches: (input: unknown) => touches(input as z.output<Schema>) }),
    concurrent: definition.concurrent ?? readOnly,
    resultLimit,
    run: (input, context) => definition.run(input as z.output<Schema>, context),
  }
}
