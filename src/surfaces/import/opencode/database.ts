/** The database of OpenCode since 2026: tables `session`, `message` and `part`, with JSON in their `data`. */
import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { because, ReverieError } from '../../../store/index.ts'
import type { Finder } from '../finder.ts'
import { textIn } from '../json.ts'
import type { StoredMessage } from './message.ts'
import type { StoredSession } from './session.ts'

const SUB_AGENTS = 'sessions of sub-agents'
const COPY_TRIES = 5
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  session: ['id', 'parent_id', 'directory', 'title', 'time_created'],
  message: ['id', 'session_id', 'data', 'time_created', 'time_updated'],
  part: ['id', 'message_id', 'session_id', 'data', 'time_updated'],
}

export interface OpenedDatabase {
  sessions: StoredSession[]
  close(): Promise<void>
}

export async function sessionsInDatabase(path: string, finder: Finder): Promise<OpenedDatabase> {
  const snapshot = await openSnapshot(path)
  try {
    assertTables(snapshot.db)
    return { sessions: storedIn(snapshot.db, path, finder), close: snapshot.close }
  } catch (error) {
    await snapshot.close()
    throw error
  }
}

interface Snapshot {
  db: DatabaseSync
  close(): Promise<void>
}

/**
 * Opens a database without writing beside it. SQLite itself would: who reads a database whose newest changes are
 * still in its log must keep an index of that log. So then a copy is read, and else the file as one that nobody
 * changes.
 */
async function openSnapshot(path: string): Promise<Snapshot> {
  const log = await stat(`${path}-wal`).catch(() => undefined)
  if (!log || log.size === 0) {
    const url = pathToFileURL(path)
    url.searchParams.set('immutable', '1')
    const db = new DatabaseSync(url, { readOnly: true })
    return { db, close: async () => db.close() }
  }
  const directory = await mkdtemp(join(tmpdir(), 'reverie-import-'))
  const remove = () => rm(directory, { recursive: true, force: true })
  try {
    const copy = join(directory, 'copy.db')
    await copyUnchanged(path, copy)
    const db = new DatabaseSync(copy)
    const close = async () => {
      db.close()
      await remove()
    }
    return { db, close }
  } catch (error) {
    await remove()
    throw error
  }
}

/** The file and its log must fit each other: when one of them changed meanwhile, both are copied again. */
async function copyUnchanged(path: string, copy: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    const before = await stampsOf(path)
    await copyFile(path, copy)
    await copyFile(`${path}-wal`, `${copy}-wal`)
    if ((await stampsOf(path)) === before) return
    if (tries === COPY_TRIES)
      throw new ReverieError(`${path} is being written all the time; end OpenCode, and import again.`)
  }
}

async function stampsOf(path: string): Promise<string> {
  const both = await Promise.all([path, `${path}-wal`].map(file => stat(file, { bigint: true })))
  return both.map(({ size, mtimeNs }) => `${size} ${mtimeNs}`).join(' ')
}

function assertTables(db: DatabaseSync): void {
  for (const [table, columns] of Object.entries(NEEDED)) {
    const there = new Set(
      db
        .prepare(`SELECT name FROM pragma_table_info('${table}')`)
        .all()
        .map(row => row.name),
    )
    const missing = columns.filter(column => !there.has(column))
    if (missing.length > 0)
      throw new ReverieError(
        `its table ${table} has no ${missing.join(', ')}; this version does not know its form`,
      )
  }
}

function storedIn(db: DatabaseSync, file: string, finder: Finder): StoredSession[] {
  const rows = db
    .prepare('SELECT id, parent_id, directory, title FROM session ORDER BY time_created, id')
    .all()
  const mains = rows.filter(row => row.parent_id === null)
  finder.leaveOut(SUB_AGENTS, rows.length - mains.length)
  return mains.flatMap(row => {
    const id = textIn(row, 'id')
    if (id === undefined) return []
    return [
      {
        id,
        file,
        title: textIn(row, 'title') ?? '',
        directory: textIn(row, 'directory'),
        stamp: stampOf(db, id),
        messages: () => messagesOf(db, id),
      },
    ]
  })
}

function stampOf(db: DatabaseSync, session: string): StoredSession['stamp'] {
  const row = db
    .prepare(
      `SELECT coalesce(sum(bytes), 0) AS bytes, coalesce(max(changed), 0) AS changed FROM (
         SELECT octet_length(data) AS bytes, time_updated AS changed FROM message WHERE session_id = ?1
         UNION ALL SELECT octet_length(data), time_updated FROM part WHERE session_id = ?1)`,
    )
    .get(session)
  return { bytes: Number(row?.bytes) || 0, mtimeMs: Number(row?.changed) || 0 }
}

async function* messagesOf(
  db: DatabaseSync,
  session: string,
): AsyncGenerator<StoredMessage & { problems: string[] }> {
  const messages = db.prepare('SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id')
  const parts = db.prepare('SELECT id, data FROM part WHERE message_id = ? ORDER BY id')
  for (const message of messages.iterate(session)) {
    const problems: string[] = []
    const read = (row: unknown): unknown => {
      try {
        return JSON.parse(textIn(row, 'data') ?? '') as unknown
      } catch (error) {
        problems.push(`${textIn(row, 'id')} is not JSON (${because(error)})`)
        return undefined
      }
    }
    const id = textIn(message, 'id') ?? ''
    const found = parts.all(id).map(row => ({ id: textIn(row, 'id') ?? '', data: read(row) }))
    yield { id, info: read(message), parts: found.filter(({ data }) => data !== undefined), problems }
  }
}
