/** A memory as a dream compares it: its claims, and what its name adds to them. */
import type { DreamMemory } from '../dreamer.ts'
import { type Claim, claimOf, type Term } from './claim.ts'
import { compare, type Relation, sameOfOne } from './compare.ts'
import { headsOf } from './head.ts'
import { lexicon } from './lexicon/lexicon.ts'
import { substituted } from './slot.ts'
import { mayShareSubject } from './subject.ts'

/** A sentence of a body, where it stands. */
export interface Said {
  claim: Claim
  /** The heading it stands below, or the line that leads to its list. */
  below: Claim | undefined
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
  /[,，]?\s*(?:\b(?:because|due to|owing to|on account of|since (?:it|we|they|the|he|she)|so that|as (?:it|we|they) )|因为|由于)[\s\S]*$/i

/** A number that only counts notes tells nothing of what they are about: `Note 12`, `fact-003`. */
const NUMBERED =
  /^(?:facts?|notes?|memor(?:y|ies)|items?|entr(?:y|ies)|records?|info|misc|topics?|samples?|examples?|things?|preferences?|feedback|references?|用户|笔记|记忆|事实)[ _#-]*\d+$/i

/** Some write names as they would write those of files: `upload-timeout`. */
const JOINT = /(?<=\p{L})[_-](?=\p{L})/gu

/** The point of these ends no sentence; another character stands in for it while sentences are looked for. */
const ABBREVIATED =
  /\b(?:Dr|Mr|Mrs|Ms|Prof|St|vs|approx|etc|e\.g|i\.e|Inc|Ltd|Jr|Sr)\.(?=\s+\S)|\bNo\.(?=\s+\d)/g

const HEADING = /^\s*#+\s+(.*)$/
/** A line that leads to what is listed below it: `Staging:`. */
const LEAD = /^\s*(?:[-*•]\s+)?([^\s].{0,78})[:：]\*{0,2}\s*$/
const ITEM = /^\s*(?:[-*•]|\d{1,3}[.)])\s+/

interface Sentence {
  text: string
  /** The heading it stands below, or the line that leads to its list. */
  below: string
  start: number
  end: number
}

/** The sentences of a body that state something: no headings, code or reasons. */
export function sentencesIn(body: string): Sentence[] {
  const prose = body
    .replaceAll(FENCED, found => found.replaceAll(/[^\n]/g, ' '))
    .replaceAll(ABBREVIATED, found => found.replaceAll('.', '\u2024'))
  const sentences: Sentence[] = []
  let start = 0
  let [heading, lead] = ['', '']
  for (const line of prose.split('\n')) {
    if (HEADING.test(line)) [heading, lead] = [HEADING.exec(line)?.[1] ?? '', '']
    else if (lead !== '' && line.trim() !== '' && !ITEM.test(line)) lead = ''
    if (!isReason(line) && !HEADING.test(line))
      for (const { 0: found, index } of line.matchAll(SENTENCE)) {
        const unmarked = found.replace(ITEM, '')
        const text = unmarked.trim().replaceAll('\u2024', '.')
        if (!/[\p{L}\p{N}]/u.test(text)) continue
        const below = `${heading} ${lead}`.trim()
        const end = start + index + found.length
        sentences.push({ text, below, start: end - unmarked.length, end })
      }
    if (!isReason(line) && LEAD.test(line)) lead = LEAD.exec(line)?.[1] ?? ''
    start += line.length + 1
  }
  return sentences
}

/** A body without a sentence of it, and without the line that this had to itself. */
export function withoutSentence(body: string, { start, end }: Pick<Sentence, 'start' | 'end'>): string {
  const before = body.slice(0, start)
  const after = body.slice(end)
  const left = before.slice(before.lastIndexOf('\n') + 1)
  const [right = ''] = /^[^\n]*\n?/.exec(after) ?? []
  const isAlone = !/[\p{L}\p{N}]/u.test(left.replace(/^\s*\d{1,3}[.)]/, '') + right)
  const rest = isAlone
    ? before.slice(0, before.length - left.length) + after.slice(right.length)
    : before + after.replace(/^ +/, /\S$/.test(left) ? ' ' : '')
  return rest.replaceAll(/\n{3,}/g, '\n\n').trim()
}

/** A line that says why something is so, or how it is applied. */
export function isReason(line: string): boolean {
  return REASON.test(line)
}

/** A sentence without the reason that it gives. */
export function withoutReason(text: string): string {
  return text.replace(BECAUSE, '')
}

export function readMemory(memory: DreamMemory): Reading {
  const description = claimOf(withoutReason(memory.description))
  const found = sentencesIn(memory.body)
  const said = found.map(({ text, below, start, end }) => ({
    claim: claimOf(withoutReason(text)),
    below: below === '' ? undefined : claimOf(below),
    start,
    end,
  }))
  const name = claimOf(NUMBERED.test(memory.name) ? '' : memory.name.replaceAll(JOINT, ' '))
  const keys = new Set(
    [description, name, ...said.flatMap(({ claim, below }) => (below ? [claim, below] : [claim]))].flatMap(
      ({ terms }) => [...terms.keys()],
    ),
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

/** Fewer words are a heading rather than a statement. */
const WORDS_OF_STATEMENT = 2

const headsKnown = new WeakMap<Claim, readonly Claim[]>()

/** What a sentence states without what it adds; read only where it is asked, which is seldom. */
function headsOfClaim(claim: Claim): readonly Claim[] {
  let heads = headsKnown.get(claim)
  if (!heads) {
    heads = headsOf(claim.text)
      .map(claimOf)
      .filter(({ terms }) => terms.size >= WORDS_OF_STATEMENT)
    headsKnown.set(claim, heads)
  }
  return heads
}

function lettersOf(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[“”„«»]/g, '"')
    .replaceAll(/[‘’]/g, "'")
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[.。!！]+(?= |$)/g, '')
    .trim()
}

type Placed = Pick<Said, 'claim' | 'below'>

/** What a memory is judged by: the sentences of its body, or its description where that has none. */
function saidBy({ said, description }: Reading): readonly Placed[] {
  return said.length > 0 ? said : [{ claim: description, below: undefined }]
}

/** Whether two sentences state the same: as they stand, without what they add, or by what their titles tell of them. */
function statesSame(a: Reading, { claim: one }: Placed, b: Reading, { claim: other }: Placed): boolean {
  const relation = compare(one, other)
  if (relation !== 'apart' || !haveInCommon(one, other, WORDS_OF_STATEMENT)) return relation === 'same'
  const isSame = (first: Claim, second: Claim): boolean =>
    compare(first, second) === 'same' || sameOfOne(first, titleOf(a), second, titleOf(b))
  return [one, ...headsOfClaim(one)].some(first =>
    [other, ...headsOfClaim(other)].some(
      second => isSame(first, second) && !clash(added(one, first), added(other, second)),
    ),
  )
}

/** Two statements that have less in common than a statement has words need not be looked at any closer. */
function haveInCommon({ terms }: Claim, other: Claim, words: number): boolean {
  let common = 0
  for (const key of terms.keys()) if (other.terms.has(key) && ++common === words) return true
  return false
}

/** What its name and its description tell. */
function titleOf({ name, description }: Reading): (key: string) => boolean {
  return key => name.terms.has(key) || description.terms.has(key)
}

/** What a sentence tells beyond its head. */
function added({ terms }: Claim, head: Claim): Term[] {
  return [...terms.values()].filter(({ key }) => !head.terms.has(key))
}

/** Each adds a value of one kind, or another name. */
function clash(a: readonly Term[], b: readonly Term[]): boolean {
  const pair = substituted(a, b)
  const names = [a, b].every(terms => terms.some(({ kind }) => kind === 'name'))
  return names || (pair !== undefined && pair.by !== 'name')
}

/** Whether everything that one memory says is said by the other too. */
export function isCovered(part: Reading, whole: Reading): boolean {
  if (namesDiffer(part, whole)) return false
  const covered = saidBy(part).every(one =>
    saidBy(whole).some(
      other =>
        (lettersOf(one.claim.text) === lettersOf(other.claim.text) || statesSame(part, one, whole, other)) &&
        mayShareSubject(part, one, whole, other, true),
    ),
  )
  if (covered) return true
  if (part.said.length > 1 || whole.said.length > 1) return false
  // The same told twice by one line each, which the sentences only vary.
  const others = crossed(part, whole)
  return !others.includes('contradicts') && others.includes('same')
}

/** The sentence of one memory that cannot hold beside a sentence of the other. */
export function contradiction(old: Reading, young: Reading): { old?: Said; by: Claim } | undefined {
  for (const by of saidBy(young)) {
    // What the newer one adds takes nothing back; what the older one adds would be lost with it.
    const found = old.said.find(
      each =>
        takesBack(by.claim, each.claim) &&
        !namesDiffer(old, young, [each.claim, by.claim]) &&
        !isOfAnother(old, each, young) &&
        !isOfAnother(young, by, old) &&
        mayShareSubject(old, each, young, by),
    )
    if (found) return { old: found, by: by.claim }
  }
  if (old.said.length > 1 || young.said.length > 1 || namesDiffer(old, young)) return undefined
  const [one, other] = [saidBy(old)[0], saidBy(young)[0]]
  if (one && other && (isOfAnother(old, one, young) || isOfAnother(young, other, old))) return undefined
  const relations = crossed(old, young)
  if (relations.includes('same') || !relations.includes('contradicts')) return undefined
  return { ...(old.said[0] && { old: old.said[0] }), by: saidBy(young)[0]?.claim ?? young.description }
}

/** Whether a statement, or what it begins with, cannot hold beside another. */
function takesBack(by: Claim, old: Claim): boolean {
  if (compare(old, by) === 'contradicts') return true
  return haveInCommon(by, old, 1) && headsOfClaim(by).some(head => compare(old, head) === 'contradicts')
}

function crossed(a: Reading, b: Reading): Relation[] {
  const forms = (reading: Reading) => [
    ...saidBy(reading),
    ...(sumsUp(reading) ? [{ claim: reading.description, below: undefined }] : []),
  ]
  return forms(a).flatMap(one =>
    forms(b).map(other => {
      const relation = compare(one.claim, other.claim)
      if (relation === 'contradicts' && (abridges(a, one) || abridges(b, other))) return 'apart'
      return relation !== 'apart' && mayShareSubject(a, one, b, other, relation === 'same')
        ? relation
        : 'apart'
    }),
  )
}

/** A description that leaves out a word of its body, with which both may well hold: "at least", "at the start of the year". */
function abridges({ said, description }: Reading, { claim }: Placed): boolean {
  return (
    claim === description &&
    said.some(({ claim: { terms } }) => terms.keys().some(key => !claim.terms.has(key)))
  )
}

/**
 * Whether the description states what the body does. Many only say what it is about (`Port`, `Weekly meeting`), and two
 * that are about the same kind of thing seldom say the same.
 */
function sumsUp({ description, said }: Reading): boolean {
  return said.some(({ claim }) => {
    const terms = [...claim.terms.values()]
    const told = terms.filter(({ key }) => description.terms.has(key))
    const isPlain = terms.every(({ key, kind }) => kind === 'word' || description.terms.has(key))
    return isPlain && told.length >= Math.min(2, terms.length) && told.length * 2 >= terms.length
  })
}

const OF = /\b(?:of|for) /i

/** Only its name tells whose it is, and the other memory has not a word of that: `Deploy days of the shop`. */
function isOfAnother({ name }: Reading, { claim }: Placed, by: Reading): boolean {
  const from = name.text.search(OF)
  return (
    from >= 0 &&
    [...name.terms.values()].some(({ key, at }) => at > from && !names(claim, key) && !by.keys.has(key))
  )
}

/** As it stands in code, a word is not what it means but its letters. */
function names({ terms, text }: Claim, key: string): boolean {
  return (
    terms.has(key) || (terms.values().some(({ kind }) => kind === 'code') && text.toLowerCase().includes(key))
  )
}

/** Parts of a whole that have a name, and of which each has its own. */
const PARTS = new Set('production staging development local frontend backend mobile'.split(' '))

/**
 * Names that each tell of something of which the other memory has not a word: `Staging port`, `Production port`. What a
 * sentence tells itself has been compared with it: `In Oslo`, and `Moved to Turin`.
 */
function namesDiffer(a: Reading, b: Reading, [one, other]: readonly Claim[] = []): boolean {
  const own = (reading: Reading, by: Reading, claim: Claim | undefined): boolean =>
    [...reading.name.terms.values()].some(
      ({ key, kind }) =>
        !by.keys.has(key) &&
        (PARTS.has(key) || kind === 'id' || kind === 'number' || (kind === 'name' && !claim?.terms.has(key))),
    )
  return own(a, b, one) && own(b, a, other)
}
