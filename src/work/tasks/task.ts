/** A task as it stands in its file, and as it is told. */
import type { ProcessIdentity } from '../../store/index.ts'

export const TASK_STATUSES = ['pending', 'in_progress', 'completed'] as const
export type TaskStatus = (typeof TASK_STATUSES)[number]

export interface Task {
  /** Grows, and never comes back. */
  id: number
  /** What is to be done, in a few words. */
  subject: string
  description: string
  /** How to say that it is being done: "Running the tests". */
  activeForm: string
  owner: string | null
  /** The process behind the owner; when it ends, nobody has the task any more. A named owner has none. */
  process?: ProcessIdentity
  status: TaskStatus
  /** The tasks that wait for this one. Follows from their `blockedBy`. */
  blocks: readonly number[]
  /** The tasks that have to be completed first. */
  blockedBy: readonly number[]
  metadata: Readonly<Record<string, unknown>>
}

/** A task among others: `ready` when somebody could begin it now. */
export interface ListedTask extends Task {
  ready: boolean
}

export interface TaskDraft {
  subject: string
  description?: string | undefined
  activeForm?: string | undefined
  blockedBy?: readonly number[] | undefined
  metadata?: Readonly<Record<string, unknown>> | undefined
}

/** Who wants a task. An agent names its process; a person has only a name. */
export interface TaskOwner {
  name: string
  process?: ProcessIdentity | undefined
}

/** Characters; a subject is a line of a list. */
export const LONGEST_SUBJECT = 300
/** Characters; longer texts belong in a file that the description names. */
export const LONGEST_DESCRIPTION = 100_000
/** Of the metadata as JSON, in characters. */
export const LONGEST_METADATA = 20_000
export const LONGEST_OWNER = 200

/** Highest number that is taken for an id; beyond it, arithmetic on numbers is no longer exact. */
export const HIGHEST_ID = Number.MAX_SAFE_INTEGER - 1

export function isTaskId(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= HIGHEST_ID
}

/** The task in a file, or why there is none. Fields that this version does not know are kept. */
export function parseTask(id: number, text: string): { task: Task } | { problem: string } {
  let found: unknown
  try {
    found = JSON.parse(text)
  } catch {
    return { problem: 'it is not JSON' }
  }
  if (!isRecord(found)) return { problem: 'it is not an object' }
  const wrong = Object.entries(CHECKS).find(([field, check]) => !check(found[field]))
  if (wrong) return { problem: `"${wrong[0]}" is not what it should be` }
  if (found.id !== id) return { problem: `it says that it is task ${String(found.id)}` }
  const {
    description = '',
    activeForm = '',
    owner = null,
    metadata = {},
    blocks = [],
    blockedBy = [],
  } = found
  return {
    task: { ...found, description, activeForm, owner, metadata, blocks, blockedBy } as unknown as Task,
  }
}

const optional = (check: (value: unknown) => boolean) => (value: unknown) =>
  value === undefined || check(value)
const isText = (value: unknown) => typeof value === 'string'
const areIds = (value: unknown) => Array.isArray(value) && value.every(isTaskId)

const CHECKS: Readonly<Record<string, (value: unknown) => boolean>> = {
  id: isTaskId,
  subject: isText,
  description: optional(isText),
  activeForm: optional(isText),
  owner: optional(value => value === null || isText(value)),
  process: optional(isIdentity),
  status: value => TASK_STATUSES.some(status => status === value),
  blocks: optional(areIds),
  blockedBy: optional(areIds),
  metadata: optional(isRecord),
}

function isIdentity(value: unknown): value is ProcessIdentity {
  if (!isRecord(value)) return false
  const { pid, startTime, bootId, host } = value
  return typeof pid === 'number' && [startTime, bootId, host].every(isText)
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
