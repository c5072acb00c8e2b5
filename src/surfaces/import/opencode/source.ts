import { basename, join } from 'node:path'
import { because, ReverieError, systemCode } from '../../../store/index.ts'
import { Finder } from '../finder.ts'
import { NOTHING, type Source } from '../source.ts'
import { type OpenedDatabase, sessionsInDatabase } from './database.ts'
import { type StoredSession, toSession } from './session.ts'
import { sessionsInStorage } from './storage.ts'

const DATABASE = /^opencode(?:-[\w.-]+)?\.db$/

/** The data directory of OpenCode, the `storage` in it, or a database. */
export async function openOpenCode(path: string, now: () => Date): Promise<Source> {
  const finder = new Finder()
  const isDirectory = await finder.isDirectory(path)
  const databases = isDirectory
    ? (await finder.names(path)).filter(name => DATABASE.test(name)).map(name => join(path, name))
    : [path]
  const opened: OpenedDatabase[] = []
  for (const database of databases) {
    const found = await open(database, finder)
    if (found) opened.push(found)
  }
  const storage = (await finder.isDirectory(join(path, 'storage'))) ? join(path, 'storage') : path
  const inFiles = isDirectory ? await sessionsInStorage(storage, finder) : []
  // The files stay when OpenCode moves into its database: what is in both is read from there.
  const byId = new Map<string, StoredSession>()
  for (const session of [...opened.flatMap(({ sessions }) => sessions), ...inFiles])
    if (!byId.has(session.id)) byId.set(session.id, session)
  const sessions = [...byId.values()].map(stored => toSession(stored, now))
  return {
    ...NOTHING,
    path,
    sessions,

    // Filled also while the sessions are read.
    unreadable: finder.unreadable,
    leftOut: finder.leftOut,
    close: async () => {
      for (const { close } of opened) await close()
    },
  }
}

async function open(path: string, finder: Finder): Promise<OpenedDatabase | undefined> {
  if (!(await finder.stampOf(path))) return undefined
  try {
    return await sessionsInDatabase(path, finder)
  } catch (error) {
    const isKnown = error instanceof ReverieError || systemCode(error) !== undefined
    if (!isKnown && !isSqliteError(error)) throw error
    finder.unreadable.push({ file: path, reason: `${basename(path)} cannot be read: ${because(error)}` })
    return undefined
  }
}

function isSqliteError(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error
}
