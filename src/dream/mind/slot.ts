/** Whether two claims put two things in one place where there is room for one only: other values, other names. */
import type { Claim, Term } from './claim.ts'
import { lexicon } from './lexicon/lexicon.ts'

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
export const UNITS = new Set(
  'millisecond second minute hour day week month year kilobyte megabyte gigabyte terabyte'.split(' '),
)

/** Said or left out, a claim is the same, once enough of it is shared: where something is, that it is there, shown or given. */
export const WEAK = new Set(
  'locate show receive provide remain stay arrange schedule apply hold fit want choose manage-to consist compris includ contain becom possess provid organis organiz set enough suffic welcom look appear exist belong'.split(
    ' ',
  ),
)

export interface Pair {
  a: Term
  b: Term
  by: 'value' | 'sort' | 'name'
}

/** The one thing in whose place the other says something else. */
export function substituted(looseA: readonly Term[], looseB: readonly Term[]): Pair | undefined {
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
export const HOW_OFTEN = new Set(
  'daily-basis weekly monthly quarterly nightly yearly hourly biweekly alternate rarely sometimes often'.split(
    ' ',
  ),
)

/** The weekly report is another thing than the monthly one; a report that is sent weekly may be sent monthly instead. */
const NAMED_BY_HOW_OFTEN =
  /\b(?:the|an?|our|my|your|their|his|her) (?:daily|weekly|monthly|quarterly|yearly|annual|nightly|hourly|biweekly|fortnightly) /i

/** Something may well be both in the morning and in the evening, unless it is told to be new. */
const DAYTIME = new Set(['morning', 'afternoon', 'evening'])

/** `Apache 2.0`, `four spaces` */
function isPartOf(term: Term, of: Term, { text }: Claim): boolean {
  if (term.kind !== 'number') return false
  return term.at > of.at
    ? /^[\p{L}+#]+[ -]v?$/u.test(text.slice(of.at, term.at))
    : /^[\p{L}\d]+[ -]$/u.test(text.slice(term.at, of.at))
}

export function excludes(
  { a, b, by }: Pair,
  shared: readonly Term[],
  first: Claim,
  second: Claim,
  looseA: readonly Term[],
  looseB: readonly Term[],
): boolean {
  if (first.adds || second.adds || a.denied !== b.denied) return false
  const changed = first.changes || second.changes
  if (!(changed && by === 'value') && hasMany(shared)) return false
  if (HOW_OFTEN.has(a.key) && [first, second].every(({ text }) => NAMED_BY_HOW_OFTEN.test(text))) return false
  if (DAYTIME.has(a.key) && !changed) return false
  const [restA, restB] = [
    looseA.filter(term => term !== a && !UNITS.has(term.key) && !isPartOf(term, a, first)),
    looseB.filter(term => term !== b && !UNITS.has(term.key) && !isPartOf(term, b, second)),
  ]
  if (by === 'name')
    return (
      oneName(looseA) &&
      oneName(looseB) &&
      (namesExclude(a, first, b, second, shared) ||
        isTheOne(a, first, b, second, shared) ||
        hasMoved(a, first, b, second, shared) ||
        (changed && (isReplaced(a, first, b, second, shared) || tookOver(a, first, b, second))))
    )
  if (a.kind === 'date' && first.past && second.past) return false
  if (by === 'value' && (boundOf(first, a) * boundOf(second, b) < 0 || areBounds(first, second))) return false
  if (AMOUNTS.has(a.kind) && GOAL.test(first.text) !== GOAL.test(second.text)) return false
  if (by === 'sort' && (SUPPORTS.test(first.text) || SUPPORTS.test(second.text))) return false
  if (by === 'value' && shared.length > 1 && samePlaces(looseA, looseB)) return true
  // A second number that differs, or a name, tells that it is about something else.
  const telling = (term: Term): boolean => term.kind !== 'word'
  if (restA.some(telling) || restB.some(telling)) return restA.length === 0 && restB.length === 0
  if (restA.length > 0 && restB.length > 0) return false
  const keys = new Set(shared.map(({ key }) => key))
  if (restA.some(term => narrows(term, first, keys)) || restB.some(term => narrows(term, second, keys)))
    return false
  if (!changed && (restA.some(term => begins(term, first)) || restB.some(term => begins(term, second))))
    return false
  const allowed = changed ? 1 + Math.floor(shared.length / 2) : Math.floor(shared.length / 3)
  return restA.length + restB.length <= allowed
}

/** One has several daughters; the one whose name both tell is one. */
const OF_A_NAME = new Set('child daughter son brother sister friend cat dog pet'.split(' '))

function hasMany(shared: readonly Term[]): boolean {
  const isNamed = shared.some(({ kind }) => kind === 'name')
  return shared.some(({ key }) => MANY_AT_A_TIME.has(key) && !(isNamed && OF_A_NAME.has(key)))
}

const FINITE =
  /\b(?:is|are|was|were|has|have|had|must|should|can|may|will|gets?|takes?|happens?|runs?|starts?|expires?|costs?|lasts?|slipped|moved|went)\b/i

/** It tells which one of several is meant: the login session, uploads for videos, 营销预算. */
function narrows(
  { key, at, qualifies, kind }: Term,
  { terms, text }: Claim,
  shared: ReadonlySet<string>,
): boolean {
  if (WEAK.has(key)) return false
  if (qualifies && kind === 'word') return true
  const next = [...terms.values()].filter(other => other.at > at).sort((a, b) => a.at - b.at)[0]
  if (!next || !shared.has(next.key) || !/^(?:\S+[ -]|\p{sc=Han}+)$/u.test(text.slice(at, next.at)))
    return false
  // "Limit lines to …" does something to lines.
  return at > 0 || FINITE.test(text)
}

const AMOUNTS = new Set<Term['kind']>(['number', 'percent', 'money'])
/** What is wanted or guessed is no other value than what is. */
const GOAL =
  /\b(?:aim(?:s|ing)?|goals?|targets?|hop(?:es?|ing)|plans? to|wants? to|should (?:get|become|reach|drop|fall|rise|go|come)|estimat(?:es?|ed|ions?)|forecasts?|expected)\b|目标|计划|希望|预计|争取/i
/** One program does so with many others. */
const SUPPORTS =
  /\b(?:support(?:s|ed)|compatible with|tested (?:on|with|against|in)|available (?:for|on|in|from))\b|支持|兼容/i

/** At least so much, and at most so much. */
function areBounds({ terms: a }: Claim, { terms: b }: Claim): boolean {
  return (a.has('minimum') && b.has('limit')) || (a.has('limit') && b.has('minimum'))
}

/** It stands first, as what a sentence is about does: "Exports are limited to 5 requests per minute". */
function begins({ key, at }: Term, { terms }: Claim): boolean {
  return !WEAK.has(key) && terms.values().every(other => other.at >= at)
}

/** -1 where it is when something begins, 1 where it ends: the two are no other value of one thing. */
function boundOf({ text }: Claim, { at }: Term): number {
  const before = text.slice(Math.max(0, at - 'starting '.length), at)
  if (/\b(?:from|since|after|starting) $|从$|自$/i.test(before)) return -1
  return /\b(?:until|till|before|by) $|[到至]$/i.test(before) ? 1 : 0
}

const NAMING = new Set<Term['kind']>(['code', 'url', 'email', 'handle'])

/** Hours from and to, an amount and its share: every value of the one has one of its kind in the other. */
function samePlaces(a: readonly Term[], b: readonly Term[]): boolean {
  // "Topic `orders` is kept for 7 days": whose amount it is.
  if (a.length > 1 && [...a, ...b].some(({ kind }) => NAMING.has(kind))) return false
  const kinds = (terms: readonly Term[]): string => terms.map(valueKind).sort().join()
  return [...a, ...b].every(({ kind }) => VALUES.has(kind)) && kinds(a) === kinds(b)
}

const TITLES = new Set('dr mr mrs ms prof'.split(' '))

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
  const things = shared.filter(({ key }) => !TITLES.has(key))
  return (
    things.length > 0 && things.every(({ kind }) => kind === 'word') && names(first, a) && names(second, b)
  )
}

const MOVED = /\b(?:moved|relocated|transferred|rewritten|ported)\b|搬|迁|改在|改到/i
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

/** What something is made with, or kept in, stands behind such words; where something is sold or open there are many. */
const BEHIND =
  /\b(?:is|are|stored|kept|held|hosted|tracked|managed|maintained|written|documented|designed|located|collected|planned|deployed|built|implemented|formatted|generated|licensed|archived|sent|delivered|processed|handled|done|made)(?: now)? (?:in|on|at|under|with|through|via|using|by) (?:the )?(?:\p{Ll}+ )?$/u
/** Nothing follows but another clause. */
const LAST = /^[^\s,;.!]+(?: \p{Lu}[^\s,;.!]*)?(?: \d[\d.]*)?(?: now)?(?:[.!]*$|[,;])/u

/** "Design files are in Figma", "Design files are now in Penpot": all else is the same, and one of them says that it is new. */
function isReplaced(a: Term, first: Claim, b: Term, second: Claim, shared: readonly Term[]): boolean {
  const placeOf = ({ text }: Claim, { at }: Term): string | undefined =>
    LAST.test(text.slice(at)) ? BEHIND.exec(text.slice(0, at))?.[0].replace(' now', '') : undefined
  const [one, other] = [placeOf(first, a), placeOf(second, b)]
  const { sortOf } = lexicon()
  const sorts = [a, b].map(({ key }) => sortOf(key)).filter(sort => sort !== undefined)
  const isName = [a, b].every(({ kind }) => kind === 'name')
  return one !== undefined && one === other && isName && shared.length >= 2 && new Set(sorts).size < 2
}

const NOW = / now\b|[.!]+$/g
const IN_OFFICE = /^ (?:is the|does the) /

/** "Bettina does the bookkeeping", "Jorge does the bookkeeping now": the same to the letter, but for who it is. */
function tookOver(a: Term, first: Claim, b: Term, second: Claim): boolean {
  const [one = '', other] = [first, second].map(({ text }) => text.replaceAll(NOW, '').replace(/^\S+/, ''))
  return a.at === 0 && b.at === 0 && a.capital && b.capital && one === other && IN_OFFICE.test(one)
}

/** One word, or the two of a name. */
function oneName(terms: readonly Term[]): boolean {
  return terms.length === 1 || (terms.length === 2 && terms.every(({ kind }) => kind === 'name'))
}

/** Of these it is told where they are; what stands there or is of something is no value of others: "on by default on iOS". */
const PLACES = new Set('locate home office address reside region domain job employer'.split(' '))
const ASIDE = /(?:\b(?:in|at|on|of|for) (?:the )?|在|位于)$/i
/** Of these the one is a person and the other what they have to do with. */
export const PERSONS = new Set('lead manager responsible contact oncall approve'.split(' '))
const CHINESE_PERSON =
  /^(?:[小老阿]\p{sc=Han}|[王李张刘陈杨黄赵周吴徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严武戴莫孔向汤]\p{sc=Han}{1,2})$/u

/** Two names in the place of one, where there can be one only. */
function namesExclude(a: Term, first: Claim, b: Term, second: Claim, shared: readonly Term[]): boolean {
  const relations = shared.filter(({ key }) => ONE_AT_A_TIME.has(key))
  // Stripe is no person, and Notion no cloud.
  const { sortOf } = lexicon()
  if (relations.length === 0 || sortOf(a.key) !== sortOf(b.key)) return false
  const known = ({ key }: Term): boolean => lexicon().concept(key).key !== key
  if (!relations.some(({ key }) => PERSONS.has(key))) {
    // Where something is stands behind the word for it; what stands before is what it is about.
    const behind = relations.some(({ key, at }) => a.at > at && b.at > (second.terms.get(key)?.at ?? 0))
    const isPlace = relations.some(({ key }) => PLACES.has(key))
    const isAside = ({ text }: Claim, { at }: Term): boolean => ASIDE.test(text.slice(0, at))
    return behind && !known(a) && !known(b) && (isPlace || !(isAside(first, a) || isAside(second, b)))
  }
  // Alice may look after many things: it must be the person who is another.
  const isPerson = ({ key, capital }: Term): boolean => capital || CHINESE_PERSON.test(key)
  const thing = shared.some(
    ({ key, kind }) => !ONE_AT_A_TIME.has(key) && kind === 'word' && !CHINESE_PERSON.test(key),
  )
  return thing && isPerson(a) && isPerson(b)
}
