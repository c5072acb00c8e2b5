import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import picomatch from 'picomatch'
import { type Home, nearest } from '../config/index.ts'
import { isInside, ReverieError } from '../store/index.ts'
import { type Machine, missing, thisMachine } from './availability.ts'
import { discover, type ReadFiles, type SkillProblem } from './discover.ts'
import { readSkill, type Skill } from './skill.ts'
import { readUses, recordUse, scoreAt } from './uses.ts'

export class NoSuchSkill extends ReverieError {}
/** It is there, and cannot be used. */
class SkillRefused extends ReverieError {}

export type SkillStatus =
  | 'ready'
  /** Something that it needs is missing. */
  | 'unavailable'
  /** The owner does not want it. */
  | 'disabled'
  /** Written by a dream or by hand, and not accepted yet. */
  | 'proposed'

export interface ListedSkill extends Skill {
  status: SkillStatus
  /** Why it is not ready, as the end of a sentence. */
  reason?: string
  /** How much it was used lately. */
  uses: number
}

export interface SkillsOptions {
  home: Home
  project: { root: string }
  /** Where the person is. */
  directory: string
  env: NodeJS.ProcessEnv
  disabled: readonly string[]
  now?: () => Date
  machine?: Machine
}

/** As a model is given it. */
export interface LoadedSkill {
  skill: ListedSkill
  body: string
  /** What lies beside its SKILL.md, relative to its directory. */
  files: string[]
}

const LONGEST_FILE = 100_000
const MOST_FILES = 40
const DEEPEST = 3

/** The skills that there are for somebody who works in a project. */
export class Skills {
  /** Names that the owner has put aside. */
  disabled: readonly string[]
  #options: SkillsOptions
  #machine: Machine
  #read: ReadFiles = new Map()
  #found: ListedSkill[] | undefined
  /** As they were in the beginning: a list whose order changes while it is looked at helps nobody. */
  #uses: ReturnType<typeof readUses>

  constructor(options: SkillsOptions) {
    this.#options = options
    this.disabled = options.disabled
    this.#machine = options.machine ?? thisMachine(options.env)
    this.#uses = readUses(options.home)
  }

  /** Those that count first by use, then by name; then those that were proposed. Looks at the disk. */
  find(): { skills: ListedSkill[]; problems: SkillProblem[] } {
    const { home, project, directory } = this.#options
    const { skills, problems } = discover({ home, root: project.root, directory }, this.#read)
    const { counting, proposed, hidden } = choose(skills)
    const ranked = counting
      .map(skill => this.#listed(skill))
      .toSorted((a, b) => b.uses - a.uses || (a.name < b.name ? -1 : 1))
    this.#found = [...ranked, ...proposed.map(skill => this.#listed(skill))]
    return { skills: this.#found, problems: [...problems, ...hidden] }
  }

  /** What it says, for a model. One that is not ready is refused with the reason. */
  load(name: string): LoadedSkill {
    const skill = this.#ready(name)
    const read = readSkill(readFileSync(skill.path, 'utf8'))
    if ('problem' in read) throw new SkillRefused(`${skill.path} cannot be used: ${read.problem}.`)
    return { skill, body: read.body, files: filesBeside(dirname(skill.path)) }
  }

  /** The text of a file that lies beside its SKILL.md. */
  loadFile(name: string, file: string): string {
    const directory = realpathSync(dirname(this.#ready(name).path))
    const path = resolve(directory, file)
    const refuse = (why: string): never => {
      throw new SkillRefused(`${file} of the skill ${name} ${why}.`)
    }
    if (!isInside(directory, path)) return refuse('lies outside of its directory')
    const stats = statSync(path, { throwIfNoEntry: false })
    if (!stats?.isFile()) return refuse('is no file')
    if (!isInside(directory, realpathSync(path))) return refuse('is a link that leads out of its directory')
    if (stats.size > LONGEST_FILE) return refuse(`is larger than ${LONGEST_FILE / 1000} KB`)
    const text = readFileSync(path, 'utf8')
    return text.includes('\0') ? refuse('is no text') : text
  }

  /** Those that wait for a file such as this one, as far as was known when they were last looked for. */
  fitting(path: string): ListedSkill[] {
    const { root } = this.#options.project
    if (!isInside(root, path)) return []
    const name = relative(root, path).replaceAll(sep, '/')
    return (this.#found ?? this.find().skills).filter(
      ({ status, onlyForPeople, paths }) =>
        status === 'ready' && !onlyForPeople && paths.some(pattern => matches(pattern, name)),
    )
  }

  async used(name: string): Promise<void> {
    await recordUse(this.#options.home, name, this.#now)
  }

  #ready(name: string): ListedSkill {
    const { skills } = this.find()
    const skill = skills.find(each => each.name === name)
    if (!skill) {
      const meant = nearest(
        name,
        skills.map(each => each.name),
      )
      throw new NoSuchSkill(
        `There is no skill ${JSON.stringify(name)}.${meant ? ` Did you mean ${meant}?` : ''}`,
      )
    }
    if (skill.status !== 'ready')
      throw new SkillRefused(`The skill ${name} cannot be used: ${skill.reason ?? skill.status}.`)
    if (skill.onlyForPeople)
      throw new SkillRefused(`The skill ${name} is kept from models by its author: people read it.`)
    return skill
  }

  #listed(skill: Skill): ListedSkill {
    const uses = scoreAt(this.#uses[skill.name], this.#now)
    return { ...skill, ...this.#statusOf(skill), uses }
  }

  #statusOf(skill: Skill): Pick<ListedSkill, 'status' | 'reason'> {
    if (!skill.accepted)
      return { status: 'proposed', reason: 'it is proposed, and waits for a yes of the owner' }
    if (this.disabled.includes(skill.name))
      return { status: 'disabled', reason: 'the owner has put it aside' }
    const reason = missing(skill.requires, this.#machine)
    return reason === undefined ? { status: 'ready' } : { status: 'unavailable', reason }
  }

  get #now(): Date {
    return this.#options.now?.() ?? new Date()
  }
}

/**
 * Of those of one name the first counts. The owner's replace what is built in; a project's replace nothing, and whoever
 * wrote them is told. One that is only proposed stands in nobody's way.
 */
function choose(skills: readonly Skill[]): {
  counting: Skill[]
  proposed: Skill[]
  hidden: SkillProblem[]
} {
  const counting = new Map<string, Skill>()
  const proposed: Skill[] = []
  const hidden: SkillProblem[] = []
  for (const skill of skills) {
    const first = counting.get(skill.name)
    // What a project only proposes is a matter of those who work on it.
    if (!skill.accepted) proposed.push(...(skill.source === 'owner' ? [skill] : []))
    else if (!first) counting.set(skill.name, skill)
    else if (skill.source === 'project' && !isSameFile(first.path, skill.path))
      hidden.push({ path: skill.path, problem: `the skill ${skill.name} of ${first.path} comes before it` })
  }
  return { counting: [...counting.values()], proposed, hidden }
}

/** One directory is often linked into the places of several agents. */
function isSameFile(a: string, b: string): boolean {
  return realpathSync(a) === realpathSync(b)
}

/** Without a slash, a pattern is about the name only. */
function matches(pattern: string, path: string): boolean {
  const plain = pattern.replace(/^(?:\.?\/)+/, '')
  try {
    const options = { dot: true, noextglob: true, nonegate: true, basename: !plain.includes('/') }
    return picomatch(plain, options)(path)
  } catch {
    return false // no pattern at all
  }
}

function filesBeside(directory: string): string[] {
  const found: string[] = []
  const walk = (below: string, depth: number) => {
    for (const entry of readdirSync(join(directory, below), { withFileTypes: true })) {
      if (found.length >= MOST_FILES || entry.name.startsWith('.')) continue
      const name = below === '' ? entry.name : `${below}/${entry.name}`
      if (entry.isDirectory() && depth > 1) walk(name, depth - 1)
      else if (entry.isFile() && name !== 'SKILL.md') found.push(name)
    }
  }
  walk('', DEEPEST)
  return found.toSorted()
}
