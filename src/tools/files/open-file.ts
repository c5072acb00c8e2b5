/** Opening what may be anything: only plain files are read, and never without a bound. */
import { constants, type Stats } from 'node:fs'
import { type FileHandle, open, readdir, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { because, ReverieError, realPathOf, systemCode } from '../../store/index.ts'

export class CannotRead extends ReverieError {}
export class NoSuchFile extends CannotRead {}

/** Larger ones are read line by line, and not changed. */
export const WHOLE_FILE_BYTES = 32 * 1024 * 1024

const CHUNK_BYTES = 256 * 1024

export interface OpenedFile extends AsyncDisposable {
  handle: FileHandle
  stats: Stats
  /** Where it really is. */
  real: string
}

export async function openFile(path: string, shown = path): Promise<OpenedFile> {
  try {
    // Before opening: opening a device can already do something.
    refuseUnlessPlain(await stat(path), shown)
    const real = await realPathOf(path)
    // Not blocking, should a pipe have taken its place just now.
    const handle = await open(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const stats = await handle.stat()
      refuseUnlessPlain(stats, shown)
      return { handle, stats, real, [Symbol.asyncDispose]: () => handle.close() }
    } catch (error) {
      await handle.close()
      throw error
    }
  } catch (error) {
    if (error instanceof ReverieError) throw error
    if (systemCode(error) === 'ENOENT')
      throw new NoSuchFile(`${shown} does not exist.${await similarNames(path)}`, { cause: error })
    throw new CannotRead(`Could not read ${shown}: ${because(error)}.`, { cause: error })
  }
}

function refuseUnlessPlain(stats: Stats, shown: string): void {
  if (stats.isFile()) return
  if (stats.isDirectory())
    throw new CannotRead(`${shown} is a directory. List what is in it with glob, such as pattern "*".`)
  const what = stats.isFIFO() ? 'a pipe' : stats.isSocket() ? 'a socket' : 'a device'
  throw new CannotRead(`${shown} is ${what}, not a file; it was not read.`)
}

/** All bytes, or undefined when there are more than `limit`. What /proc says about sizes is not believed. */
export async function readAll(handle: FileHandle, limit = WHOLE_FILE_BYTES): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  for (let total = 0; ; ) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, total)
    if (bytesRead === 0) return Buffer.concat(chunks)
    chunks.push(chunk.subarray(0, bytesRead))
    total += bytesRead
    if (total > limit) return undefined
  }
}

/** The bytes of a file that may be changed; undefined when there is none. */
export async function readForChange(path: string, shown = path): Promise<Buffer | undefined> {
  try {
    await using file = await openFile(path, shown)
    const bytes = await readAll(file.handle)
    if (bytes) return bytes
  } catch (error) {
    if (error instanceof NoSuchFile) return undefined
    if (error instanceof ReverieError) throw error
    throw new CannotRead(`Could not read ${shown}: ${because(error)}.`, { cause: error })
  }
  throw new CannotRead(`${shown} is too large to be changed with this tool. Use bash, for instance sed.`)
}

const MOST_SUGGESTED = 3

async function similarNames(path: string): Promise<string> {
  const wanted = basename(path).toLowerCase()
  const names = await readdir(dirname(path)).catch(() => undefined)
  if (!names) return ` Neither does the directory ${dirname(path)}.`
  const stem = (name: string) => name.toLowerCase().split('.')[0] ?? ''
  const similar = names.filter(
    name => name.toLowerCase() === wanted || (stem(name) && stem(name) === stem(wanted)),
  )
  return similar.length > 0 ? ` Beside it there is: ${similar.slice(0, MOST_SUGGESTED).join(', ')}.` : ''
}
