/** Checks that imports between the rooms of `src/` only point downwards, and only at a room's `index.ts`. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** From the ground up. A room may import from rooms before it. */
export const ROOMS = [
  'store',
  'config',
  'models',
  'search',
  'skills',
  'memory',
  'session',
  'work',
  'context',
  'tools',
  'servers',
  'agent',
  'dream',
  'extraction',
  'assembly',
  'library',
  'surfaces',
  'cli',
]

const IMPORT = /(?:from|import)\s*\(?\s*'(\.[^']+)'/g

export function importProblems(file: string, text: string): string[] {
  const [room, inner] = roomOf(file)
  if (inner === undefined) return [] // src/index.ts composes the rooms
  const problems: string[] = []
  if (!ROOMS.includes(room))
    problems.push(`${file}: src/${room} is not a room; add it to ROOMS in scripts/rooms.ts`)
  for (const [, specifier = ''] of text.matchAll(IMPORT)) {
    const target = join(dirname(file), specifier)
    const [other, rest] = roomOf(target)
    if (!target.startsWith('src/') || other === room) continue
    if (rest === undefined) problems.push(`${file}: a room does not import ${target}`)
    else if (ROOMS.indexOf(other) > ROOMS.indexOf(room))
      problems.push(`${file}: ${room} lies below ${other} and cannot import ${specifier}`)
    else if (!isDoor(other, rest) && !/\.(test|fixture)\.ts$/.test(file))
      problems.push(
        `${file}: import from '${relative(dirname(file), `src/${other}/index.ts`)}', not ${specifier}`,
      )
  }
  return problems
}

/** Files that are also loaded alone, because their room costs more than the start of a program may. */
const SIDE_DOORS: ReadonlySet<string> = new Set(['tools/tasks.ts', 'tools/tool.ts'])

/** Each file below them is a door: a command loads the one that it needs, and none beside it. */
const OPEN_HALLS = /^(?:text|actions)\/[\w-]+\.ts$/

/** Every surface has a door of its own, for the same reason. */
function isDoor(room: string, rest: string): boolean {
  if (rest === 'index.ts' || SIDE_DOORS.has(`${room}/${rest}`)) return true
  return room === 'surfaces' && (/^[\w-]+\/index\.ts$/.test(rest) || OPEN_HALLS.test(rest))
}

function roomOf(path: string): [room: string, rest: string | undefined] {
  const [, room = '', ...rest] = path.split('/')
  return [room, rest.length > 0 ? rest.join('/') : undefined]
}

if (import.meta.main) {
  const problems = globSync('src/**/*.ts').flatMap(file => importProblems(file, readFileSync(file, 'utf8')))
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length > 0 ? 1 : 0
}
