import { realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { ReverieError, systemCode } from './error.ts'

export class UnsafePath extends ReverieError {}

/** Longest file name that common file systems take, in bytes. */
const MAX_NAME_BYTES = 255

const WINDOWS_DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\..*)?$/i

/** Characters that are drawn like `/` or `\`, or become one when normalised. */
const SEPARATOR_LOOKALIKE = /[\u2044\u2215\u2216\u29f5\u29f8\u29f9\ufe68\uff0f\uff3c\u2571\u2572]/u

/** Control characters, and the invisible ones that reorder or hide text. */
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u

/** Why `name` cannot be the name of a file, or undefined when it can. */
export function fileNameProblem(name: string): string | undefined {
  if (name === '') return 'it is empty'
  if (name === '.' || name === '..') return 'it names a directory'
  if (name.includes('/') || name.includes('\\')) return 'it contains a path separator'
  if (SEPARATOR_LOOKALIKE.test(name)) return 'it contains a character that looks like a path separator'
  if (INVISIBLE.test(name)) return 'it contains control or invisible characters'
  if (/[<>:"|?*]/.test(name)) return 'it contains a character that some systems do not allow (< > : " | ? *)'
  if (/[. ]$/.test(name)) return 'it ends with a dot or a space'
  if (WINDOWS_DEVICE.test(name)) return 'it is the name of a device on Windows'
  if (!name.isWellFormed()) return 'it is not valid Unicode'
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) return `it is longer than ${MAX_NAME_BYTES} bytes`
  return undefined
}

/** Joins plain file names to a directory; a name that is anything but a plain name is refused. */
export function safeJoin(root: string, ...names: string[]): string {
  for (const name of names) {
    const problem = fileNameProblem(name)
    if (problem) throw new UnsafePath(`${JSON.stringify(name)} cannot be used as a file name: ${problem}.`)
  }
  return join(root, ...names)
}

/** Whether `path` is `root` or lies below it. Compares text only: resolve symbolic links first. */
export function isInside(root: string, path: string): boolean {
  const way = relative(resolve(root), resolve(path))
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/** The real path of `path`, whose last parts need not exist yet. */
export async function realPathOf(path: string): Promise<string> {
  const missing: string[] = []
  for (let at = resolve(path); ; at = dirname(at)) {
    try {
      return join(await realpath(at), ...missing)
    } catch (error) {
      if (systemCode(error) !== 'ENOENT' || at === dirname(at)) throw error
      missing.unshift(basename(at))
    }
  }
}
