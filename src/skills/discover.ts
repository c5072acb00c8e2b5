/** Which skills there are on the disk, in the order in which they count. */
import { readdirSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Home } from '../config/index.ts'
import { because, isInside, systemCode } from '../store/index.ts'
import { isSkillName, readSkill, type Skill, type SkillSource } from './skill.ts'

export interface Places {
  home: Home
  /** The project's root, and where in it the person is. */
  root: string
  directory: string
}

export interface SkillProblem {
  path: string
  problem: string
}

export interface Discovered {
  /** The first of a name is the one that counts. */
  skills: Skill[]
  problems: SkillProblem[]
}

const FILE = 'SKILL.md'
const BUILT_IN = fileURLToPath(new URL('../../prompts/skills', import.meta.url))
/** Where a project keeps them: our own place first, then what many agents read, then Claude Code's. */
const IN_PROJECTS = ['.reverie/skills', '.agents/skills', '.claude/skills'] as const

const LONGEST_FILE = 100_000
const MOST_IN_A_PLACE = 200

/** What was read of a file, for as long as it stays as it is. */
export type ReadFiles = Map<string, { stamp: string; read: ReturnType<typeof readSkill> }>

function ownersPlace(home: Home): string {
  return join(home.path, 'skills')
}

/**
 * The owner's come first, then what is built in, then the project's, the nearest to the person first: a project adds,
 * and replaces nothing.
 */
export function discover(places: Places, known: ReadFiles = new Map()): Discovered {
  const found: Discovered = { skills: [], problems: [] }
  lookInto(ownersPlace(places.home), 'owner', undefined, known, found)
  lookInto(BUILT_IN, 'built-in', undefined, known, found)
  for (const directory of upwards(places))
    for (const place of IN_PROJECTS) lookInto(join(directory, place), 'project', places.root, known, found)
  return found
}

/** From where the person is up to the project's root. */
function upwards({ root, directory }: Places): string[] {
  const steps: string[] = []
  for (let at = isInside(root, directory) ? directory : root; ; at = dirname(at)) {
    steps.push(at)
    if (at === root || at === dirname(at)) return steps
  }
}

function lookInto(
  place: string,
  source: SkillSource,
  within: string | undefined,
  known: ReadFiles,
  { skills, problems }: Discovered,
): void {
  const names = entriesOf(place, problems)
  if (names.length > MOST_IN_A_PLACE)
    problems.push({
      path: place,
      problem: `it holds ${names.length} entries; the first ${MOST_IN_A_PLACE} are looked at`,
    })
  for (const name of names.slice(0, MOST_IN_A_PLACE)) {
    const path = join(place, name, FILE)
    const tell = (problem: string) => void problems.push({ path, problem })
    try {
      const stats = statSync(path, { throwIfNoEntry: false })
      if (!stats) continue // something else that is kept there
      const read = readOnce(path, name, stats, within, known)
      if ('problem' in read) tell(read.problem)
      else {
        skills.push({ ...read.head, name, source, path })
        for (const remark of read.remarks) tell(remark)
      }
    } catch (error) {
      if (systemCode(error) !== 'ENOTDIR') tell(`it cannot be read: ${because(error)}`)
    }
  }
}

function entriesOf(place: string, problems: SkillProblem[]): string[] {
  try {
    return readdirSync(place)
      .filter(name => !name.startsWith('.'))
      .toSorted()
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? ''))
      problems.push({ path: place, problem: `it cannot be read: ${because(error)}` })
    return []
  }
}

function readOnce(
  path: string,
  name: string,
  stats: Stats,
  within: string | undefined,
  known: ReadFiles,
): ReturnType<typeof readSkill> {
  if (!isSkillName(name))
    return { problem: 'its directory should be named in lower case, such as "release-notes"' }
  if (!stats.isFile()) return { problem: 'it is no plain file' }
  if (stats.size > LONGEST_FILE)
    return { problem: `it is larger than ${LONGEST_FILE / 1000} KB; put the details into files beside it` }
  const stray = strayed(path, within)
  if (stray !== undefined) return { problem: stray }
  const stamp = `${stats.ino}:${stats.mtimeMs}:${stats.size}`
  const before = known.get(path)
  if (before?.stamp === stamp) return before.read
  const read = readSkill(readFileSync(path, 'utf8'))
  known.set(path, { stamp, read })
  return read
}

/** A link may not make us show what lies elsewhere. The owner may link whole directories into the home. */
function strayed(path: string, within: string | undefined): string | undefined {
  const [file, directory] = [realpathSync(path), realpathSync(dirname(path))]
  if (!isInside(directory, file)) return 'it is a link that leads out of its directory'
  if (within !== undefined && !isInside(realpathSync(within), file))
    return 'it is a link that leads out of the project'
  return undefined
}
