/** Looks at what lies below a directory that is used as a whole. */
import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { likeAnOption, type OwnPlaces, protection, protectionOfTree } from '../../tools/index.ts'
import { ignoredBelow, UnignoredNames } from './ignore-lists.ts'
import { type Looking, spend } from './looking.ts'
import type { Place } from './request.ts'
import type { Use } from './shell/index.ts'

type Whole = Pick<Use, 'named' | 'names' | 'apart'> & { tree: NonNullable<Use['tree']> }

/** How many names are looked at for one directory tree. */
const MOST_BELOW = 20_000

/** By name alone: the same command may still put something into what it copies. */
export function landsOn(landing: readonly string[], own: OwnPlaces): string | undefined {
  const told = landing.map(to => [to, protectionOfTree(to, own)] as const)
  const [place, why] = told.find(each => each[1] !== undefined) ?? []
  return why && `${place} ${why}.`
}

/** What lies below a directory that is read or moved as a whole, and how it will be called where it lands. */
export function troubleBelow(
  { real, access }: Place,
  use: Whole,
  landing: readonly string[],
  own: Looking,
): string | undefined {
  let left = MOST_BELOW
  const waiting = [real]
  const counts = hiddenThatCount(real, use, own)
  const fits = use.names?.map(namePattern)
  for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
    const entries = entriesOf(directory)
    counts?.readLists(directory, entries)
    for (const entry of entries) {
      if (counts && entry.name.startsWith('.') && !counts.has(entry.name)) continue
      const path = join(directory, entry.name)
      if (!spend(own, 1)) return undefined
      if (--left < 0) return `There are too many files in ${real} to look at them all.`
      if (entry.isDirectory()) waiting.push(path)
      if (use.apart && isOddName(entry.name)) return `${path} has a name that may be taken for several.`
      if (fits && !fits.some(pattern => pattern.test(entry.name))) continue
      if (entry.isSymbolicLink() && use.tree === 'no links') return `${path} is a symbolic link.`
      const why = protection(path, access, own)
      if (why !== undefined && !entry.isDirectory()) return `${path} ${why}.`
      for (const place of landing) {
        const then = join(place, relative(real, path))
        const special = protection(then, 'write', own) ?? likeAnOption(then, own.root)
        if (special !== undefined && !entry.isDirectory()) return `${then} ${special}.`
      }
    }
  }
  return undefined
}

/** As text it is divided, or begins like an option: in front of it there may be nothing. */
export function isOddName(name: string): boolean {
  return !/^[\x21-\x7e]+$/.test(name) || /["'\\*?[:]|^[-+(!,@]/.test(name)
}

/** A pattern of `find`, or more: brackets stand for anything. */
export function namePattern(name: string): RegExp {
  const loose = name.replaceAll('\\', '').replaceAll(/\[.*\]/g, '*')
  const source = loose.replaceAll(/[*?]|[^*?]/g, character =>
    character === '*' ? '.*' : character === '?' ? '.' : RegExp.escape(character),
  )
  return new RegExp(`^${source}$`, 'isu')
}

/** Where a search passes over hidden files, those that it does not: undefined where it reads all of them. */
function hiddenThatCount(
  directory: string,
  { tree, named }: Whole,
  { writes }: Looking,
): UnignoredNames | undefined {
  // The same command may write a list of what not to pass over.
  return tree === 'visible' && !writes ? new UnignoredNames(directory, named) : undefined
}

/** Another repository within the project's: once it is added, git asks its configuration, too, what to run. */
export function innerRepository(added: readonly string[], own: Looking): string | undefined {
  const { root } = own
  const ignored = ignoredBelow(root)
  let left = MOST_BELOW
  const waiting = [...added]
  for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
    const entries = entriesOf(directory)
    if (directory !== root && entries.some(({ name }) => name.toLowerCase() === '.git'))
      return `${directory} is another repository.`
    for (const entry of entries) {
      if (!spend(own, 1)) return undefined
      if (--left < 0) return `There are too many files in ${root} to look at them all.`
      if (!entry.isDirectory() || (directory === root && entry.name === '.git')) continue
      const path = join(directory, entry.name)
      if (!ignored(path)) waiting.push(path)
    }
  }
  return undefined
}

function entriesOf(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true })
  } catch {
    return [] // not a directory, or one that may not be read: then the command cannot read it either
  }
}
