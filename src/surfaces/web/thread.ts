/**
 * A conversation as the page shows it, and how it changes: items with ids, and patches that bring them up to date. The
 * server makes both and the browser only follows, so that a page that is loaded in mid-stream goes on where others are.
 */

export interface RecalledItem {
  kind: 'recalled'
  id: string
  memories: { file: string; scope: string; name: string; type: string; note: string }[]
}

/** Something that was remembered or forgotten, with what takes it back. */
export interface EffectItem {
  kind: 'effect'
  id: string
  what: 'remembered' | 'updated' | 'forgotten'
  name: string
  file: string
  undo: string | null
  warnings: string[]
}

export interface ToolItem {
  kind: 'tool'
  id: string
  tool: string
  /** In a few words. */
  about: string
  /** All of what it was called with, as far as it is shown. */
  input: string
  progress: string
  /** Undefined while it runs. */
  outcome?: 'ok' | 'error' | 'denied' | 'interrupted'
  text: string
}

export interface QuestionItem {
  kind: 'question'
  id: string
  ask:
    | {
        kind: 'permission'
        tool: string
        input: string
        reason: string
        suggestion: string | null
        canAlways: boolean
      }
    | { kind: 'question'; question: string; options: string[] }
}

export type Item =
  | {
      kind: 'said'
      id: string
      text: string
      at: string
      by: 'person' | 'schedule'
      waits: boolean
    }
  | { kind: 'reply'; id: string; text: string; thinking: string; open: boolean }
  | ToolItem
  | RecalledItem
  | EffectItem
  | { kind: 'todo'; id: string; items: { text: string; status: string }[] }
  /** What a job beside the conversation has done. */
  | { kind: 'aside'; id: string; job: string; text: string; undo: string | null }
  | { kind: 'notice'; id: string; text: string; isProblem: boolean }
  | { kind: 'waiting'; id: string; why: string; until: string; attempt: number; of: number }
  | QuestionItem
  | { kind: 'command'; id: string; line: string; text: string; isProblem: boolean }

export interface ThreadState {
  session: string
  title: string
  model: string
  isWorking: boolean
  /** Something was said or returned and never answered. */
  isUnanswered: boolean
  tokens: { in: number; out: number; cached: number }
  usd: number | null
  /** How many earlier messages are not among the items. */
  earlier: number
}

export interface Thread extends ThreadState {
  items: Item[]
}

export type Patch =
  /** A new item, or another one in its place. */
  | { put: Item }
  /** More of a text that grows. */
  | { more: string; field: 'text' | 'thinking'; text: string }
  | { drop: string }
  | { set: Partial<ThreadState> }

/** The thread after a change. What a patch is about and is not there is passed over. */
export function apply(thread: Thread, patch: Patch): Thread {
  if ('set' in patch) return { ...thread, ...patch.set }
  if ('drop' in patch) return { ...thread, items: thread.items.filter(({ id }) => id !== patch.drop) }
  if ('put' in patch) {
    const { put } = patch
    const at = thread.items.findLastIndex(({ id }) => id === put.id)
    return { ...thread, items: at < 0 ? [...thread.items, put] : thread.items.with(at, put) }
  }
  const at = thread.items.findLastIndex(({ id }) => id === patch.more)
  const item = thread.items[at]
  if (item?.kind !== 'reply') return thread
  const grown = { ...item, [patch.field]: item[patch.field] + patch.text }
  return { ...thread, items: thread.items.with(at, grown) }
}
