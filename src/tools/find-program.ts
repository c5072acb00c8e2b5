import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { isInside } from '../store/index.ts'

/**
 * Where a program lies that can be run; undefined when it is not there. With `outside`, one that lies in that directory
 * does not count: who starts us through npm has the project's own programs before the system's.
 */
export function findProgram(
  name: string,
  path = '',
  { outside }: { outside?: string } = {},
): string | undefined {
  const places = path.split(delimiter).filter(place => place.startsWith('/'))
  const found = places.map(place => join(place, name)).filter(isExecutable)
  return found.find(program => outside === undefined || !liesIn(outside, program))
}

/** By its directory, too: what stands there may be a link to anywhere. */
export function liesIn(root: string, program: string): boolean {
  return [program, realpathSync(dirname(program)), realpathSync(program)].some(place => isInside(root, place))
}

/** Where in a directory programs are looked for, as real paths. */
export function programsIn(root: string, path = ''): string[] {
  const places = path.split(delimiter).filter(place => place.startsWith('/'))
  return [...new Set(places.map(realOrItself))].filter(place => isInside(root, place))
}

/** One that is not there yet can be made. */
function realOrItself(place: string): string {
  try {
    return realpathSync(place)
  } catch {
    return resolve(place)
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
