/** Whether two claims say the same, or cannot both hold. Not sure means neither. */
import type { Claim, Term } from './claim.ts'
import { lexicon } from './lexicon/lexicon.ts'
import { excludes, HOW_OFTEN, PERSONS, substituted, WEAK } from './slot.ts'

export type Relation = 'same' | 'contradicts' | 'apart'

/** Words that two claims may each have for themselves, for one word or part of it more in common. */
const SHARED_PER_LOOSE_WORD = 4
/** So much must be the same for words that are only kindred to say the same, or less where it is a value or a name. */
const KINDRED_BESIDE = 3
/** A claim that says more may have so many words for itself, for each that is in common. */
const MORE_PER_SHARED_WORD = 0.34

export function compare(a: Claim, b: Claim): Relation {
  const relation = relationOf(a, b)
  return relation === 'same' && (a.torn !== b.torn || asksElse(a, b)) ? 'apart' : relation
}

const ASKED = /\b(?:why|how|what|who|where)\b/gi

/** To explain why is not to explain how. */
function asksElse(a: Claim, b: Claim): boolean {
  const [one, other] = [a, b].map(({ text }) => new Set(text.toLowerCase().match(ASKED))) as [
    Set<string>,
    Set<string>,
  ]
  return one.size > 0 && other.size > 0 && one.isDisjointFrom(other)
}

function relationOf(a: Claim, b: Claim): Relation {
  if (traitsOf(a).ids !== traitsOf(b).ids) return 'apart'
  const shared: Term[] = []
  const flipped: Term[] = []
  for (const [key, term] of a.terms) {
    const other = b.terms.get(key)
    if (other) (other.denied === term.denied ? shared : flipped).push(term)
  }
  const changed = a.changes || b.changes
  const [allA, allB] = [loose(a, b), loose(b, a)]
  const [looseA, looseB] = telling(allA, allB, shared)
  // Where both deny the same, what else stands in the clause is only what it is denied of.
  if (flipped.length > 0 && shared.some(({ denied }) => denied)) shared.push(...flipped.splice(0))
  if (flipped.length > 0) {
    const isA = flipped[0]?.denied
    const [by, own, rest] = isA ? [a, looseA, looseB] : [b, looseB, looseA]
    if (
      isGivenUp(
        flipped.map(({ key }) => by.terms.get(key)),
        shared,
        by,
        own,
        rest,
      )
    )
      return 'contradicts'
    // Something was given up, and not only asked to be let be.
    const isNow = changed && flipped.some(({ key }) => a.terms.get(key)?.givenUp || b.terms.get(key)?.givenUp)
    return flippedRelation(shared, flipped, looseA, looseB, { changed, isNow })
  }
  if (shared.length === 0) return sortsOnly(a, b, looseA, looseB)
  if (looseA.length === 0 && looseB.length === 0) return 'same'
  // Kindred words may well tell of another thing with a value of its own, unless something is told to have changed.
  const [valuesA, valuesB] = changed ? [looseA, looseB] : [allA, allB]
  const pair = substituted(valuesA, valuesB)
  if (pair && excludes(pair, shared, a, b, valuesA, valuesB)) return 'contradicts'
  if (pair && (pair.by !== 'name' || substituted(looseA, looseB))) return 'apart'
  return saysSame(shared, looseA, looseB) ? 'same' : 'apart'
}

/** So much must be in common for titles to tell the rest. */
const SHARED_BESIDE_TITLES = 2

/**
 * Whether two claims say the same where what only one of them says stands in the name or the description of the other:
 * "Clients may send 100 requests per minute" below `Rate limit`, and "The rate limit is 100 requests per minute".
 */
export function sameOfOne(
  a: Claim,
  titleOfA: (key: string) => boolean,
  b: Claim,
  titleOfB: (key: string) => boolean,
): boolean {
  if (a.torn !== b.torn || asksElse(a, b) || a.adds || b.adds || traitsOf(a).ids !== traitsOf(b).ids)
    return false
  const shared: Term[] = []
  for (const [key, term] of a.terms) {
    const other = b.terms.get(key)
    if (other && other.denied !== term.denied) return false
    if (other) shared.push(term)
  }
  if (shared.length < SHARED_BESIDE_TITLES) return false
  const [allA, allB] = [loose(a, b), loose(b, a)]
  const pair = substituted(allA, allB)
  if (pair && pair.by !== 'name') return false
  const [looseA, looseB] = telling(allA, allB, shared)
  // What a sentence begins with is what it is about, whatever the title of the other speaks of besides.
  const begins = (terms: readonly Term[], { terms: all }: Claim): boolean =>
    terms.some(({ key }) => key === [...all.keys()][0])
  if (looseA.length > 0 && looseB.length > 0 && (begins(looseA, a) || begins(looseB, b))) return false
  const untitled = (terms: readonly Term[], title: (key: string) => boolean): Term[] =>
    terms.filter(({ key, kind, denied }) => denied || (kind !== 'word' && kind !== 'name') || !title(key))
  const [restA, restB] = [untitled(looseA, titleOfB), untitled(looseB, titleOfA)]
  return (restA.length === 0 || restB.length === 0) && saysSame(shared, restA, restB)
}

/** What is asked of a claim each time that it is compared, which is with hundreds of others. */
interface Traits {
  ids: string
  /** What the things that it speaks of are. */
  sorts: ReadonlySet<string>
  /** The same of those that it does not deny. */
  affirmed: ReadonlySet<string>
}

const known = new WeakMap<Claim, Traits>()

function traitsOf(claim: Claim): Traits {
  let traits = known.get(claim)
  if (!traits) {
    const { sortOf } = lexicon()
    const terms = [...claim.terms.values()]
    const sorts = (of: readonly Term[]) =>
      new Set(of.map(({ key }) => sortOf(key)).filter(sort => sort !== undefined))
    traits = {
      ids: terms
        .flatMap(({ kind, key }) => (kind === 'id' ? [key] : []))
        .sort()
        .join(),
      sorts: sorts(terms),
      affirmed: sorts(terms.filter(({ denied }) => !denied)),
    }
    known.set(claim, traits)
  }
  return traits
}

/** What only one of them says; a thing denied for another of its sort says nothing more. */
function loose(claim: Claim, other: Claim): Term[] {
  const { sortOf } = lexicon()
  const [own, others] = [traitsOf(claim), traitsOf(other)]
  const rest: Term[] = []
  for (const term of claim.terms.values()) {
    if (other.terms.has(term.key)) continue
    // `package manager` beside `pnpm` is told by pnpm already.
    if (own.sorts.has(term.key) || others.sorts.has(term.key)) continue
    const sort = term.denied ? sortOf(term.key) : undefined
    if (sort === undefined || !own.affirmed.has(sort)) rest.push(term)
  }
  return rest
}

/** Beside an address that both give, these only say that it is one to be written to or looked at. */
const POINTING = new Set(
  'email contact send question message post address link page site website show receive write reach check find visit look open'.split(
    ' ',
  ),
)
const ADDRESSES: ReadonlyArray<Term['kind']> = ['url', 'email', 'handle']

/** Without what says nothing of its own beside all that is shared, and what the two only say in kindred words. */
function telling(a: readonly Term[], b: readonly Term[], shared: readonly Term[]): [Term[], Term[]] {
  const anchored = shared.length >= 2
  const [restA, restB] = [[...a], [...b]]
  if (shared.length >= KINDRED_BESIDE || (anchored && shared.some(({ kind }) => kind !== 'word')))
    takeKindred(restA, restB)
  if (anchored && shared.some(({ kind }) => ADDRESSES.includes(kind))) {
    const isPlain = ({ key, denied, kind }: Term): boolean => denied || kind !== 'word' || !POINTING.has(key)
    return [restA.filter(isPlain), restB.filter(isPlain)]
  }
  const isWeak = ({ key, denied, kind }: Term): boolean =>
    anchored && !denied && kind === 'word' && WEAK.has(key)
  if (shared.some(({ kind }) => kind === 'time')) dropBeginning(restA, restB)
  // To store is not to hold, where both stand in the same place.
  if (restA.some(isWeak) && restB.some(isWeak)) return [restA, restB]
  return [restA.filter(term => !isWeak(term)), restB.filter(term => !isWeak(term))]
}

const ENDS = new Set(['complete', 'close', 'expire'])

/** What is at nine starts at nine, unless the other one ends then. */
function dropBeginning(a: Term[], b: Term[]): void {
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const) {
    const at = one.findIndex(({ key, denied }) => key === 'begin' && !denied)
    if (at >= 0 && !other.some(({ key }) => ENDS.has(key))) one.splice(at, 1)
  }
}

function takeKindred(a: Term[], b: Term[]): void {
  const { kinOf } = lexicon()
  for (const one of [...a]) {
    const kin = kinOf(one.key)
    const other = b.find(
      ({ key, denied }) => denied === one.denied && kin.some(each => kinOf(key).includes(each)),
    )
    if (!other) continue
    a.splice(a.indexOf(one), 1)
    b.splice(b.indexOf(other), 1)
  }
}

/** One tells that it is no longer so: of all that the other says, or of the name or value that it gives. */
function isGivenUp(
  flipped: ReadonlyArray<Term | undefined>,
  shared: readonly Term[],
  by: Claim,
  own: readonly Term[],
  rest: readonly Term[],
): boolean {
  if (!by.changes) return false
  const values = rest.filter(({ kind }) => kind !== 'word')
  if (shared.length === 0 && flipped.length >= 2 && by.ends)
    // "Has stopped drinking coffee" ends two cups a day as well; what else it says is what came instead.
    return own.length === 0 || rest.length === 0
  if (shared.length === 0 || values.length > 0) return false
  // What went from the web went from nowhere else: the other must not tell of a place of its own.
  const isOfAll = rest.length === 0 || (rest.length === 1 && own.length <= 1)
  return isOfAll && flipped.every(term => term?.givenUp)
}

function flippedRelation(
  shared: readonly Term[],
  flipped: readonly Term[],
  a: readonly Term[],
  b: readonly Term[],
  { changed, isNow }: { changed: boolean; isNow: boolean },
): Relation {
  const { sortOf } = lexicon()
  const sorted = flipped.map(({ key }) => sortOf(key)).filter(sort => sort !== undefined)
  const isAside = ({ kind, qualifies }: Term): boolean => kind === 'word' && !qualifies
  const rest = [...a, ...b].filter(({ key }) => !sorted.includes(sortOf(key) ?? ''))
  // "pnpm, not npm" and "npm": what is affirmed by one is denied by the other.
  if (
    sorted.length > 0 &&
    (rest.length === 0 ||
      (rest.length === 1 &&
        rest.every(term => (shared.length >= 2 && isAside(term)) || term.kind === 'number')))
  )
    return 'contradicts'
  // Both clauses deny, or one of them: everything else must be the same for a plain contradiction.
  if (shared.length === 0 && rest.length === 0 && flipped.length >= 1) return 'contradicts'
  if (flipped.length >= 2 && shared.length <= flipped.length && rest.length === 0) return 'contradicts'
  // One that gave up a value which the other has: "moved from Berlin to Munich" and "lives in Berlin".
  const gone =
    flipped.length === 1 &&
    thingsIn(a) <= 1 &&
    thingsIn(b) <= 1 &&
    ((changed && (isNow || thingsIn(a) + thingsIn(b) <= 1)) ||
      (shared.length > 0 && thingsIn(a) + thingsIn(b) === 1))
  return gone ? 'contradicts' : 'apart'
}

/** A name may be of two words. */
function thingsIn(terms: readonly Term[]): number {
  return terms.length === 2 && terms.every(({ kind, denied }) => kind === 'name' && !denied)
    ? 1
    : terms.length
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

/** A doing that takes away what it is about: said by one only, the two are no longer the same. */
const TAKES_AWAY = new Set(
  'delete hide ignore skip reject deni block reduc minim deprecat replac discourag lack miss lose fail cancel complete stop break except unless without'.split(
    ' ',
  ),
)

/** Of these there are several, each with what holds for it: the admin session, the staging key, the north gate. */
const SIDES = new Set(
  'production staging development local frontend backend mobile desktop web admin private public primary replica guest customer partner vendor premium pro enterpris basic free paid test legacy old new left right north south east west upper lower front rear inner outer red white green blue black yellow small big weekend night'.split(
    ' ',
  ),
)

function saysSame(shared: readonly Term[], a: readonly Term[], b: readonly Term[]): boolean {
  const [less, more] = a.length <= b.length ? [a, b] : [b, a]
  // Who answers for something says more than that they have to do with it.
  const isOneOfMany = shared.length >= KINDRED_BESIDE && a.length + b.length === 1
  if (
    [...a, ...b].some(
      ({ denied, key }) =>
        (denied && !isOneOfMany) ||
        PERSONS.has(key) ||
        HOW_OFTEN.has(key) ||
        TAKES_AWAY.has(key) ||
        SIDES.has(key),
    )
  )
    return false
  if (less.length === 0) {
    // It says more; that may also be where it holds, and then it says less.
    if (more.some(({ qualifies, kind }) => qualifies || kind !== 'word')) return false
    // What is to be done is said first: "Squash feature branches" is more than that there are such branches.
    if (shared.length <= 2 && more.some(({ at }) => at === 0)) return false
    return more.length <= Math.max(shared.length >= 2 ? 1 : 0, shared.length * MORE_PER_SHARED_WORD)
  }
  if ([...a, ...b].some(({ kind }) => kind !== 'word')) return false
  return more.length * SHARED_PER_LOOSE_WORD <= shared.length
}
