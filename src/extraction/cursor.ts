/** How far a session has been looked through: a message id, kept beside the session and moved with what was learnt. */
import { dirname } from 'node:path'
import type { Message } from '../session/index.ts'
import { ensureDirectory, readSmallFile, writeFileAtomic } from '../store/index.ts'

export interface Cursor {
  /** The last message that was looked at, and when it was said: it may have left the conversation since. */
  id: string
  at: string
  /** How often what comes after it was tried in vain. */
  failures?: number
}

export function readCursor(path: string): Cursor | undefined {
  try {
    const { id, at, failures } = JSON.parse(readSmallFile(path) ?? '') as Partial<Cursor>
    if (typeof id !== 'string' || typeof at !== 'string') return undefined
    return { id, at, ...(typeof failures === 'number' && { failures }) }
  } catch {
    return undefined // nothing was looked at yet
  }
}

export function cursorText(cursor: Cursor): string {
  return `${JSON.stringify(cursor)}\n`
}

export async function writeCursor(path: string, cursor: Cursor): Promise<void> {
  await ensureDirectory(dirname(path))
  await writeFileAtomic(path, cursorText(cursor))
}

/** What was said after it. A message that a summary stands for by now is known by its time. */
export function messagesSince(messages: readonly Message[], cursor: Cursor | undefined): readonly Message[] {
  if (!cursor) return messages
  const at = messages.findLastIndex(({ id }) => id === cursor.id)
  return at >= 0 ? messages.slice(at + 1) : messages.filter(message => message.at > cursor.at)
}

export function cursorAfter(messages: readonly Message[]): Cursor | undefined {
  const last = messages.at(-1)
  return last && { id: last.id, at: last.at }
}
