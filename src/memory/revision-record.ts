import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureDirectory, ReverieError, readIfThere, syncDirectory, writeFileAtomic } from '../store/index.ts'
import type { Scope } from './shelf.ts'

/** One file's part of a revision. Null where there is no file. */
export interface RevisionStep {
  /** On the shelf, or one of the agent's own below the home: SOUL.md, USER.md, skills. */
  where: 'shelf' | 'home'
  file: string
  before: string | null
  after: string | null
  /** As old as this afterwards, so that a change which confirms nothing makes nothing younger. */
  mtimeMs?: number
  /** It was forgotten: comes back from the trash, as old as it was, if that is what it said. */
  fromTrash?: boolean
  /** Not to be taken when the step of this file could not be: what was here went there. */
  needs?: string
}

/** A file of ours that says how far we are: written when what it tells of is durable. */
export interface Companion {
  /** Absolute. */
  path: string
  text: string
  mtimeMs?: number
}

/** All that is needed to carry a revision out, also by another process after a crash. */
export interface RevisionRecord {
  format: 1
  scope: Scope
  message: string
  kind: string
  by: 'Owner' | 'Reverie'
  at: string
  /** The newest entry of the journal when this began. */
  head: string | undefined
  steps: readonly RevisionStep[]
  /** Kept in the journal beside the changes, and nowhere else: by path below the shelf's. */
  noted: readonly { file: string; text: string }[]
  companions: readonly Companion[]
}

/** Stands in a companion for the id of the journal entry, which is known only afterwards. */
export const ENTRY_ID = '{{entry}}'

/** There is a record that this version cannot read: nothing is changed before somebody looked at it. */
export class UnreadableRecord extends ReverieError {}

export function recordPath(state: string): string {
  return join(state, 'revision.json')
}

/** Durable when it returns: from here on the revision happens, whatever else does. */
export async function writeRecord(state: string, record: RevisionRecord): Promise<void> {
  await ensureDirectory(state)
  await writeFileAtomic(recordPath(state), JSON.stringify(record))
}

export async function readRecord(state: string): Promise<RevisionRecord | undefined> {
  const path = recordPath(state)
  const bytes = await readIfThere(path)
  if (!bytes) return undefined
  try {
    const record = JSON.parse(bytes.toString('utf8')) as RevisionRecord
    if (record.format === 1 && Array.isArray(record.steps)) return record
  } catch {
    // Told below: it is never written in pieces, so this is damage or a later version's.
  }
  throw new UnreadableRecord(
    `${path} tells of changes that were interrupted, and cannot be read. Look at it, and move it away.`,
  )
}

export async function removeRecord(state: string): Promise<void> {
  await rm(recordPath(state), { force: true })
  await syncDirectory(state)
}
