/** What a sentence claims: its telling words, each affirmed or denied, in a form that can be compared. */
import { type Token, tokensOf } from './tokens.ts'

export interface Term {
  key: string
  kind: Token['kind']
  denied: boolean
  /** It was so, and something else has come in its place. */
  givenUp: boolean
  /** It says where or when the claim holds: `in Makefiles`. */
  qualifies: boolean
  /** Where it stands in its sentence. */
  at: number
  /** Written with a capital, be it only because the sentence begins. */
  capital: boolean
}

export interface Claim {
  /** The sentence. */
  text: string
  terms: ReadonlyMap<string, Term>
  /** It tells that something is not as it was: `now`, `moved to`, `no longer`. */
  changes: boolean
  /** It tells that something has ended: `no longer`, `stopped`. */
  ends: boolean
  /** The same is in it both as what was and as what is. */
  torn: boolean
  /** It tells of something beside what is known: `also`, `another`. */
  adds: boolean
  /** It tells what happened once. */
  past: boolean
}

/** These only say whether something is wanted; what is wanted counts. */
const ATTITUDES = new Set(['prefer', 'allow', 'require', 'enable'])
/** These only say that something became otherwise. */
const CHANGING =
  /^(?:switch(?:ed|es|ing)?|migrat(?:e|ed|es|ing)|chang(?:ed|es)|mov(?:ed|es)|relocat(?:e|ed|es|ing)|replac(?:e|ed|es|ing)|postpon(?:e|ed|es|ing)|defer(?:red|s)?|put-off|push-back|reschedul(?:e|ed|es|ing)|rais(?:e|ed|es|ing)|lower(?:ed|s|ing)?|bump(?:ed|s|ing)?|extend(?:ed|s|ing)?|shift(?:ed|s|ing)?|transfer(?:red|s)?|push(?:ed)|took|taken|takes|anymore|longer|instead|new|newly|since|becam?e|become|becomes|doubled|tripled|sold|dropped|ditched|abandoned|retired|halv(?:e|ed|es)|reduc(?:e|ed|es)|increas(?:e|ed|es)|decreas(?:e|ed|es)|shorten(?:ed|s)?|expand(?:ed|s)?|grown|shrunk|slipp(?:ed|s)|delay(?:ed|s)?|upgrad(?:e|ed|es)|downgrad(?:e|ed|es)|succeed(?:ed|s)|went-up|goes-up|gone-up|went-down|goes-down|gone-down|brought-forward|brings-forward|从今以后|以后|今后|往后|从此|升级到|升级为|升级|更新到|更新为|增加到|减少到|缩短到|延长到|延长|回|改|改为|改成|换|换成|改用|改到|改在|换到|调整|调整为|调到|更换|更改|变更|推迟|延期|推迟到|延期到|提前|提前到|提高|提高到|降|降低|降到|转到|迁移|迁移到|迁到|迁至|搬|搬到|搬去|搬至|搬家|接手|接替|取代|不再|如今)$/
const CHANGED =
  /\b(?:now(?:adays)?|no longer|any ?more|moved|switched|migrated|changed|renamed|replaced|postponed|deferred|put off|puts off|rescheduled|raised|lowered|bumped|extended|shifted|transferred|relocated|instead of|took over|taken over|pushed|as of|from now on|no more|doubled|tripled|halved|reduced|increased|decreased|shortened|expanded|(?:has|have) grown|shrunk|slipped|delayed|upgraded|downgraded|(?:went|gone) (?:up|down)|brought forward|succeeded|has become|have become|has changed|is the new|are the new|stopped|dropped|ditched|replaced|superseded|rewritten|ported|cut (?:back |down )?(?:to|from)|got rid of|given away|gave away|retired|discontinued|abandoned|sold|phased out|decommissioned|shut down|update:|correction)\b|升级(?:到|为)|[涨升](?:到|至)|更新(?:到|为)|以后|今后|往后|从此|缩短|延长|改为|改成|改用|换成|改到|改在|不再|搬到|搬去|搬至|迁移到|迁到|推迟|延期|提前到|调整为|调到|提高到|降到|现在|如今|接手|更正/i
const ENDED = /\b(?:no longer|any ?more|stopped|quit|gave up)\b|不再|戒/i
const ADDING = /\b(?:also|another|additional(?:ly)?|second|too|as well|besides)\b|也|另外|还有|此外|另一/i
const PAST =
  /\b(?:was|were) (?!(?:moved|changed|postponed|deferred|put|raised|lowered|bumped|extended|renamed|replaced|rescheduled|set|pushed|brought|planned|scheduled|expected|due|doubled|reduced|increased|shortened|upgraded)\b)(?:\w+ )?\w+(?:ed|en|wn|ght|ld|ut|ne|ade|aid|ent|ost)\b|\b(?:met|visited|went|attended|saw|happened|took place|was (?:held|cut|tagged|deployed|released|shipped|fixed)|deployed|released|shipped|celebrated|paid|bought|talked|spoke|presented|crashed|failed)\b|去了|参加了|见了|发生了|举行了|买了|发布了|上线了/i

/** A word that tells nothing more beside others: `9:30 in the morning`, `find it at https://…`. */
const TOLD_ALREADY: ReadonlyArray<readonly [string, readonly string[]]> = [
  ['morning', ['time']],
  ['afternoon', ['time']],
  ['evening', ['time']],
  ['daily-basis', ['standup']],
  ['weekly', ['weekday']],
  ['address', ['url']],
  ['interval', ['second', 'minute', 'hour', 'day']],
  // Who asks, asks before.
  ['before', ['question']],
  ['channel', ['handle']],
  ['locate', ['url', 'date', 'time', 'weekday', 'month']],
]

/** What follows was given up, or is not wanted, for what stands beside it. */
const CONTRAST =
  /\b(?:instead of|rather than|as opposed to|in place of|replac(?:es|ing)|replaced|took over from|taken over from|takes over from)\b|而不是|而非|代替|取代|接替/gi
const FROM = /\bfrom\b|从|由/gi
const OVER = /\bover\b/gi
/** What is told to be left behind, where something has changed at all: "sold the Volvo and drives a Renault now". */
const LET_GO =
  /\b(?:sold|left|quit|dropped|ditched|abandoned|gave up|gave away|got rid of|moved away from|stopped using|phased out|retired)\b/gi
/** What stands before it has gone: "Sanna was succeeded by Teo", "version 2 is retired". */
const BY_ANOTHER =
  /\b(?:was|were|is|are|has been|have been|got) (?:now )?(?:(?:succeeded|replaced|superseded) by|retired|dropped|discontinued|abandoned|ditched|sold|given away|phased out|decommissioned|shut down)\b/gi
const CLAUSE = /[,;，；:：。—–()（）、]|\b(?:but|and now|then|whereas|while)\b|但是|但|而且/gi
/** A number in front of `not` and what belongs to it: `use pnpm, not npm`. */
const QUALIFIER =
  /^(?:in|for|on|at|when|whenever|during|inside|within|under|only|except|unless|if|where|outside|if|between|against|until|after|before)$|^(?:在|对|对于|当|除了|除非|如果|仅|只)$/

export function claimOf(text: string): Claim {
  const tokens = tokensOf(text)
  const denied = denials(text, tokens)
  const terms = new Map<string, Term>()
  let [qualifies, torn] = [false, false]
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'mark') qualifies = false
    if (QUALIFIER.test(token.word)) qualifies = true
    if (token.kind === 'mark' || token.slight || token.negates) continue
    if (ATTITUDES.has(token.key) || (CHANGING.test(token.word) && token.key !== 'locate')) continue
    // "after 30 minutes" is how long.
    if (token.key === 'after' && tokens[at + 1]?.kind === 'number') continue
    // "The main branch is `main`" says two things.
    const isCode = token.kind === 'code' && terms.get(token.key)?.kind === 'word'
    const key = isCode ? `\`${token.key}` : token.key
    const term = {
      key,
      kind: token.kind,
      denied: denied[at] !== undefined,
      givenUp: denied[at] === 'given up',
      qualifies,
      at: token.start,
      capital: /^\p{Lu}/u.test(text.slice(token.start)),
    }
    const known = terms.get(key)
    torn ||= known !== undefined && known.givenUp !== term.givenUp
    // What is both affirmed and denied is affirmed somewhere: `no spaces but in YAML, there two spaces`.
    if (!known || (known.denied && !term.denied)) terms.set(key, term)
  }
  for (const [key, by] of TOLD_ALREADY)
    if ([...terms.values()].some(({ kind, key: other }) => by.includes(kind) || by.includes(other)))
      terms.delete(key)
  return {
    text,
    terms,
    changes: CHANGED.test(text),
    ends: ENDED.test(text),
    torn,
    adds: ADDING.test(text),
    past: PAST.test(text),
  }
}

/** Which tokens are denied: by a word in their clause, or because they are what was given up. */
function denials(text: string, tokens: readonly Token[]): Array<'denied' | 'given up' | undefined> {
  const cuts = [...text.matchAll(CLAUSE)].map(({ index }) => index)
  const clauseOf = (place: number): number => cuts.findLastIndex(cut => cut <= place)
  const denying = new Map<number, number>()
  for (const token of tokens)
    if (token.negates || token.opposite) {
      const clause = clauseOf(token.start)
      denying.set(clause, (denying.get(clause) ?? 0) + 1)
    }
  const givenUp = givenUpPlaces(text, cuts)
  return tokens.map(({ start }) => {
    if (givenUp.some(({ from, to }) => start >= from && start < to)) return 'given up'
    return (denying.get(clauseOf(start)) ?? 0) % 2 === 1 ? 'denied' : undefined
  })
}

interface Stretch {
  from: number
  to: number
}

function givenUpPlaces(text: string, cuts: readonly number[]): Stretch[] {
  const endOfClause = (from: number): number => cuts.find(cut => cut >= from) ?? text.length
  const given = (from: number): number =>
    text.slice(from, endOfClause(from)).search(/\b(?:for|in|on|as|with|since|because|by|when)\b|$/i)
  const places: Stretch[] = []
  for (const { 0: found, index } of text.matchAll(CONTRAST)) {
    const from = index + found.length
    places.push({ from, to: from + given(from) })
  }
  if (/\bprefer|\bfavou?r|\blikes?\b|\bchose|\bchoose|\bpick/i.test(text))
    for (const { index } of text.matchAll(OVER)) places.push({ from: index, to: index + given(index) })
  if (!CHANGED.test(text)) return places
  for (const { 0: found, index } of text.matchAll(BY_ANOTHER))
    places.push({ from: Math.max(0, cuts.findLast(cut => cut < index) ?? 0), to: index + found.length })
  for (const { 0: found, index } of text.matchAll(LET_GO)) {
    const from = index + found.length
    const end = text.slice(from).search(/\b(?:and|for|in favou?r of|so)\b|$/i)
    places.push({ from, to: Math.min(endOfClause(from), from + end) })
  }
  for (const { 0: found, index } of text.matchAll(FROM)) {
    const from = index + found.length
    // "moved from Berlin to Munich"; without a "to" it is not told what became of it.
    const to = /^.*?(?=\b(?:to|into|in favou?r of)\b|改|换|搬|迁|调|推迟|延期|提前|提高|降|到)/i.exec(
      text.slice(from),
    )
    // "open from 8:00 to 20:00" is as long as it is, however new that is.
    if (to && !MOVE.test(text.slice(0, index)) && isRange(text.slice(from), to[0])) continue
    if (to && to[0].length < 60) places.push({ from, to: from + to[0].length })
    else if (/\b(?:to|into|took over|takes over|taken over|inherited)\b.*$/i.test(text.slice(0, index)))
      places.push({ from, to: endOfClause(from) })
  }
  return places
}

const MOVE =
  /\b(?:moved|switched|migrated|changed|postponed|rescheduled|raised|lowered|bumped|extended|shifted|reduced|increased|shortened|pushed|brought forward|delayed|went up|went down|slipped)\b[^.]*$/i

/** From one hour, day or amount to another, rather than what was to what is. */
function isRange(text: string, from: string): boolean {
  const amount = /^\s*(?:\d|mon|tue|wed|thu|fri|sat|sun)/i
  return amount.test(from) && amount.test(text.slice(from.length).replace(/^to\b/i, ''))
}
