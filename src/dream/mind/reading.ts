/** A memory as a dream compares it: its claims, and what its name adds to them. */
import type { DreamMemory } from '../dreamer.ts'
import { type Claim, claimOf } from './claim.ts'
import { compare, type Relation } from './compare.ts'
import { lexicon } from './lexicon/lexicon.ts'

/** A sentence of a body, where it stands. */
export interface Said {
  claim: Claim
  start: number
  end: number
}

export interface Reading {
  memory: DreamMemory
  said: readonly Said[]
  description: Claim
  name: Claim
  /** Every key anywhere in it. */
  keys: ReadonlySet<string>
  /** By these it is found: its keys, the sorts they are of, its text. */
  probes: readonly string[]
  /** Equal for memories that say the same to the letter. */
  exact: string
}

const FENCED = /^[ \t]*(```|~~~)[^\n]*\n[\s\S]*?(?:^[ \t]*\1[^\n]*$|$(?![\s\S]))/gm
const REASON =
  /^\s*(?:[-*] )?\*{0,2}(?:why|how to apply|reason|source|原因|为什么|如何应用|怎么用)\*{0,2}\s*[:：]/i
const SENTENCE =
  /[^\n.!?。！？；;]*(?:[.!?;](?!\s|$)[^\n.!?。！？；;]*)*(?:[.!?;](?=\s|$)|[。！？；]|(?=\n)|$)/g
const BECAUSE =
  /[,，]?\s*(?:\b(?:because|since (?:it|we|they|the|he|she)|so that|as (?:it|we|they) )|因为|由于)[\s\S]*$/i

/** The sentences of a body that state something: no headings, code or reasons. */
export function sentencesIn(body: string): Array<{ text: string; start: number; end: number }> {
  const prose = body.replaceAll(FENCED, found => found.replaceAll(/[^\n]/g, ' '))
  const sentences: Array<{ text: string; start: number; end: number }> = []
  let start = 0
  for (const line of prose.split('\n')) {
    if (!REASON.test(line) && !/^\s*#/.test(line))
      for (const { 0: found, index } of line.matchAll(SENTENCE)) {
        const text = found.replace(/^\s*(?:[-*•]|\d{1,3}[.)])\s+/, '').trim()
        if (/[\p{L}\p{N}]/u.test(text))
          sentences.push({ text, start: start + index, end: start + index + found.length })
      }
    start += line.length + 1
  }
  return sentences
}

export function readMemory(memory: DreamMemory): Reading {
  const description = claimOf(memory.description.replace(BECAUSE, ''))
  const found = sentencesIn(memory.body)
  const said = found.map(({ text, start, end }) => ({
    claim: claimOf(text.replace(BECAUSE, '')),
    start,
    end,
  }))
  const name = claimOf(memory.name)
  const keys = new Set(
    [description, name, ...said.map(({ claim }) => claim)].flatMap(({ terms }) => [...terms.keys()]),
  )
  const exact = lettersOf(memory.body === '' ? memory.description : memory.body)
  const sorts = [...keys].map(key => lexicon().sortOf(key)).filter(sort => sort !== undefined)
  const probes = [...new Set([...keys, ...sorts.map(sort => `sort:${sort}`), `text:${exact}`])]
  return {
    memory,
    said: said.filter(({ claim }) => claim.terms.size > 0),
    description,
    name,
    keys,
    probes,
    exact,
  }
}

function lettersOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[.。!！]+(?= |$)/g, '')
    .trim()
}

/** The claims by which a memory is judged: those of its body, or its description where that has none. */
function claimsOf({ said, description }: Reading): readonly Claim[] {
  return said.length > 0 ? said.map(({ claim }) => claim) : [description]
}

/** Whether everything that one memory says is said by the other too. */
export function isCovered(part: Reading, whole: Reading): boolean {
  if (namesDiffer(part, whole)) return false
  if (part.exact === whole.exact) return true
  const claims = claimsOf(whole)
  const covered = claimsOf(part).every(claim => claims.some(each => compare(claim, each) === 'same'))
  if (covered) return true
  if (part.said.length > 1 || whole.said.length > 1) return false
  // The same told twice by one line each, which the sentences only vary.
  const others = crossed(part, whole)
  return !others.includes('contradicts') && others.includes('same')
}

/** The sentence of one memory that cannot hold beside a sentence of the other. */
export function contradiction(old: Reading, young: Reading): { old?: Said; by: Claim } | undefined {
  if (namesDiffer(old, young)) return undefined
  for (const by of claimsOf(young)) {
    const found = old.said.find(({ claim }) => compare(claim, by) === 'contradicts')
    if (found) return { old: found, by }
  }
  if (old.said.length > 1 || young.said.length > 1) return undefined
  const relations = crossed(old, young)
  if (relations.includes('same') || !relations.includes('contradicts')) return undefined
  return { ...(old.said[0] && { old: old.said[0] }), by: claimsOf(young)[0] ?? young.description }
}

function crossed(a: Reading, b: Reading): Relation[] {
  const forms = (reading: Reading): Claim[] => [...claimsOf(reading), reading.description]
  return forms(a).flatMap(one => forms(b).map(other => compare(one, other)))
}

/** Parts of a whole that have a name, and of which each has its own. */
const PARTS = new Set('production staging development local frontend backend mobile'.split(' '))

/** Names that each tell of something of which the other memory has not a word: `Staging port`, `Production port`. */
function namesDiffer(a: Reading, b: Reading): boolean {
  const own = (one: Reading, other: Reading): boolean =>
    [...one.name.terms.values()].some(
      ({ key, kind }) =>
        !other.keys.has(key) && (PARTS.has(key) || kind === 'name' || kind === 'id' || kind === 'number'),
    )
  return own(a, b) && own(b, a)
}
