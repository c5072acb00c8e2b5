/** Puts new contents into files: all of them, or none. */
import { existsSync } from 'node:fs'
import { rmdir, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import {
  because,
  becauseOf,
  ChangedMeanwhile,
  contentHash,
  ensureDirectory,
  isInside,
  ReverieError,
  readIfThere,
  realPathOf,
  syncDirectory,
  writeFileAtomic,
} from '../../store/index.ts'
import type { Workspace } from '../workspace.ts'
import type { FileLocks } from './locks.ts'
import { shownPath } from './path.ts'
import type { SeenFiles } from './seen.ts'
import type { Snapshots } from './snapshots.ts'

export interface FileChange {
  /** Real path. */
  path: string
  /** What was there when it was decided; null for nothing. */
  before: Buffer | null
  /** What is to be there; null for nothing. */
  after: Buffer | null
  /** Mode of a file that is new, or that would have to be made anew; of one that is there, its own is kept. */
  mode?: number
  /** The agent gave all of the content, not a part. */
  whole?: boolean
}

export interface ChangeOptions {
  workspace: Workspace
  seen: SeenFiles
  snapshots: Snapshots
  locks: FileLocks
  /** The message that is being answered. */
  message(): string
}

class PathChanged extends ReverieError {}
/** Some of several changes could not be made, and now all or some are as they were. */
class ChangesTakenBack extends ReverieError {}

/** Returns what else there is to say. Refused when a file is not what it was when the change was decided. */
export async function changeFiles(changes: readonly FileChange[], options: ChangeOptions): Promise<string[]> {
  return options.locks.hold(
    changes.map(({ path }) => path),
    async () => {
      for (const change of changes) await refuseIfChanged(change, options.workspace)
      const notes = await keepAll(changes, options)
      await makeAll(changes, options.workspace)
      for (const change of changes) remember(change, options.seen)
      return notes
    },
  )
}

async function refuseIfChanged({ path, before }: FileChange, workspace: Workspace): Promise<void> {
  const shown = shownPath(path, workspace)
  if ((await realPathOf(path)) !== path)
    throw new PathChanged(`${shown} became a symbolic link in the meantime. Nothing was changed.`)
  const found = (await readIfThere(path)) ?? null
  if (hashOf(found) === hashOf(before)) return
  throw new ChangedMeanwhile(
    before === null
      ? `${shown} was created by somebody else in the meantime. Nothing was changed. Read it first.`
      : `${shown} was changed by somebody else in the meantime. Nothing was changed. Read it again.`,
  )
}

async function keepAll(
  changes: readonly FileChange[],
  { snapshots, message }: ChangeOptions,
): Promise<string[]> {
  const notes: string[] = []
  for (const { path, after } of changes) {
    const note = await snapshots.before(path, message(), hashOf(after))
    if (note) notes.push(note)
  }
  return notes
}

async function makeAll(changes: readonly FileChange[], workspace: Workspace): Promise<void> {
  const made: Made[] = []
  for (const change of changes) {
    try {
      made.push(await make(change, workspace))
    } catch (error) {
      const stuck = await takeBack(made, workspace)
      if (changes.length === 1 && error instanceof ReverieError) throw error
      throw new ChangesTakenBack(whatHappened(change, error, stuck, workspace), { cause: error })
    }
  }
}

interface Made {
  change: FileChange
  /** That had to be made for it, innermost first. */
  directories: string[]
}

async function make(change: FileChange, workspace: Workspace): Promise<Made> {
  const { path, before, after, mode = newFileMode() } = change
  const directories: string[] = []
  if (after === null) {
    await unlink(path)
    await syncDirectory(dirname(path))
    return { change, directories }
  }
  if (before === null) directories.push(...(await makeParents(path)))
  const root = isInside(workspace.root, path) ? workspace.root : dirname(path)
  await writeFileAtomic(path, after, { root, mode, expected: hashOf(before) })
  return { change, directories }
}

/** Those that had to be made, innermost first. */
async function makeParents(path: string): Promise<string[]> {
  const missing: string[] = []
  for (let at = dirname(path); at !== dirname(at) && !existsSync(at); at = dirname(at)) missing.push(at)
  try {
    await ensureDirectory(dirname(path), 0o777)
  } catch (error) {
    throw new ReverieError(`Could not make the directory ${dirname(path)}: ${because(error)}.`, {
      cause: error,
    })
  }
  return missing
}

/** The last one first. Returns those that could not be taken back. */
async function takeBack(made: readonly Made[], workspace: Workspace): Promise<string[]> {
  const stuck: string[] = []
  for (const { change, directories } of made.toReversed()) {
    const { path, before, after } = change
    try {
      await make(
        { path, before: after, after: before, ...(change.mode !== undefined && { mode: change.mode }) },
        workspace,
      )
      for (const directory of directories) await rmdir(directory).catch(() => {})
    } catch {
      stuck.push(shownPath(path, workspace))
    }
  }
  return stuck
}

function whatHappened(
  change: FileChange,
  error: unknown,
  stuck: readonly string[],
  workspace: Workspace,
): string {
  const why = `${shownPath(change.path, workspace)} could not be changed: ${becauseOf(error)}.`
  if (stuck.length === 0) return `${why} Nothing was changed: all files are what they were.`
  return `${why} The changes before it were taken back, except in ${stuck.join(', ')}: look at what is there now.`
}

function remember({ path, before, after, whole = false }: FileChange, seen: SeenFiles): void {
  if (after === null) seen.forget(path)
  else seen.wrote(path, contentHash(after), { whole, ...(before && { over: contentHash(before) }) })
}

function hashOf(content: Buffer | null): string | null {
  return content && contentHash(content)
}

/** What any program would give a new file. */
function newFileMode(): number {
  return 0o666 & ~process.umask()
}
