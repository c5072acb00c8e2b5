/** Lists of what git and searches pass over, as far as they matter for what may be read. */
import { type Dirent, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ignore from 'ignore'
import { isInside } from '../../store/index.ts'

/** Those of ripgrep, each of which can say of a hidden file that it is not to be passed over. */
const LISTS: ReadonlySet<string> = new Set(['.gitignore', '.ignore', '.rgignore'])

/** Names that are not passed over: those asked for, and those that lists say so of, above a directory and below it. */
export class UnignoredNames {
  #patterns: RegExp[]

  constructor(directory: string, named: readonly string[] = []) {
    this.#patterns = named.map(lastNameOf)
    for (let at = directory; at !== dirname(at); at = dirname(at)) {
      for (const list of LISTS) this.#read(join(at, list))
      this.#read(join(at, '.git', 'info', 'exclude'))
    }
  }

  readLists(directory: string, entries: readonly Dirent[]): void {
    for (const { name } of entries) if (LISTS.has(name)) this.#read(join(directory, name))
  }

  has(name: string): boolean {
    return this.#patterns.some(pattern => pattern.test(name))
  }

  #read(list: string): void {
    for (const line of linesOf(list)) if (line.startsWith('!')) this.#patterns.push(lastNameOf(line.slice(1)))
  }
}

/** What the last part of a pattern could be the name of, or more: brackets and braces stand for anything. */
function lastNameOf(pattern: string): RegExp {
  const part = pattern.trim().replace(/\/+$/, '').split('/').at(-1) ?? ''
  const loose = part.replaceAll('\\', '').replaceAll(/\[.*\]|\{.*\}/g, '*')
  const source = loose.replaceAll(/[*?]|[^*?]/g, character =>
    character === '*' ? '.*' : character === '?' ? '.' : RegExp.escape(character),
  )
  return new RegExp(`^${source}$`, 'isu')
}

/** Which directories of a project git passes over, as its top says; a list further down may say otherwise. */
export function ignoredBelow(root: string): (path: string) => boolean {
  const rules = ignore({ ignorecase: false }).add(linesOf(join(root, '.gitignore')))
  const takesBack = (directory: string) =>
    linesOf(join(directory, '.gitignore')).some(line => line.startsWith('!'))
  return path => {
    const way = `${relative(root, path)}/`
    if (!ignore.isPathValid(way) || !rules.ignores(way)) return false
    for (let at = dirname(path); isInside(root, at) && at !== root; at = dirname(at))
      if (takesBack(at)) return false
    return true
  }
}

function linesOf(list: string): string[] {
  try {
    return readFileSync(list, 'utf8').split(/\r?\n/)
  } catch {
    return [] // there is none, or it is none
  }
}
