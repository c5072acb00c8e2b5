/** Looks at the file system, so that the verdict itself needs no look: where paths lead, and what is there. */
import { readdirSync } from 'node:fs'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { because } from '../../store/index.ts'
import type { Touch } from '../../tools/index.ts'
import { findProgram, liesIn, type OwnPlaces, protection, protectionOfTree } from '../../tools/index.ts'
import { gitTrouble } from './plain-git.ts'
import { realPath } from './real-path.ts'
import type { LookedAt, Place, PlacedAct } from './request.ts'
import { type Act, type ParseShell, readScript, type Use } from './shell/index.ts'

export interface Eyes extends OwnPlaces {
  parse: ParseShell
  home: string
  /** Of the project. */
  root: string
  searchPath?: string | undefined
}

/**
 * How much is looked at for one command, in names that are read: some half a second. What names more is not typed by
 * anybody, and would keep everything else waiting.
 */
const MOST_LOOKS = 40_000
/** A path is followed part by part. */
const LOOKS_PER_PATH = 4

/** Eyes that get tired. */
interface Looking extends Eyes {
  left: number
}

/** False when nothing more is looked at. */
function spend(looking: Looking, looks: number): boolean {
  looking.left -= looks
  return looking.left >= 0
}

/** Nothing is kept there, and everybody may write to it. */
const NOWHERE: ReadonlySet<string> = new Set(['/dev/null', '/dev/stdout', '/dev/stderr', '/dev/stdin'])

export function lookAt(touch: Touch, eyes: Eyes): LookedAt {
  if (touch.kind === 'web') return touch
  if (touch.kind === 'command') return lookAtCommand(touch.command, touch.directory, eyes)
  return { kind: 'file', ...placeOf(touch.kind, '/', touch.path) }
}

/** A place whose links lead in a circle is nowhere, which is outside. */
function placeOf(access: Place['access'], directory: string, path: string): Place {
  try {
    // A NUL would end the path for the system, but not for us.
    if (path.includes('\0')) throw new Error('its name holds a NUL')
    return { access, path, real: realPath(directory, path) }
  } catch (error) {
    return {
      access,
      path,
      real: resolve(directory, path),
      trouble: `${path} cannot be looked at: ${because(error)}.`,
    }
  }
}

function lookAtCommand(command: string, directory: string, eyes: Eyes): LookedAt {
  const { acts, unclear: unread } = readScript(command, eyes)
  const looking: Looking = { ...eyes, left: MOST_LOOKS }
  const writes = acts.some(
    act => !act.git && act.uses.some(use => use.access === 'write' && !NOWHERE.has(use.path)),
  )
  const looked = acts.map(act => lookAtAct(act, directory, looking, writes))
  const unclear = unread ?? (looking.left < 0 ? 'it names more than can be looked at' : undefined)
  return { kind: 'command', command, acts: looked, ...(unclear !== undefined && { unclear }) }
}

function lookAtAct(act: Act, directory: string, eyes: Looking, writes: boolean): PlacedAct {
  const { words, text, why } = act
  const found = act.places.map(way => walkTo(directory, way))
  const lost = found.find(result => 'trouble' in result)
  const directories = found.flatMap(result => ('at' in result ? [result.at] : []))
  const uses = act.uses.filter(({ path }) => !NOWHERE.has(path))
  const vanishes = words.length === 0 && act.uses.length > 0 && uses.length === 0
  const effect = vanishes ? 'read' : act.effect
  const trouble =
    lost?.trouble ?? ownProgram(act, eyes) ?? (act.git ? repositoryTrouble(directories, writes) : undefined)
  return {
    words,
    text,
    effect,
    places: directories.flatMap(at => uses.flatMap(use => lookAtUse(use, at, eyes))),
    maybe: directories.flatMap(at =>
      possiblePaths(act).flatMap(path =>
        spend(eyes, 2 * LOOKS_PER_PATH) ? [placeOf('read', at, path), placeOf('write', at, path)] : [],
      ),
    ),
    ...(why !== undefined && { why }),
    ...(trouble !== undefined && { trouble }),
  }
}

/** What is known of a command is known of the system's: the project may bring one of the same name. */
function ownProgram({ words: [name], effect }: Act, { root, searchPath }: Eyes): string | undefined {
  if (!name || effect === 'unknown' || name.text.includes('/')) return undefined
  const program = findProgram(name.text, searchPath)
  return program !== undefined && root !== '/' && liesIn(root, program)
    ? `${name.text} is a program of the project here (${program}).`
    : undefined
}

/** What is written before git runs could be a repository, or its configuration: then looking now tells nothing. */
function repositoryTrouble(directories: readonly string[], writes: boolean): string | undefined {
  if (writes) return 'Files are changed by the same command that git is run by.'
  return directories.map(gitTrouble).find(told => told !== undefined)
}

/** A shell takes `cd link/..` back to where it was, the system to the directory above what the link leads to. */
function walkTo(directory: string, way: readonly string[]): { at: string } | { trouble: string } {
  let at = directory
  for (const step of way) {
    const next = resolve(at, step)
    try {
      if (realPath('/', next) !== realPath(at, step))
        return { trouble: `It cannot be told where cd ${step} leads.` }
    } catch (error) {
      return { trouble: `It cannot be told where cd ${step} leads: ${because(error)}.` }
    }
    at = next
  }
  return { at }
}

/** More arguments than a command that is typed has. */
const MOST_POSSIBLE = 100

/** Anything in a command's words that could be the name of a file: for rules and secrets, not for what is harmless. */
function possiblePaths({ words }: Act): string[] {
  const paths = words.flatMap(({ text }) => {
    const parts = [text, text.slice(text.indexOf('=') + 1), text.slice(text.lastIndexOf(':') + 1)]
    return text.startsWith('-') ? [...parts, text.slice(2)] : parts
  })
  return [...new Set(paths)].filter(path => path !== '' && !NOWHERE.has(path)).slice(0, MOST_POSSIBLE)
}

function lookAtUse(use: Use, directory: string, eyes: Looking): Place[] {
  const paths = use.glob ? matchingPaths(directory, use.path, eyes) : [use.path]
  const nameOfOption = use.glob ? paths?.find(path => /^[-+(!,]/.test(path)) : undefined
  if (!paths || nameOfOption !== undefined) {
    const trouble = nameOfOption
      ? `${use.path} stands for ${nameOfOption}, too, which may be taken for an option.`
      : `It cannot be told what ${use.path} stands for.`
    return [{ ...placeOf(use.access, directory, use.path), trouble }]
  }
  return paths.flatMap(path => {
    if (!spend(eyes, LOOKS_PER_PATH)) return []
    const place = placeOf(use.access, directory, path)
    if (!use.tree || place.trouble !== undefined) return place
    place.tree = true
    const landing = use.lands?.map(to => placeOf('write', directory, to).real) ?? []
    const below = landsOn(landing, eyes) ?? troubleBelow(place, use.tree, landing, eyes)
    return below === undefined ? place : { ...place, trouble: below }
  })
}

/** How many names are looked at for one pattern, and for one directory tree. */
const MOST_MATCHES = 1_000
const MOST_BELOW = 20_000

/**
 * The paths that a shell could make of a pattern, or more: brackets stand for any name. Undefined when there are
 * too many. The pattern itself is one of them, because that is what a shell uses when nothing matches.
 */
function matchingPaths(directory: string, pattern: string, eyes: Looking): string[] | undefined {
  let found = [isAbsolute(pattern) ? '/' : '']
  for (const part of pattern.split('/').filter(Boolean)) {
    if (!/[*?[]/.test(part)) {
      found = found.map(path => below(path, part))
      continue
    }
    const fits = namePattern(part)
    found = found.flatMap(path =>
      namesIn(directory, path, eyes)
        .filter(name => fits.test(name))
        .map(name => below(path, name)),
    )
    if (found.length > MOST_MATCHES) return undefined
  }
  return [...found, pattern]
}

/** Not shortened: `link/..` is the directory above what the link leads to. */
function below(path: string, name: string): string {
  return path === '' || path.endsWith('/') ? path + name : `${path}/${name}`
}

function namePattern(part: string): RegExp {
  const hidden = part.startsWith('.') ? '' : '(?!\\.)'
  const loose = part.replaceAll(/\[.*\]/g, '*')
  const source = loose.replaceAll(/[*?]|[^*?]/g, character =>
    character === '*' ? '.*' : character === '?' ? '.' : RegExp.escape(character),
  )
  return new RegExp(`^${hidden}${source}$`, 'su')
}

function namesIn(directory: string, path: string, eyes: Looking): string[] {
  if (!spend(eyes, LOOKS_PER_PATH)) return []
  try {
    const names = readdirSync(realPath(directory, path))
    return spend(eyes, names.length) ? names : []
  } catch {
    return [] // the shell finds nothing there either
  }
}

/** By name alone: the same command may still put something into what it copies. */
function landsOn(landing: readonly string[], own: OwnPlaces): string | undefined {
  const told = landing.map(to => [to, protectionOfTree(to, own)] as const)
  const [place, why] = told.find(each => each[1] !== undefined) ?? []
  return why && `${place} ${why}.`
}

/** What lies below a directory that is read or moved as a whole, and how it will be called where it lands. */
function troubleBelow(
  { real, access }: Place,
  tree: NonNullable<Use['tree']>,
  landing: readonly string[],
  own: Looking,
): string | undefined {
  let left = MOST_BELOW
  const waiting = [real]
  for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
    for (const entry of entriesOf(directory)) {
      if (tree === 'visible' && entry.name.startsWith('.')) continue
      const path = join(directory, entry.name)
      if (!spend(own, 1)) return undefined
      if (--left < 0) return `There are too many files in ${real} to look at them all.`
      if (entry.isSymbolicLink() && tree === 'no links') return `${path} is a symbolic link.`
      const why = protection(path, access, own)
      if (why !== undefined && !entry.isDirectory()) return `${path} ${why}.`
      for (const place of landing) {
        const then = join(place, relative(real, path))
        const special = protection(then, 'write', own)
        if (special !== undefined && !entry.isDirectory()) return `${then} ${special}.`
      }
      if (entry.isDirectory()) waiting.push(path)
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
