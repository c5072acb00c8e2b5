/** What runs around the agent's work because the owner wants it to. */
import { TASK_EVENTS } from '../../work/index.ts'

/** `prompt` and `reply` are around an answer, the others around what their names say. */
export const HOOK_EVENTS = [
  'prompt',
  'reply',
  'tool.before',
  'tool.after',
  'compaction.before',
  'compaction.after',
  'dream.before',
  'dream.after',
  ...TASK_EVENTS,
] as const
export type HookEvent = (typeof HOOK_EVENTS)[number]

/** A command, or an address that is asked. */
export interface Hook {
  on: HookEvent
  /** Which tools it is for, as a pattern such as `bash` or `edit_*`; all unless told. */
  tools?: string | undefined
  command?: string | undefined
  url?: string | undefined
  timeoutMs?: number | undefined
  /** What it guards does not happen when it fails or does not answer. */
  required?: boolean | undefined
  /** The project's, and not the owner's. */
  fromProject?: boolean
}

/** What a hook is told. */
export interface HookInput {
  event: HookEvent
  session: string
  project: string
  /** Of a tool: its name, what it is to do and, afterwards, what came of it. */
  tool?: string
  call?: string
  input?: unknown
  outcome?: string
  text?: string
  /** Of a dream: who dreams and, afterwards, what it changed. */
  dream?: unknown
  /** Of an event of a task: the task, its list and, when it was completed, what can begin now. */
  task?: unknown
}

/** What it may answer, as JSON. Anything else that it says is not heard. */
export interface HookAnswer {
  decision?: 'allow' | 'block'
  reason?: string
  /** In the place of a tool's input. */
  input?: unknown
  /** Something that the model should know; it is attached as data. */
  context?: string
}

/** What all hooks of an event said together. */
export interface HookVerdict {
  blocked: string | undefined
  input: unknown
  context: string[]
  /** What went wrong with a hook that was not required. */
  problems: string[]
}

/** Whether a hook is for an event of a tool. `*` stands for anything. */
export function isFor(hook: Hook, event: HookEvent, tool: string | undefined): boolean {
  if (hook.on !== event) return false
  if (hook.tools === undefined) return true
  return hook.tools.split('|').some(pattern => matches(pattern.trim(), tool ?? ''))
}

function matches(pattern: string, name: string): boolean {
  const source = pattern.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')
  return new RegExp(`^${source}$`).test(name)
}
