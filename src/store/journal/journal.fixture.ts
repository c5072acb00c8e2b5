import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { temporaryDirectory } from '../temporary-directory.fixture.ts'
import { Journal, type JournalEntry } from './journal.ts'

export const hasGit = spawnSync('git', ['--version']).status === 0

export function newJournal(): { home: string; journal: Journal } {
  const home = temporaryDirectory()
  return { home, journal: new Journal({ home }) }
}

/** Native git on a journal. */
export function git(journal: Journal, ...args: string[]): SpawnSyncReturns<string> {
  return spawnSync('git', ['--git-dir', journal.gitdir, ...args], { encoding: 'utf8' })
}

/** Records one file's new content, null for its removal. */
export async function save(
  journal: Journal,
  path: string,
  content: string | null,
  message = `save ${path}`,
): Promise<JournalEntry> {
  const after = content === null ? null : Buffer.from(content)
  const entry = await journal.commit({ message, kind: 'save', changes: [{ path, after }] })
  if (!entry) throw new Error(`${path} had this content already`)
  return entry
}

export async function logOf(journal: Journal, path?: string): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = []
  for await (const entry of journal.log(path === undefined ? {} : { path })) entries.push(entry)
  return entries
}

export async function messagesOf(journal: Journal, path?: string): Promise<string[]> {
  return (await logOf(journal, path)).map(({ message }) => message)
}
