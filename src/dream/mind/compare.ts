/** Whether two claims say the same, or cannot both hold. Not sure means neither. */
import type { Claim, Term } from './claim.ts'
import { lexicon } from './lexicon/lexicon.ts'

export type Relation = 'same' | 'contradicts' | 'apart'

/** Of these something has one at a time, whoever or whatever it is. */
const ONE_AT_A_TIME = new Set(
  'lead manager responsible contact oncall wife name codename employer job locate home office deadline approve timezone birthday default main standup language vendor domain address port version theme font color codeowner cto ceo reside region'.split(
    ' ',
  ),
)
/** Of these one has many: a second one takes nothing back. */
const MANY_AT_A_TIME = new Set(
  'speak know learn visit read play eat drink like has own-many allergic child daughter son brother sister friend colleague partner customer work-on contribut attend interest hobbi cat dog pet travel book music sport 会说 去过 喜欢吃'.split(
    ' ',
  ),
)
const VALUES = new Set<Term['kind']>([
  'number',
  'time',
  'date',
  'weekday',
  'month',
  'money',
  'percent',
  'url',
  'email',
  'handle',
  'code',
])

/** Words that two claims may each have for themselves, for one word or part of it more in common. */
const SHARED_PER_LOOSE_WORD = 4
/** A claim that says more may have so many words for itself, for each that is in common. */
const MORE_PER_SHARED_WORD = 0.34

export function compare(a: Claim, b: Claim): Relation {
  if (!sameIds(a, b)) return 'apart'
  const shared: Term[] = []
  const flipped: Term[] = []
  for (const [key, term] of a.terms) {
    const other = b.terms.get(key)
    if (other) (other.denied === term.denied ? shared : flipped).push(term)
  }
  const [looseA, looseB] = [loose(a, b), loose(b, a)]
  if (flipped.length > 0) return flippedRelation(shared, flipped, looseA, looseB)
  if (shared.length === 0) return sortsOnly(a, b, looseA, looseB)
  if (looseA.length === 0 && looseB.length === 0) return 'same'
  const pair = substituted(looseA, looseB)
  if (pair) return excludes(pair, shared, a, b, looseA, looseB) ? 'contradicts' : 'apart'
  return saysSame(shared, looseA, looseB) ? 'same' : 'apart'
}

function sameIds(a: Claim, b: Claim): boolean {
  const ids = ({ terms }: Claim): string =>
    [...terms.values()]
      .flatMap(({ kind, key }) => (kind === 'id' ? [key] : []))
      .sort()
      .join()
  return ids(a) === ids(b)
}

/** What only one of them says; a thing denied for another of its sort says nothing more. */
function loose(claim: Claim, other: Claim): Term[] {
  const { sortOf } = lexicon()
  const affirmed = new Set(
    [...claim.terms.values()].flatMap(({ key, denied }) => (denied ? [] : [sortOf(key)])),
  )
  const sorts = new Set([...claim.terms.keys(), ...other.terms.keys()].map(sortOf))
  return [...claim.terms.values()].filter(term => {
    if (other.terms.has(term.key)) return false
    // `package manager` beside `pnpm` is told by pnpm already.
    if (sorts.has(term.key)) return false
    const sort = sortOf(term.key)
    return !(term.denied && sort !== undefined && affirmed.has(sort))
  })
}

function flippedRelation(
  shared: readonly Term[],
  flipped: readonly Term[],
  a: readonly Term[],
  b: readonly Term[],
): Relation {
  const { sortOf } = lexicon()
  const sorted = flipped.map(({ key }) => sortOf(key)).filter(sort => sort !== undefined)
  const rest = [...a, ...b].filter(({ key }) => !sorted.includes(sortOf(key) ?? ''))
  // "pnpm, not npm" and "npm": what is affirmed by one is denied by the other.
  if (sorted.length > 0 && rest.length === 0) return 'contradicts'
  // Both clauses deny, or one of them: everything else must be the same for a plain contradiction.
  if (shared.length === 0 && rest.length === 0 && flipped.length >= 1) return 'contradicts'
  if (flipped.length >= 2 && shared.length <= flipped.length && rest.length === 0) return 'contradicts'
  // One that gave up a value which the other has: "moved from Berlin to Munich" and "lives in Berlin".
  const gone =
    flipped.length === 1 && shared.length > 0 && a.length <= 1 && b.length <= 1 && a.length + b.length === 1
  return gone ? 'contradicts' : 'apart'
}

/** "Uses npm" and "uses pnpm" have no word in common, but what the two are. */
function sortsOnly(a: Claim, b: Claim, looseA: readonly Term[], looseB: readonly Term[]): Relation {
  const { sortOf } = lexicon()
  const [one, other] = [looseA[0], looseB[0]]
  if (looseA.length !== 1 || looseB.length !== 1 || !one || !other) return 'apart'
  if (one.denied || other.denied || a.adds || b.adds) return 'apart'
  const sort = sortOf(one.key)
  return sort !== undefined && sort === sortOf(other.key) ? 'contradicts' : 'apart'
}

interface Pair {
  a: Term
  b: Term
  by: 'value' | 'sort' | 'name'
}

/** The one thing in whose place the other says something else. */
function substituted(looseA: readonly Term[], looseB: readonly Term[]): Pair | undefined {
  const { sortOf } = lexicon()
  for (const a of looseA)
    for (const b of looseB) {
      if (VALUES.has(a.kind) && valueKind(a) === valueKind(b)) return { a, b, by: 'value' }
      const sort = sortOf(a.key)
      if (sort !== undefined && sort === sortOf(b.key)) return { a, b, by: 'sort' }
    }
  const [a, b] = [looseA[0], looseB[0]]
  const plain = (term: Term | undefined): boolean => term?.kind === 'name' || term?.kind === 'word'
  return a && b && plain(a) && plain(b) ? { a, b, by: 'name' } : undefined
}

function valueKind({ kind }: Term): string {
  return kind === 'month' ? 'date' : kind
}

function excludes(
  { a, b, by }: Pair,
  shared: readonly Term[],
  first: Claim,
  second: Claim,
  looseA: readonly Term[],
  looseB: readonly Term[],
): boolean {
  if (first.adds || second.adds || a.denied !== b.denied) return false
  // Where or when each holds differs: both may hold.
  if (by !== 'value' && (a.qualifies || b.qualifies) && !single(shared)) return false
  if (shared.some(({ key }) => MANY_AT_A_TIME.has(key))) return false
  const changed = first.changes || second.changes
  const [restA, restB] = [looseA.filter(term => term !== a), looseB.filter(term => term !== b)]
  if (by === 'name') {
    if (a.kind === 'word' && b.kind === 'word' && !oneName(looseA) && !oneName(looseB)) return false
    if (looseA.length > 2 || looseB.length > 2 || !sameMake(looseA, looseB)) return false
    return single(shared) && shared.length >= (changed ? 1 : 2) - (single(shared) ? 1 : 0)
  }
  if (a.kind === 'date' && first.past && second.past) return false
  // A second number that differs, or a name, tells that it is about something else.
  const telling = (term: Term): boolean => term.kind !== 'word'
  if (restA.some(telling) || restB.some(telling)) return restA.length === 0 && restB.length === 0
  if (restA.length > 0 && restB.length > 0) return false
  const allowed = changed ? 1 + Math.floor(shared.length / 2) : Math.floor(shared.length / 3)
  return restA.length + restB.length <= allowed
}

function single(shared: readonly Term[]): boolean {
  return shared.some(({ key }) => ONE_AT_A_TIME.has(key))
}

function oneName(terms: readonly Term[]): boolean {
  return terms.every(({ key }) => lexicon().concept(key).key === key)
}

/** Names are put in the place of names; unknown words may be the names of a language without capitals. */
function sameMake(a: readonly Term[], b: readonly Term[]): boolean {
  return (
    [...a, ...b].every(({ kind, qualifies }) => (kind === 'name' || kind === 'word') && !qualifies) ||
    [...a, ...b].every(({ kind }) => kind === 'name')
  )
}

function saysSame(shared: readonly Term[], a: readonly Term[], b: readonly Term[]): boolean {
  const [less, more] = a.length <= b.length ? [a, b] : [b, a]
  if ([...a, ...b].some(({ denied }) => denied)) return false
  if (less.length === 0) {
    // It says more; that may also be where it holds, and then it says less.
    if (more.some(({ qualifies, kind }) => qualifies || kind !== 'word')) return false
    return more.length <= Math.max(shared.length >= 2 ? 1 : 0, shared.length * MORE_PER_SHARED_WORD)
  }
  if ([...a, ...b].some(({ kind }) => kind !== 'word')) return false
  return more.length * SHARED_PER_LOOSE_WORD <= shared.length
}
