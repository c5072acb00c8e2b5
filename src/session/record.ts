/** What stands on a line of a session file. A kind that this version does not know is kept and passed over. */
import { ownValue } from '../store/index.ts'
import { MESSAGE_ORIGINS, type Message, type MessageOrigin, type Part, ROLES, type Usage } from './message.ts'

/** Raised when records change their meaning; a session of a newer format is refused. */
export const SESSION_FORMAT = 1

/** The first line. */
export interface HeaderRecord {
  kind: 'session'
  format: number
  id: string
  at: string
  /** The directory that the conversation is about. */
  project?: string
  /** The session, and the last message of it, that this one went on from. */
  forkedFrom?: { session: string; message?: string }
  /** The program that the conversation was held in, and its name there. */
  source?: { agent: string; id: string }
}

export interface MessageRecord extends Message {
  kind: 'message'
}

/** A message that goes on: its first parts had to be on the disk before a tool of it could start. */
export interface MoreRecord extends Pick<Message, 'parts' | 'usage' | 'stop'> {
  kind: 'more'
  /** The message that these parts belong to. */
  of: string
  at: string
}

/** A tool is about to run. What it returned is its message; without one it was interrupted. */
export interface CheckpointRecord {
  kind: 'checkpoint'
  at: string
  call: string
  tool: string
}

/** Everything before `keep` has been summarised; what is live begins there. */
export interface BoundaryRecord {
  kind: 'boundary'
  at: string
  summary: string
  /** The first message that is kept as it was; none when the summary stands for all. */
  keep?: string
  /** Where its line begins: a hint, since somebody may have edited the file. */
  offset?: number
  /** What was known at this point, so that nobody has to read on backwards for it. */
  meta: SessionMeta
}

/** Of every field the last value counts. */
export interface SessionMeta {
  title?: string
  model?: string
  /** When something was said last. */
  lastAt?: string
  /** Of the whole session so far. */
  usage?: Usage
  /** Why the last answer was not one: it failed, was interrupted or stopped. */
  failed?: string | null
  /** How far the file that this was imported from has been read. */
  imported?: { path: string; bytes: number; mtimeMs: number }
  /** Something was said while memory was off: what is summed up of it is for this session alone. */
  offRecord?: true
}

export interface MetaRecord extends SessionMeta {
  kind: 'meta'
  at: string
}

export type SessionRecord =
  | HeaderRecord
  | MessageRecord
  | MoreRecord
  | CheckpointRecord
  | BoundaryRecord
  | MetaRecord

export type ParsedRecord =
  | { record: SessionRecord }
  /** A kind of a later version. */
  | { unknown: string }
  | { problem: string }

export function parseRecord(value: unknown): ParsedRecord {
  if (!isObject(value)) return { problem: 'it is not a record' }
  const { kind } = value
  if (typeof kind !== 'string') return { problem: 'it does not say what kind of record it is' }
  const check = ownValue(CHECKS, kind)
  if (!check) return { unknown: kind }
  const problem = check(value)
  return problem === undefined ? { record: value as unknown as SessionRecord } : { problem }
}

type Fields = Record<string, unknown>

/** Why something is not a record of its kind. Fields that are not known here are left as they are. */
const CHECKS: Record<string, (fields: Fields) => string | undefined> = {
  session: ({ id, format, at, project, source, forkedFrom }) => {
    if (typeof id !== 'string' || typeof format !== 'number' || typeof at !== 'string')
      return 'its header has no id, format or time'
    const related = [source, forkedFrom].every(value => value === undefined || isObject(value))
    return related && isOptional(project, 'string') ? undefined : 'its header cannot be read'
  },
  message: messageProblem,
  more: ({ of, ...fields }) =>
    messageProblem({ ...fields, id: of, role: 'assistant', origin: 'model' } satisfies Fields),
  checkpoint: ({ call, tool }) =>
    typeof call === 'string' && typeof tool === 'string' ? undefined : 'its checkpoint names no call',
  boundary: ({ summary, meta, keep, offset }) => {
    if (typeof summary !== 'string' || !isObject(meta)) return 'its boundary has no summary'
    if (!isOptional(keep, 'string') || !isOptional(offset, 'number'))
      return 'its boundary keeps what cannot be'
    return metaProblem(meta)
  },
  meta: metaProblem,
}

function metaProblem({
  title,
  model,
  lastAt,
  failed,
  usage,
  imported,
  offRecord,
}: Fields): string | undefined {
  if (![title, model, lastAt, failed ?? undefined].every(value => isOptional(value, 'string')))
    return 'what it tells of the session is not text'
  if (usage !== undefined && !isUsage(usage)) return 'what it tells of the cost cannot be'
  if (offRecord !== undefined && offRecord !== true) return 'whether it may be learnt from cannot be read'
  return imported === undefined || isObject(imported) ? undefined : 'what it was imported from cannot be'
}

function isUsage(value: unknown): boolean {
  if (!isObject(value)) return false
  const { input, output, cacheRead, cacheWrite, usd } = value
  return [input, output, cacheRead, cacheWrite, usd ?? 0].every(Number.isFinite)
}

function isOptional(value: unknown, type: 'string' | 'number'): boolean {
  return value === undefined || typeof value === type
}

function messageProblem({
  id,
  role,
  origin,
  at,
  parts,
  model,
  usage,
  offRecord,
}: Fields): string | undefined {
  if (typeof id !== 'string' || id === '') return 'its message has no id'
  if (!ROLES.some(known => known === role)) return `no message has the role ${JSON.stringify(role)}`
  if (!MESSAGE_ORIGINS.some(known => known === (origin as MessageOrigin)))
    return `no message has the origin ${JSON.stringify(origin)}`
  if (typeof at !== 'string') return 'its message has no time'
  if (offRecord !== undefined && offRecord !== true) return 'whether it may be learnt from cannot be read'
  if (!isOptional(model, 'string') || (usage !== undefined && !isUsage(usage)))
    return 'what its message cost cannot be'
  if (!Array.isArray(parts) || !parts.every(isPart)) return 'a part of its message cannot be read'
  return undefined
}

function isPart(value: unknown): value is Part {
  if (!isObject(value)) return false
  switch (value.type) {
    case 'text':
    case 'thinking':
      return typeof value.text === 'string'
    case 'tool-call':
      return typeof value.call === 'string' && typeof value.tool === 'string' && value.input !== undefined
    case 'tool-result':
      return (
        typeof value.call === 'string' &&
        typeof value.tool === 'string' &&
        typeof value.outcome === 'string' &&
        Array.isArray(value.content) &&
        value.content.every(isTextOrImage)
      )
    case 'image':
      return typeof value.mediaType === 'string' && typeof value.data === 'string'
    case 'attachment':
      return (
        typeof value.kind === 'string' && typeof value.origin === 'string' && typeof value.text === 'string'
      )
    default:
      return false
  }
}

function isTextOrImage(value: unknown): boolean {
  return isPart(value) && (value.type === 'text' || value.type === 'image')
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
