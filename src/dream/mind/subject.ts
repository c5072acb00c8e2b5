/**
 * What sentences are about where they leave it to what stands above them: "Runs on Hetzner" says nothing of which
 * server, the name of its memory or a heading does.
 */
import type { Claim, Term } from './claim.ts'
import { lexicon } from './lexicon/lexicon.ts'
import { UNITS } from './slot.ts'

/** What is asked of a memory that a sentence stands in. */
interface Named {
  memory: { type: string }
  name: Claim
  /** Every key anywhere in it. */
  keys: ReadonlySet<string>
  said: readonly Placed[]
  exact: string
}

/** A sentence, and the heading above it. */
interface Placed {
  claim: Claim
  below: Claim | undefined
}

/** Somebody that belongs to the owner: what is told below such a name is told of them. */
const KIN = new Set(
  'wife husband spouse child daughter son mother father brother sister colleague manager customer partner friend neighbour landlord doctor grandmother grandfather sibling'.split(
    ' ',
  ),
)
/** What somebody or something has, rather than who or what has it: such a name leaves the subject to the sentence. */
const ATTRIBUTES = new Set(
  'locate home city town residence address job profession employer vegetarian diet eat language timezone age birthday spouse new change old current move switch update preference prefer deploy cloud deadline'.split(
    ' ',
  ),
)
/** A sentence without a subject of its own, as notes about a thing are: `Written in Go`, `Port: 8080`. In a memory of the owner that is the owner. */
const WITHOUT_SUBJECT =
  /^(?:(?:is|are|was|were|has|have|had|will|can|must|may|runs?|uses?|lives|works|pays|needs|owns|takes|costs|listens|starts|begins|opens|closes|ends|expires|sits|stores|keeps|speaks|reports|written|owned|built|hosted|deployed|led|located|maintained|stored|based|scheduled|due)\b|位于|部署在|运行在|使用|采用|住在|属于|由)|^[^\p{L}]*[\d$€£¥](?!.*\b(?:is|are|was|were|must|may|can|will|gets?|go(?:es)?|fit|needs?)\b)|^[^.:：。]{1,40}[:：]\s/iu
/** Others are spoken of by these, whoever they are. */
const PRONOUN = /^(?:s?he|her|his|hers|they|their|it|its)\b|^[他她它]们?/i
/** Two memories with the same few words and other names tell the same of two things. */
const FEW_WORDS = 3
/** Somebody or something, and what it is or does: `Alpha customers are`, and not `The server is`, of which many have one. */
const SUBJECT =
  /^(?!(?:the|its|our|this|that|there)\b)(?:\S+ ){1,5}?(?:is|are|was|were|has|have|must|should|may|can|will|gets?|takes?|runs?|starts?)\b/iu

/** Whether two sentences may be about one thing, going by what stands above them. */
export function mayShareSubject(a: Named, one: Placed, b: Named, other: Placed, same = false): boolean {
  if (isElsewhere(one, b) || isElsewhere(other, a) || areOfTheirTitles(a, one, b, other)) return false
  const [restsOnA, restsOnB] = [restsOnName(a, one, b), restsOnName(b, other, a)]
  if (bearNames(a, one, b, other)) return false
  if ((!restsOnA && !restsOnB) || (a.exact === b.exact && standsAlone(a) && standsAlone(b))) return true
  const isWhole =
    (a.exact === b.exact && tellsItself(a, one)) ||
    (same &&
      [a, b].every(({ name }) => isPlain(name)) &&
      [one, other].every(({ claim }) => claim.terms.size > FEW_WORDS))
  if (restsOnA && restsOnB && !isWhole) return false
  return !(restsOnA && isOnlyNamed(a, one)) && !(restsOnB && isOnlyNamed(b, other))
}

const OWNER = /^(?:(?:the )?(?:user|owner)|I|my)\b|用户|主人|我/iu

const CALLED = /^(\p{Lu}\p{Ll}+)(?:(?:['’]s)? (\p{L}.*))?$/u

/** `Lumen` and `Fjord`, `Lumen invoices` and `Fjord invoices`: words that no list has, of which neither memory tells anything else. */
function bearNames(a: Named, one: Placed, b: Named, other: Placed): boolean {
  const [, ofA, restOfA] = CALLED.exec(a.name.text) ?? []
  const [, ofB, restOfB] = CALLED.exec(b.name.text) ?? []
  if (!ofA || !ofB || ofA === ofB || restOfA?.toLowerCase() !== restOfB?.toLowerCase()) return false
  const isName = (word: string, { claim }: Placed, by: Named): boolean => {
    const { concept, isKnown } = lexicon()
    const { key } = concept(word.toLowerCase())
    return !isKnown(word.toLowerCase()) && !claim.terms.has(key) && !by.keys.has(key)
  }
  return !OWNER.test(one.claim.text) && isName(ofA, one, b) && isName(ofB, other, a)
}

/** Of such a thing there is one in everything that has one: `The timeout is`, `the port must be`. */
const ONE_OF_MANY =
  /^(?:the|its|our) [\p{L}-]+ (?:is|are|was|has|must|should|may|can|takes|lasts|starts|ends|runs|expires|belongs|opens|closes)\b/iu

/**
 * "The timeout is 60 seconds" below `Proxy timeout`, and below `Worker timeout`: all that they are about is what both
 * titles have, and each title has a word of its own.
 */
function areOfTheirTitles(a: Named, one: Placed, b: Named, other: Placed): boolean {
  const isOfBoth = (key: string): boolean => a.name.terms.has(key) && b.name.terms.has(key)
  const isOnlyThat = ({ claim }: Placed): boolean =>
    claim.terms.keys().every(isOfBoth) ||
    (ONE_OF_MANY.test(claim.text) &&
      claim.terms.values().every(({ key, kind }) => kind !== 'word' || UNITS.has(key) || isOfBoth(key)))
  const hasOwn = ({ name }: Named, { claim }: Placed, by: Named): boolean =>
    [...name.terms.keys()].some(key => !by.keys.has(key) && !claim.terms.has(key))
  return isOnlyThat(one) && isOnlyThat(other) && hasOwn(a, one, b) && hasOwn(b, other, a)
}

/** It stands below a heading of which the other memory has not a word. */
function isElsewhere({ claim, below }: Placed, by: Named): boolean {
  return below !== undefined && leans(claim, below) && isUnknown(below, by)
}

/** It has not a word of its memory's name, and of that the other one does not know either. */
function restsOnName({ name }: Named, { claim }: Placed, by: Named): boolean {
  return leans(claim, name) && isUnknown(name, by)
}

function leans({ terms, text }: Claim, title: Claim): boolean {
  if (title.terms.size === 0) return false
  const titleKeys = [...title.terms.keys()]
  if (titleKeys.every(key => ATTRIBUTES.has(key))) return false
  // "Spouse: the owner's wife is called Kim" tells itself whom it is about.
  const isKin = (key: string): boolean => KIN.has(key)
  if (titleKeys.every(isKin) && [...terms.keys()].some(isKin) && !PRONOUN.test(text)) return false
  const { sortOf } = lexicon()
  const sorts = new Set([...terms.keys()].map(sortOf))
  return [...title.terms.keys()].every(
    key => !terms.has(key) && !sorts.has(key) && !terms.has(sortOf(key) ?? ''),
  )
}

function isUnknown({ terms }: Claim, by: Named): boolean {
  return [...terms.keys()].some(key => !by.keys.has(key))
}

/** Names nothing in particular. */
function isPlain({ terms }: Claim): boolean {
  return [...terms.values()].every(({ kind }) => kind === 'word')
}

function tellsItself({ memory }: Named, { claim }: Placed): boolean {
  const isAddress = ({ kind }: Term): boolean => kind === 'url' || kind === 'email'
  return isOfOwner(memory) || claim.terms.size > FEW_WORDS || claim.terms.values().some(isAddress)
}

/** It begins with a sentence that has a subject of its own, what follows goes on from there, and its title bears no name. */
function standsAlone({ name, said: [first] }: Named): boolean {
  if (!first || name.terms.keys().some(key => KIN.has(key))) return false
  const { text, terms } = first.claim
  const [bearer = ''] = /^\p{L}+/u.exec(name.text.toLowerCase()) ?? []
  if (!lexicon().isKnown(bearer) && !terms.has(lexicon().concept(bearer).key)) return false
  return terms.size >= FEW_WORDS && SUBJECT.test(text) && !PRONOUN.test(text) && !WITHOUT_SUBJECT.test(text)
}

/** Nobody knows what it is about without the name, or it is one of several about one thing. */
function isOnlyNamed({ memory, name, said }: Named, { claim: { text } }: Placed): boolean {
  if (said.length > 1) return true
  if ([...name.terms.keys()].some(key => KIN.has(key)) || PRONOUN.test(text)) return true
  return !isOfOwner(memory) && WITHOUT_SUBJECT.test(text)
}

function isOfOwner({ type }: { type: string }): boolean {
  return type === 'user' || type === 'feedback'
}
