/** Looks at the file system, so that the verdict itself needs no look: where paths lead, and what is there. */
import { lstatSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { becauseOf, isInside } from '../../store/index.ts'
import type { Touch } from '../../tools/index.ts'
import { findProgram, liesIn, protection } from '../../tools/index.ts'
import { innerRepository, isOddName, landsOn, namePattern, troubleBelow } from './below.ts'
import { matchingPaths } from './glob.ts'
import { type Eyes, LOOKS_PER_PATH, type Looking, MOST_LOOKS, spend } from './looking.ts'
import { gitTrouble, trackedFiles } from './plain-git.ts'
import { realPath } from './real-path.ts'
import type { LookedAt, Place, PlacedAct } from './request.ts'
import { type Act, readScript, type Use } from './shell/index.ts'

/** Nothing is kept there. What the input comes from, though, may be a file, which can be written by this name. */
function isNowhere({ access, path }: Pick<Use, 'access' | 'path'>): boolean {
  return NOWHERE.has(path) || (access === 'read' && path === '/dev/stdin')
}

const NOWHERE: ReadonlySet<string> = new Set(['/dev/null', '/dev/stdout', '/dev/stderr'])

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
      trouble: `${path} cannot be looked at: ${becauseOf(error)}.`,
    }
  }
}

function lookAtCommand(command: string, directory: string, eyes: Eyes): LookedAt {
  const { acts, unclear: unread } = readScript(command, eyes)
  const writes = acts.some(act => !act.git && act.uses.some(use => use.access === 'write' && !isNowhere(use)))
  const looking: Looking = { ...eyes, left: MOST_LOOKS, writes }
  const looked = acts.map(act => lookAtAct(act, directory, looking))
  const unclear = unread ?? (looking.left < 0 ? 'it names more than can be looked at' : undefined)
  return { kind: 'command', command, acts: looked, ...(unclear !== undefined && { unclear }) }
}

function lookAtAct(act: Act, directory: string, eyes: Looking): PlacedAct {
  const { words, text, why } = act
  const found = act.places.map(way => walkTo(directory, way))
  const lost = found.find(result => 'trouble' in result)
  const directories = found.flatMap(result => ('at' in result ? [result.at] : []))
  const uses = act.uses.filter(use => !isNowhere(use))
  const vanishes = words.length === 0 && act.uses.length > 0 && uses.length === 0
  const effect = vanishes ? 'read' : act.effect
  const places = directories.flatMap(at => uses.flatMap(use => lookAtUse(use, at, eyes)))
  const trouble =
    lost?.trouble ??
    ownProgram(act, eyes) ??
    (act.git && repositoryTrouble(directories, act.git, eyes)) ??
    (act.git === 'adds' ? addingTrouble(places, eyes) : undefined) ??
    (act.git === 'compares' ? comparingTrouble(places, eyes) : undefined)
  return {
    words,
    text,
    effect,
    places,
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
function repositoryTrouble(
  directories: readonly string[],
  what: NonNullable<Act['git']>,
  eyes: Looking,
): string | undefined {
  if (eyes.writes) return 'Files are changed by the same command that git is run by.'
  const addresses = what === 'tells addresses'
  return directories.map(at => gitTrouble(at, eyes.root, addresses)).find(told => told !== undefined)
}

/** Files are what they are; what cannot be found by its name may stand for anything in the project. */
function addingTrouble(places: readonly Place[], eyes: Looking): string | undefined {
  const kinds = places.map(({ real }) => ({ real, stat: lstatSync(real, { throwIfNoEntry: false }) }))
  const anywhere = kinds.length === 0 || kinds.some(({ stat }) => !stat)
  const directories = kinds.filter(({ stat }) => stat?.isDirectory()).map(({ real }) => real)
  return innerRepository(anywhere ? [eyes.root] : directories, eyes)
}

/** Of two that are both there, neither is the name of a commit. */
function comparingTrouble(places: readonly Place[], eyes: Looking): string | undefined {
  const there = places.filter(({ real }) => lstatSync(real, { throwIfNoEntry: false }))
  if (there.length < 2) return undefined
  return there.map(place => troubleBelow(place, { tree: 'all' }, [], eyes)).find(told => told !== undefined)
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
      return { trouble: `It cannot be told where cd ${step} leads: ${becauseOf(error)}.` }
    }
    at = next
  }
  return { at }
}

/** More arguments than a command that is typed has. */
const MOST_POSSIBLE = 100

/** Anything in a command's words that could be the name of a file: for rules and secrets, not for what is harmless. */
function possiblePaths({ words }: Act): string[] {
  const texts = words.flatMap(({ text, any = [] }) => [text, ...any.map(each => each.text)])
  const paths = texts.flatMap(text => {
    const parts = [text, text.slice(text.indexOf('=') + 1), text.slice(text.lastIndexOf(':') + 1)]
    return text.startsWith('-') ? [...parts, text.slice(2)] : parts
  })
  return [...new Set(paths)].filter(path => path !== '' && !NOWHERE.has(path)).slice(0, MOST_POSSIBLE)
}

function lookAtUse(use: Use, directory: string, eyes: Looking): Place[] {
  const paths = use.glob ? pathsMeant(use, directory, eyes) : [use.path]
  const nameOfOption = use.glob ? paths?.find(path => /^[-+(!,@]/.test(path)) : undefined
  if (!paths || nameOfOption !== undefined) {
    const trouble = nameOfOption
      ? `${use.path} stands for ${nameOfOption}, too, which may be taken for an option.`
      : `It cannot be told what ${use.path} stands for.`
    return [{ ...placeOf(use.access, directory, use.path), trouble }]
  }
  return paths.flatMap(path => {
    if (!spend(eyes, LOOKS_PER_PATH)) return []
    const place = placeOf(use.access, directory, path)
    if (place.trouble !== undefined) return place
    const moved = use.itself && itselfTrouble(place, directory)
    if (moved) return { ...place, trouble: moved }
    if (!use.tree) return place
    place.tree = true
    if (use.tree === 'tracked') {
      const secret = trackedTrouble(realPath('/', directory), use, eyes)
      return secret === undefined ? place : { ...place, trouble: secret }
    }
    const landing = use.lands?.map(to => placeOf('write', directory, to).real) ?? []
    const below = landsOn(landing, eyes) ?? troubleBelow(place, { ...use, tree: use.tree }, landing, eyes)
    return below === undefined ? place : { ...place, trouble: below }
  })
}

/** Undefined when there are too many, or when the shell would make other ones of them. */
function pathsMeant({ path, any }: Use, directory: string, eyes: Looking): string[] | undefined {
  if (!any) return matchingPaths(directory, path, eyes)
  const found = any.map(({ text, glob, split }) => {
    const paths = glob ? matchingPaths(directory, text, eyes) : [text]
    return split && paths?.some(each => each !== text && /[\s*?[\\]/.test(each)) ? undefined : paths
  })
  return found.every(paths => paths !== undefined) ? found.flat() : undefined
}

/** Moved or gone, a link no longer leads where it did, nor does a path that goes back from where one is. */
function itselfTrouble({ access, path, real }: Place, directory: string): string | undefined {
  const name = basename(path)
  if (access === 'write' && isInside(real, realPath('/', directory)))
    return `${path} is the directory that the command runs in, or above it.`
  if (name === '' || name === '.' || name === '..') return undefined
  return join(realPath(directory, dirname(path)), name) === real ? undefined : `${path} is a symbolic link.`
}

/** What git keeps track of, it finds again whatever its name is. */
function trackedTrouble(directory: string, { names, apart }: Use, eyes: Looking): string | undefined {
  const tracked = trackedFiles(directory, eyes.root)
  if (tracked === undefined) return 'It cannot be told what the repository keeps track of.'
  if (!spend(eyes, tracked.length)) return undefined
  const fits = names?.map(namePattern)
  const counting = tracked.filter(({ name }) => !fits || fits.some(pattern => pattern.test(basename(name))))
  const secret = counting.find(({ name }) => protection(`/${name}`, 'read', eyes) !== undefined)
  if (secret) return `${secret.name}, which the repository keeps track of, may hold secrets.`
  if (!apart) return undefined
  const odd = counting.find(({ name, top }) => {
    const path = join(top, name)
    return name.split('/').some(isOddName) || !spend(eyes, LOOKS_PER_PATH) || realPath('/', path) !== path
  })
  return (
    odd &&
    `${odd.name}, which the repository keeps track of, is a link or has a name that may be taken for several.`
  )
}
