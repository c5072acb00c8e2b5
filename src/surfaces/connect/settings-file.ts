/** Another program's settings file on the disk. */
import { constants, existsSync, lstatSync, realpathSync, statSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { dirname } from 'node:path'
import {
  because,
  contentHash,
  ensureDirectory,
  isInside,
  PRIVATE_FILE,
  readIfThere,
  systemCode,
  writeFileAtomic,
} from '../../store/index.ts'
import { CannotEdit } from './cannot-edit.ts'
import type { Machine } from './machine.ts'

/** Settings are written by hand; what is larger is something else. */
const LARGEST_BYTES = 8 * 1024 * 1024

export interface FileContent {
  bytes: Buffer
  text: string
  hash: string
}

/** Undefined when there is no such file. Throws CannotEdit for what is no plain file of text. */
export async function readSettings(path: string): Promise<FileContent | undefined> {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) {
    if (lstatSync(path, { throwIfNoEntry: false })) throw new CannotEdit('it is a symbolic link to nothing')
    return undefined
  }
  if (!stats.isFile()) throw new CannotEdit('it is not a file')
  if (stats.size > LARGEST_BYTES) throw new CannotEdit(`it is larger than ${LARGEST_BYTES / 2 ** 20} MB`)
  const bytes = await readIfThere(path)
  if (!bytes) return undefined
  const text = bytes.toString('utf8')
  if (!Buffer.from(text).equals(bytes)) throw new CannotEdit('it is not written in UTF-8')
  return { bytes, text, hash: contentHash(bytes) }
}

/** Throws CannotEdit unless the file, or one in its place, may be written. */
export async function assertWritable(path: string, directory: string, { home }: Machine): Promise<void> {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) return
  const real = realpathSync(path)
  const around = [directory, home].filter(place => existsSync(place)).map(place => realpathSync(place))
  if (!around.some(place => isInside(place, real)))
    throw new CannotEdit(`it is a symbolic link out of your home, to ${real}`)
  if ((stats.mode & constants.S_IWUSR) === 0) throw new CannotEdit('it is read-only')
  try {
    await fs.access(path, constants.W_OK)
    await fs.access(dirname(real), constants.W_OK)
  } catch (error) {
    throw new CannotEdit(`it cannot be written: ${because(error)}`, { cause: error })
  }
}

/** Writes it, unless it is no longer what was read. */
export async function writeSettings(
  path: string,
  content: string | Uint8Array,
  before: FileContent | undefined,
): Promise<void> {
  await ensureDirectory(dirname(path))
  await writeFileAtomic(path, content, { expected: before?.hash ?? null, mode: PRIVATE_FILE })
}

export async function removeSettings(path: string): Promise<void> {
  await fs.unlink(path).catch(error => {
    if (systemCode(error) !== 'ENOENT') throw error
  })
}
