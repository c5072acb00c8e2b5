/** A skill that a dream proposes: a name, a description and steps, and nothing else that a head could switch on. */
import { isSkillName, readSkill } from '../../skills/index.ts'
import { ReverieError } from '../../store/index.ts'
import type { KnownSkill } from '../dreamer.ts'
import { skillNameOf } from '../own-files.ts'

/** A workflow counts as one when it was seen in so many sessions (3-dream.md). */
export const LEAST_SESSIONS = 2
/** Words of a description that two skills may share before one covers the other, as a part of the shorter. */
const SHARED = 0.7
const LEAST_WORDS = 3

/** Throws what is wrong with it. Until the owner accepts it, it is not used. */
export function proposedSkill(
  file: string,
  text: string,
  { known, isAccepted }: { known: readonly KnownSkill[]; isAccepted: boolean },
): string {
  const name = skillNameOf(file)
  if (name === undefined || !isSkillName(name)) throw new ReverieError(`${file} is no place for a skill.`)
  const read = readSkill(text)
  if ('problem' in read) throw new ReverieError(`${file} would be no skill: ${read.problem}.`)
  const { description } = read.head
  const same = known.find(each => each.name === name || covers(each.description, description))
  if (same) throw new ReverieError(`The skill ${same.name} is about that already: ${same.description}`)
  const head = [`name: ${name}`, `description: ${JSON.stringify(description)}`]
  return `---\n${[...head, ...(isAccepted ? [] : ['enabled: false'])].join('\n')}\n---\n\n${read.body.trim()}\n`
}

function covers(one: string, other: string): boolean {
  const [a, b] = [wordsOf(one), wordsOf(other)]
  const least = Math.min(a.size, b.size)
  return least >= LEAST_WORDS && [...a].filter(word => b.has(word)).length >= least * SHARED
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]{4,}|\p{Script=Han}{2}/gu) ?? [])
}
