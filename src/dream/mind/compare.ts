/** Whether two claims say the same, or cannot both hold. Not sure means neither. */
import type { Claim, Term } from './claim.ts'
import { lexicon } from './lexicon/lexicon.ts'

export type Relation = 'same' | 'contradicts' | 'apart'

/** Of these something has one at a time, whoever or whatever it is. */
const ONE_AT_A_TIME = new Set(
  'lead manager responsible contact oncall wife husband spouse name codename employer job locate home office deadline approve timezone birthday default main standup language vendor domain address port version theme font color codeowner cto ceo reside region'.split(
    ' ',
  ),
)
/** Of these one has many: a second one takes nothing back. */
const MANY_AT_A_TIME = new Set(
  'speak know learn visit read play eat drink like has own-many allergic child daughter son brother sister friend work-on contribut attend interest hobbi hobby cat dog pet travel book music sport 会说 去过 喜欢吃'.split(
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

/** They go with their number. */
const UNITS = new Set(
  'millisecond second minute hour day week month year kilobyte megabyte gigabyte terabyte'.split(' '),
)

/** Said or left out, a claim is the same, once enough of it is shared: where something is, that it is there, shown or given. */
const WEAK = new Set(
  'locate show receive provide remain stay arrange schedule apply hold fit need want choose manage-to consist compris includ contain becom possess provid organis organiz set enough suffic welcom look appear exist belong'.split(
    ' ',
  ),
)

/** Words that two claims may each have for themselves, for one word or part of it more in common. */
const SHARED_PER_LOOSE_WORD = 4
/** So much must be the same for words that are only kindred to say the same, or less where it is a value or a name. */
const KINDRED_BESIDE = 3
/** A claim that says more may have so many words for itself, for each that is in common. */
const MORE_PER_SHARED_WORD = 0.34

export function compare(a: Claim, b: Claim): Relation {
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
    return flippedRelation(shared, flipped, looseA, looseB, changed)
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

/** Without what says nothing of its own beside all that is shared, and what the two only say in kindred words. */
function telling(a: readonly Term[], b: readonly Term[], shared: readonly Term[]): [Term[], Term[]] {
  const anchored = shared.length >= 2
  const isWeak = ({ key, denied, kind }: Term): boolean =>
    anchored && !denied && kind === 'word' && WEAK.has(key)
  // To store is not to hold, where both stand in the same place.
  const isOneSided = !(a.some(isWeak) && b.some(isWeak))
  const [restA, restB] = [a, b].map(terms => terms.filter(term => !(isOneSided && isWeak(term)))) as [
    Term[],
    Term[],
  ]
  const isCertain =
    shared.length >= KINDRED_BESIDE || (anchored && shared.some(({ kind }) => kind !== 'word'))
  if (!isCertain) return [restA, restB]
  const { kinOf } = lexicon()
  for (const one of [...restA]) {
    const kin = kinOf(one.key)
    const other = restB.find(
      ({ key, denied }) => denied === one.denied && kin.some(each => kinOf(key).includes(each)),
    )
    if (!other) continue
    restA.splice(restA.indexOf(one), 1)
    restB.splice(restB.indexOf(other), 1)
  }
  return [restA, restB]
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
  changed: boolean,
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
    a.length <= 1 &&
    b.length <= 1 &&
    ((changed && isChange(flipped, a, b)) || (shared.length > 0 && a.length + b.length === 1))
  return gone ? 'contradicts' : 'apart'
}

/** Something was given up, and not only asked to be let be. */
function isChange(flipped: readonly Term[], a: readonly Term[], b: readonly Term[]): boolean {
  return a.length + b.length <= 1 || flipped.some(({ givenUp, kind }) => givenUp || kind !== 'word')
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

/** How often tells as much as how many: every Tuesday is not every other one. */
const HOW_OFTEN = new Set(
  'daily-basis weekly monthly quarterly nightly yearly hourly biweekly alternate rarely sometimes often'.split(
    ' ',
  ),
)

/** The weekly report is another thing than the monthly one; a report that is sent weekly may be sent monthly instead. */
const NAMED_BY_HOW_OFTEN =
  /\b(?:the|an?|our|my|your|their|his|her) (?:daily|weekly|monthly|quarterly|yearly|annual|nightly|hourly|biweekly|fortnightly) /i

function excludes(
  { a, b, by }: Pair,
  shared: readonly Term[],
  first: Claim,
  second: Claim,
  looseA: readonly Term[],
  looseB: readonly Term[],
): boolean {
  if (first.adds || second.adds || a.denied !== b.denied) return false
  const changed = first.changes || second.changes
  if (!(changed && by === 'value') && shared.some(({ key }) => MANY_AT_A_TIME.has(key))) return false
  if (HOW_OFTEN.has(a.key) && [first, second].every(({ text }) => NAMED_BY_HOW_OFTEN.test(text))) return false
  const [restA, restB] = [
    looseA.filter(term => term !== a && !UNITS.has(term.key)),
    looseB.filter(term => term !== b && !UNITS.has(term.key)),
  ]
  if (by === 'name')
    return (
      oneName(looseA) &&
      oneName(looseB) &&
      (namesExclude(a, b, shared, second) ||
        isTheOne(a, first, b, second, shared) ||
        hasMoved(a, first, b, second, shared))
    )
  if (a.kind === 'date' && first.past && second.past) return false
  if (by === 'value' && shared.length > 1 && samePlaces(looseA, looseB)) return true
  // A second number that differs, or a name, tells that it is about something else.
  const telling = (term: Term): boolean => term.kind !== 'word'
  if (restA.some(telling) || restB.some(telling)) return restA.length === 0 && restB.length === 0
  if (restA.length > 0 && restB.length > 0) return false
  const allowed = changed ? 1 + Math.floor(shared.length / 2) : Math.floor(shared.length / 3)
  return restA.length + restB.length <= allowed
}

/** Hours from and to, an amount and its share: every value of the one has one of its kind in the other. */
function samePlaces(a: readonly Term[], b: readonly Term[]): boolean {
  const kinds = (terms: readonly Term[]): string => terms.map(valueKind).sort().join()
  return [...a, ...b].every(({ kind }) => VALUES.has(kind)) && kinds(a) === kinds(b)
}

/** "The head brewer is Tomasz", "Lucia is the head brewer": there is one of those, whatever it is. */
function isTheOne(a: Term, first: Claim, b: Term, second: Claim, shared: readonly Term[]): boolean {
  const names = (claim: Claim, { at }: Term): boolean => {
    const name = /^\p{Lu}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*)?/u.exec(claim.text.slice(at))?.[0]
    if (name === undefined) return false
    const [before, after] = [claim.text.slice(0, at), claim.text.slice(at + name.length)]
    return (
      (/^(?:the|our|my|their|his|her)? ?[^,;]*\bis (?:now )?(?:(?:Dr|Mr|Mrs|Ms|Prof)\. )?$/i.test(before) &&
        /^(?: now)?\W*$/.test(after)) ||
      (/^(?:(?:Dr|Mr|Mrs|Ms|Prof)\. )?$/.test(before) &&
        /^ is (?:now )?(?:the|our|my) (?!only|one|first|second|third)/i.test(after))
    )
  }
  return (
    shared.length > 0 && shared.every(({ kind }) => kind === 'word') && names(first, a) && names(second, b)
  )
}

const MOVED = /\b(?:moved|relocated|transferred)\b|搬|迁|改在|改到/i
const AT_PLACE = /(?:\b(?:in|at|on) (?:the )?|在|位于)$/i
const TO_PLACE = /(?:\b(?:in|at|on|to) (?:the )?|在|到|到了|至|往)$/i

/** Where it is now, and where it was: "the server is in Oslo", "the server moved to Turin". */
function hasMoved(a: Term, first: Claim, b: Term, second: Claim, shared: readonly Term[]): boolean {
  if (shared.length === 0) return false
  const stands = (claim: Claim, { at }: Term, place: RegExp): boolean => place.test(claim.text.slice(0, at))
  return (
    (MOVED.test(second.text) && stands(second, b, TO_PLACE) && stands(first, a, AT_PLACE)) ||
    (MOVED.test(first.text) && stands(first, a, TO_PLACE) && stands(second, b, AT_PLACE))
  )
}

/** One word, or the two of a name. */
function oneName(terms: readonly Term[]): boolean {
  return terms.length === 1 || (terms.length === 2 && terms.every(({ kind }) => kind === 'name'))
}

/** Of these the one is a person and the other what they have to do with. */
const PERSONS = new Set('lead manager responsible contact oncall approve'.split(' '))
const CHINESE_PERSON =
  /^(?:[小老阿]\p{sc=Han}|[王李张刘陈杨黄赵周吴徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严武戴莫孔向汤]\p{sc=Han}{1,2})$/u

/** Two names in the place of one, where there can be one only. */
function namesExclude(a: Term, b: Term, shared: readonly Term[], other: Claim): boolean {
  const relations = shared.filter(({ key }) => ONE_AT_A_TIME.has(key))
  if (relations.length === 0) return false
  const known = ({ key }: Term): boolean => lexicon().concept(key).key !== key
  if (!relations.some(({ key }) => PERSONS.has(key))) {
    // Where something is stands behind the word for it; what stands before is what it is about.
    const behind = relations.some(({ key, at }) => a.at > at && b.at > (other.terms.get(key)?.at ?? 0))
    return behind && !known(a) && !known(b)
  }
  // Alice may look after many things: it must be the person who is another.
  const isPerson = ({ key, capital }: Term): boolean => capital || CHINESE_PERSON.test(key)
  const thing = shared.some(
    ({ key, kind }) => !ONE_AT_A_TIME.has(key) && kind === 'word' && !CHINESE_PERSON.test(key),
  )
  return thing && isPerson(a) && isPerson(b)
}

function saysSame(shared: readonly Term[], a: readonly Term[], b: readonly Term[]): boolean {
  const [less, more] = a.length <= b.length ? [a, b] : [b, a]
  // Who answers for something says more than that they have to do with it.
  const isOneOfMany = shared.length >= KINDRED_BESIDE && a.length + b.length === 1
  if (
    [...a, ...b].some(({ denied, key }) => (denied && !isOneOfMany) || PERSONS.has(key) || HOW_OFTEN.has(key))
  )
    return false
  if (less.length === 0) {
    // It says more; that may also be where it holds, and then it says less.
    if (more.some(({ qualifies, kind }) => qualifies || kind !== 'word')) return false
    return more.length <= Math.max(shared.length >= 2 ? 1 : 0, shared.length * MORE_PER_SHARED_WORD)
  }
  if ([...a, ...b].some(({ kind }) => kind !== 'word')) return false
  return more.length * SHARED_PER_LOOSE_WORD <= shared.length
}
