import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { because, ReverieError, systemCode } from './error.ts'
import { isInside, realPathOf, UnsafePath } from './paths.ts'

/** The file operations that durable writes are made of; tests inject their own to record or to fail them. */
export type FileLayer = Pick<typeof fs, 'open' | 'rename' | 'link' | 'unlink' | 'stat' | 'readFile'>

export class WriteFailed extends ReverieError {}

/** The target is not what the caller last saw: somebody else wrote it in between. */
export class ChangedMeanwhile extends ReverieError {}

export interface AtomicWriteOptions {
  /** The write is refused if symbolic links lead it out of this directory. */
  root?: string
  /** Mode of a file that does not exist yet; an existing one keeps its own. */
  mode?: number
  /** Hash of the content that will be replaced, or null for "must not exist"; compared just before the rename. */
  expected?: string | null
  layer?: FileLayer
}

export const PRIVATE_FILE = 0o600
export const PRIVATE_DIRECTORY = 0o700

/** Marks our temporary files, so that leftovers of a killed process can be told from anybody's files. */
const TEMPORARY = /^\.reverie-[0-9a-f]{16}\.tmp$/

export function contentHash(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/**
 * Replaces or creates a file so that at every instant, also after a crash, its path holds either the
 * old content or the new: temporary file beside it, fsync, rename, fsync of the directory.
 */
export async function writeFileAtomic(
  path: string,
  content: string | Uint8Array,
  options: AtomicWriteOptions = {},
): Promise<void> {
  const layer = options.layer ?? fs
  const target = await writableTarget(path, options.root)
  const temporary = join(dirname(target), `.reverie-${randomBytes(8).toString('hex')}.tmp`)
  let outcome = 'What was there is unchanged'
  try {
    const mode = (await modeOf(layer, target)) ?? options.mode ?? PRIVATE_FILE
    await writeDurably(layer, temporary, content, mode)
    await putInPlace(layer, temporary, target, options.expected)
    outcome = 'The new content is there, but a power cut could still undo it'
    await syncDirectory(dirname(target), layer)
  } catch (error) {
    await layer.unlink(temporary).catch(() => {})
    if (error instanceof ReverieError) throw error
    throw new WriteFailed(`Could not write ${path}: ${because(error)}. ${outcome}.`, { cause: error })
  }
}

/** Follows symbolic links, as an editor would, but not out of `root`. */
async function writableTarget(path: string, root: string | undefined): Promise<string> {
  const target = await realPathOf(path)
  if (root !== undefined && !isInside(await realPathOf(root), target))
    throw new UnsafePath(`${path} leads outside ${root} through a symbolic link; nothing was written.`)
  return target
}

async function modeOf(layer: FileLayer, path: string): Promise<number | undefined> {
  try {
    return (await layer.stat(path)).mode & 0o7777
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}

async function writeDurably(layer: FileLayer, path: string, content: string | Uint8Array, mode: number) {
  await using file = await layer.open(path, 'wx', mode)
  // open() applies the umask, which must not widen or narrow a mode that is being kept.
  await file.chmod(mode)
  await file.writeFile(content)
  await file.sync()
}

async function putInPlace(layer: FileLayer, temporary: string, target: string, expected?: string | null) {
  if (expected === undefined) return layer.rename(temporary, target)
  if (expected === null) {
    try {
      await layer.link(temporary, target)
    } catch (error) {
      const exists = systemCode(error) === 'EEXIST' || (await modeOf(layer, target)) !== undefined
      if (exists) throw new ChangedMeanwhile(`${target} was created by somebody else in the meantime.`)
      if (!isLinkUnsupported(error)) throw error
      return layer.rename(temporary, target)
    }
    return layer.unlink(temporary)
  }
  const found = await readIfThere(target, layer)
  if (found === undefined || contentHash(found) !== expected)
    throw new ChangedMeanwhile(`${target} was changed by somebody else in the meantime.`)
  return layer.rename(temporary, target)
}

/** Some file systems (exFAT, some network shares) have no hard links. */
export function isLinkUnsupported(error: unknown): boolean {
  return ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(systemCode(error) ?? '')
}

/** The bytes of a file, or undefined when there is none. */
export async function readIfThere(
  path: string,
  layer: Pick<FileLayer, 'readFile'> = fs,
): Promise<Buffer | undefined> {
  try {
    return await layer.readFile(path)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** What somebody else may have put in a file's place (a device, a pipe, a giant) is not read. */
const SMALL_FILE_BYTES = 1024 * 1024

/** The text of a plain file of at most 1 MB; undefined when there is none, or something else. */
export function readSmallFile(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats?.isFile() && stats.size <= SMALL_FILE_BYTES ? readFileSync(path, 'utf8') : undefined
}

/** Makes a rename, creation or removal in a directory survive a power cut. */
export async function syncDirectory(path: string, layer: Pick<FileLayer, 'open'> = fs): Promise<void> {
  if (process.platform === 'win32') return // directories cannot be opened there
  await using directory = await layer.open(path, 'r')
  await directory.sync()
}

/** Creates a private directory with its parents, durably. */
export async function ensureDirectory(path: string, mode = PRIVATE_DIRECTORY): Promise<void> {
  const first = await fs.mkdir(path, { recursive: true, mode }).catch(error => {
    if (systemCode(error) === 'ENOENT') makeFirstMissing(path)
    throw error
  })
  if (first === undefined) return
  for (let made = resolve(path); made !== dirname(first); made = dirname(made))
    await syncDirectory(dirname(made))
}

/**
 * To be called when several could not be made, because one does not exist: that is what Node says of a read-only disk.
 * Of the first that is missing it tells the reason.
 */
export function makeFirstMissing(path: string): void {
  let missing = resolve(path)
  while (!existsSync(dirname(missing))) missing = dirname(missing)
  mkdirSync(missing, { mode: PRIVATE_DIRECTORY })
}

/** How long a temporary file must have lain untouched to count as a leftover. */
const LEFTOVER_AFTER_MS = 60 * 60 * 1000

/** For whoever holds a directory exclusively: also a temporary file from the future is a leftover. */
export const ANY_AGE = Number.NEGATIVE_INFINITY

/** Removes what killed processes left behind in a directory; returns the names removed. */
export async function sweepTemporaries(
  directory: string,
  { now = Date.now(), olderThanMs = LEFTOVER_AFTER_MS } = {},
): Promise<string[]> {
  const names = (await fs.readdir(directory)).filter(name => TEMPORARY.test(basename(name)))
  const removed: string[] = []
  for (const name of names) {
    const path = join(directory, name)
    const stats = await fs.lstat(path).catch(() => undefined)
    if (!stats?.isFile() || now - stats.mtimeMs < olderThanMs) continue
    await fs.unlink(path)
    removed.push(name)
  }
  return removed
}
