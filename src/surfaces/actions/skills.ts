/** What can be done with skills from the command line and, in the same words, in a conversation. */
import { readFileSync } from 'node:fs'
import type { Home } from '../../config/index.ts'
import {
  disableSkill,
  enableSkill,
  type ListedSkill,
  NoSuchSkill,
  type SkillProblem,
  type Skills,
} from '../../skills/index.ts'
import { printable } from '../text/printable.ts'
import { table } from '../text/table.ts'

/** An answer for a program and for a person. */
interface Answer {
  value: unknown
  text: string
  /** What should be known besides. */
  notes?: readonly string[]
}

const FROM = { 'built-in': 'Reverie', owner: 'you', project: 'this project' } as const

export function listSkills(skills: Skills, columns?: number): Answer {
  const found = skills.find()
  const rows = found.skills.map(skill => [
    printable(skill.name),
    FROM[skill.source],
    statusOf(skill),
    printable(skill.description),
  ])
  return {
    value: found.skills.map(plain),
    text: table([['NAME', 'FROM', '', 'WHAT FOR'], ...rows], columns),
    notes: found.problems.map(problemText),
  }
}

/** Its file as it is, whatever its state: this is how the owner decides about one that was proposed. */
export function showSkill(skills: Skills, name: string): Answer {
  const skill = findSkill(skills, name)
  const text = readFileSync(skill.path, 'utf8')
  return {
    value: { ...plain(skill), text },
    text: `${printable(skill.path)}${skill.status === 'ready' ? '' : ` · ${statusOf(skill)}`}\n\n${printable(text)}`,
  }
}

export async function enable(home: Home, skills: Skills, name: string): Promise<Answer> {
  const skill = findSkill(skills, name)
  skills.disabled = await enableSkill(home, skill, skills.disabled)
  const after = findSkill(skills, name)
  const text = after.status === 'ready' ? `${name} can be used.` : `${name} is enabled. ${statusOf(after)}.`
  return { value: plain(after), text }
}

export async function disable(home: Home, skills: Skills, name: string): Promise<Answer> {
  findSkill(skills, name)
  skills.disabled = await disableSkill(home, name, skills.disabled)
  return {
    value: plain(findSkill(skills, name)),
    text: `${name} is put aside: no model is told of it. reverie skills enable ${name} takes it back.`,
  }
}

/** Of two of a name, the one that waits for an answer: the other one needs none. */
function findSkill(skills: Skills, name: string): ListedSkill {
  const named = skills.find().skills.filter(skill => skill.name === name)
  const skill = named.find(({ status }) => status === 'proposed') ?? named[0]
  if (skill) return skill
  throw new NoSuchSkill(`There is no skill ${JSON.stringify(name)}. \`reverie skills list\` lists them.`)
}

function statusOf({ name, status, reason, paths, onlyForPeople }: ListedSkill): string {
  if (status === 'proposed') return `proposed, not enabled: reverie skills enable ${name}`
  if (status === 'disabled') return 'put aside'
  if (status === 'unavailable') return printable(reason ?? 'not available')
  if (onlyForPeople) return 'kept from models'
  return paths.length > 0 ? `for ${printable(paths.join(', '))}` : ''
}

function plain({ name, description, source, status, reason, path, always, paths, uses }: ListedSkill) {
  return {
    name,
    description,
    source,
    status,
    reason: reason ?? null,
    path,
    always,
    paths,
    uses: Math.round(uses * 100) / 100,
  }
}

function problemText({ path, problem }: SkillProblem): string {
  return printable(`${path}: ${problem}.`)
}
