import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import { because, isInside, systemCode } from '../../store/index.ts'
import type { Stamp, Unreadable } from './source.ts'

/** A text beyond this is no note that somebody or some program wrote down to remember. */
const LARGEST_TEXT_BYTES = 4 * 1024 * 1024

/** Looks through the files of a source. What it cannot read it writes down, and goes on. */
export class Finder {
  readonly unreadable: Unreadable[] = []
  #leftOut = new Map<string, number>()

  get leftOut(): Array<{ what: string; count: number }> {
    return [...this.#leftOut].map(([what, count]) => ({ what, count }))
  }

  leaveOut(what: string, count = 1): void {
    if (count > 0) this.#leftOut.set(what, (this.#leftOut.get(what) ?? 0) + count)
  }

  /** The names in a directory, in order; none when there is no such directory. */
  async names(directory: string): Promise<string[]> {
    try {
      return (await fs.readdir(directory)).toSorted()
    } catch (error) {
      if (!['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) this.#cannotRead(directory, error)
      return []
    }
  }

  async isDirectory(path: string): Promise<boolean> {
    return (await this.#stats(path))?.isDirectory() ?? false
  }

  /** The stamp of a plain file. What is something else (a pipe would wait for ever) is written down. */
  async stampOf(path: string): Promise<Stamp | undefined> {
    const stats = await this.#stats(path)
    if (!stats) return undefined
    if (stats.isFile()) return { bytes: stats.size, mtimeMs: stats.mtimeMs }
    this.unreadable.push({ file: path, reason: 'it is not a file' })
    return undefined
  }

  /** The text of a file, unless symbolic links lead it out of `root`, which is a real path. */
  async textOf(path: string, root: string): Promise<{ text: string; at: Date } | undefined> {
    try {
      const real = await this.realPathInside(path, root)
      const stamp = real === undefined ? undefined : await this.stampOf(real)
      if (real === undefined || !stamp) return undefined
      if (stamp.bytes > LARGEST_TEXT_BYTES) {
        const reason = `it is larger than ${LARGEST_TEXT_BYTES / 2 ** 20} MB`
        this.unreadable.push({ file: path, reason })
        return undefined
      }
      return { text: await fs.readFile(real, 'utf8'), at: new Date(stamp.mtimeMs) }
    } catch (error) {
      this.#cannotRead(path, error)
      return undefined
    }
  }

  /** Where a path really leads, unless that is out of `root`. */
  async realPathInside(path: string, root: string): Promise<string | undefined> {
    try {
      const real = await fs.realpath(path)
      if (isInside(root, real)) return real
      this.unreadable.push({ file: path, reason: `it is a symbolic link out of ${root}, to ${real}` })
    } catch (error) {
      this.#cannotRead(path, error)
    }
    return undefined
  }

  /** Every file below a directory that a name is wanted of; links to directories are not followed. */
  async *below(directory: string, wanted: (name: string) => boolean): AsyncGenerator<string> {
    const entries = await fs.readdir(directory, { withFileTypes: true }).catch(error => {
      this.#cannotRead(directory, error)
      return []
    })
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(directory, entry.name)
      if (entry.isDirectory()) yield* this.below(path, wanted)
      else if (wanted(entry.name)) yield path
    }
  }

  async #stats(path: string) {
    try {
      return await fs.stat(path)
    } catch (error) {
      if (systemCode(error) !== 'ENOENT' || (await isLink(path))) this.#cannotRead(path, error)
      return undefined
    }
  }

  #cannotRead(file: string, error: unknown): void {
    if (systemCode(error) === undefined) throw error
    this.unreadable.push({ file, reason: because(error) })
  }
}

async function isLink(path: string): Promise<boolean> {
  return (await fs.lstat(path).catch(() => undefined))?.isSymbolicLink() ?? false
}
