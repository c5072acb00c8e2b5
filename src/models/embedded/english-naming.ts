/** English statements get a name in the third person, and a line by which they are found again. */
import { ownValue } from '../../store/index.ts'
import {
  DOCUMENT,
  EVENT,
  OWN_ATTRIBUTE,
  OWN_TOOL,
  PERSON,
  PROJECT_ATTRIBUTE,
  TECHNOLOGY,
} from './english-words.ts'
import type { MemoryType } from './statement.ts'

const DROPPED_ADVERB = /^(?:also|really|actually|personally|just|still|much|currently|do|kind of)$/i
const KEPT_ADVERB =
  /^(?:always|usually|generally|normally|typically|mostly|mainly|primarily|strongly|definitely|absolutely|often|only|almost|never|rarely|seldom|sometimes|now|no|longer|recently|finally)$/i
const UNCHANGING =
  /^(?:can|can't|cannot|could|will|won't|must|should|may|might|would|had|did|was|were|used|got|went|chose|left|quit|made|took|wrote|built|ran|sold|bought|met|grew|kept|knew|became|began|told|said|saw|found|gave|came|lost|won|spoke|spent|sent|paid|meant|led|held|heard|felt|fell|drove|flew|brought|bought|thought|taught|caught|stood|understood|forgot|broke)$/i
/** After "I have": what happened once, as against what has been going on. */
const CHANGED =
  /^(?:recently |finally )?(?:switched|migrated|moved|changed|decided|agreed|chosen|settled|standardi[sz]ed|joined|left|quit|stopped|started|retired)\b/i
const PRESENT_IN_ED = /^(?:need|feed|speed|seed|embed|proceed|exceed|succeed|bleed|breed|weed|shed)$/
const IRREGULAR: Readonly<Record<string, string>> = {
  have: 'has',
  do: 'does',
  "don't": "doesn't",
  dont: "doesn't",
  am: 'is',
  are: 'is',
  go: 'goes',
}

/** "use" → "uses"; what is in the past, or a modal, stays. */
export function thirdPerson(verb: string): string {
  const lower = verb.toLowerCase()
  const irregular = ownValue(IRREGULAR, lower)
  if (irregular !== undefined) return irregular
  if (
    UNCHANGING.test(lower) ||
    (/ed$/.test(lower) && !PRESENT_IN_ED.test(lower)) ||
    (/s$/.test(lower) && !/ss$/.test(lower))
  )
    return lower
  if (/(?:s|x|z|ch|sh|o)$/.test(lower)) return `${lower}es`
  return /[^aeiou]y$/.test(lower) ? `${lower.slice(0, -1)}ies` : `${lower}s`
}

function aboutThem(text: string): string {
  return text
    .replaceAll(/(?<![\w-])myself(?![\w-])/gi, 'themselves')
    .replaceAll(/(?<![\w-])my(?![\w-])/gi, 'their')
    .replaceAll(/(?<![\w-])mine(?![\w-])/gi, 'theirs')
    .replaceAll(/(?<![\w-])me(?![\w-])/gi, 'them')
    .replaceAll(/(?<![\w-])I(?:'m| am)(?![\w-])/g, 'they are')
    .replaceAll(/(?<![\w-])I(?![\w/-])/g, 'they')
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

function small(text: string): string {
  return /^[A-Z][a-z']*(?: |$)/.test(text) ? text.slice(0, 1).toLowerCase() + text.slice(1) : text
}

/** The predicate of a sentence about oneself, as told of somebody else: "prefers tabs". */
function predicate(sentence: string): string | undefined {
  const am = /^(?:i'm|im|i am|we're|we are) (?:also |now |actually |really |currently )*(?<rest>.+)$/i.exec(
    sentence,
  )?.groups?.rest
  if (am !== undefined) return `is ${aboutThem(am)}`
  const have = /^(?:i've|i have|we've|we have) (?<rest>.+)$/i.exec(sentence)?.groups?.rest
  if (have !== undefined) {
    const plain = aboutThem(have.replace(/^(?:also|just|already|all) /i, ''))
    return CHANGED.test(plain) ? plain : `has ${plain}`
  }
  const rest = /^(?:i|we|(?:the|our|my) (?:team|company)) (?<rest>.+)$/i.exec(sentence)?.groups?.rest
  if (rest === undefined) return undefined
  const words = rest.split(' ')
  const adverbs: string[] = []
  while (words.length > 1 && (DROPPED_ADVERB.test(words[0] ?? '') || KEPT_ADVERB.test(words[0] ?? ''))) {
    const adverb = words.shift() ?? ''
    if (KEPT_ADVERB.test(adverb)) adverbs.push(adverb.toLowerCase())
  }
  const [verb = '', ...others] = words
  return [...adverbs, thirdPerson(verb), aboutThem(others.join(' '))].join(' ').trim()
}

const WHO: ReadonlyArray<readonly [who: string, is: RegExp]> = [
  ['The team', /^(?:we\b|we're|we've|(?:the|our|my) (?:team|company)\b)/i],
  ['The owner', /^(?:i\b|i'm|im\b|i've)/i],
]

const ATTRIBUTE = new RegExp(
  `^(?:my|our|the) (?<attribute>${OWN_ATTRIBUTE}|(?:${PERSON})(?:'s name)?|(?:goal|aim|purpose) of (?:the|this|our) project)(?:'s| is| are| was) (?:now |actually |called |named |not [^,]{1,40}, (?:it's|it is|but) )*(?<value>.+)$`,
  'i',
)
/** Of these also other things are told: "the CI is flaky" is no name of a CI. */
const NAMED_THING = new RegExp(
  `^(?:[Mm]y|[Oo]ur|[Tt]he) (?<attribute>(?i:${OWN_TOOL}|(?:main |biggest )?(?:${PROJECT_ATTRIBUTE}))) (?:is|are) (?:now |actually |called |named )*(?<value>(?:an? |the )?(?:[\\p{Lu}\\d]|(?i:${TECHNOLOGY})\\b|i3|pnpm|npm|yarn|main$|master$|trunk$|vitest|jest|pytest|eslint|biome|prettier).*)$`,
  'u',
)
const EVENT_DATE = new RegExp(
  `^(?:the |our |my )?(?<attribute>(?:[\\w-]+ ){0,2}(?:${EVENT})(?: (?:for|of) [^,]{1,40}?)?) (?<verb>is|are|was|has been|got|will be|starts?|begins?|ends?|takes place|happens) (?:now )?(?<value>.+)$`,
  'i',
)
const CALLED = /^(?:please |you can |people )?(?:just )?(?:call me|i go by) (?<value>.+)$/i
const PLACED = new RegExp(
  `^(?:the |our |my |all (?:the |our )?)?(?<what>(?:[\\w-]+ ){0,3}?${DOCUMENT}(?: (?:for|of|about) [^,]{1,40}?)?)(?<where>(?: (?:is|are|lives?|sits?|can be found|goe?s?)\\b|:).+)$`,
  'i',
)
const PREFERRED = /^(?:i (?:\w+ )*?prefer|my preferences?(?: is| are|:)(?: for)?) (?<object>.+)$/i
const LIKED = /^i (?:\w+ )*?(?:like|love|enjoy|hate|dislike|can't stand|cannot stand|favou?r)\b/i
const OWN_NAME = /^(?:my )?(?:full |first |real )?name$/i
const AGENT_WHEN = /\b(when|if|that) you (\w+)/i

export interface Naming {
  name: string
  description: string
}

/** `said` is one sentence without its full stop, and without the reason given in it. */
export function englishNaming(said: string, type: MemoryType): Naming {
  const called = CALLED.exec(said)?.groups?.value
  if (called !== undefined) return { name: 'Name', description: `Name: ${called}` }
  const { attribute, value } = (ATTRIBUTE.exec(said) ?? NAMED_THING.exec(said))?.groups ?? {}
  if (attribute !== undefined && value !== undefined) return ofAttribute(attribute, value)
  if (type === 'reference') {
    const { what, where } = PLACED.exec(said)?.groups ?? {}
    if (what !== undefined && where !== undefined)
      return { name: capital(what), description: capital(what) + where }
  }
  const event = EVENT_DATE.exec(said)?.groups
  if (type === 'project' && event?.attribute !== undefined && event.value !== undefined) {
    const verb = /^(?:is|are|was|has been|got|will be)$/i.test(event.verb ?? '') ? '' : `${event.verb} `
    return {
      name: capital(event.attribute),
      description: `${capital(event.attribute)}: ${verb}${event.value}`,
    }
  }
  return ofSentence(said)
}

function ofAttribute(attribute: string, value: string): Naming {
  if (OWN_NAME.test(attribute)) return { name: 'Name', description: `Name: ${value}` }
  const name = capital(attribute)
  const note = /^(?:favou?rite|preferred|usual|go-to)/i.test(attribute) ? ' (preference)' : ''
  return { name, description: `${name}${note}: ${value}` }
}

function ofSentence(said: string): Naming {
  const preferred = PREFERRED.exec(said)?.groups?.object
  if (preferred !== undefined && /^my/i.test(said)) return ofPreference(`Prefers ${preferred}`, preferred)
  const told = predicate(said)
  const who = WHO.find(([, is]) => is.test(said))?.[0]
  if (told === undefined || who === undefined)
    return { name: capital(said.replace(/^(?:the|our|my) /i, '')), description: capital(said) }
  const name = capital(told.replace(/^is (?:an? |the )?(?=not\b|\S)/, '').replace(/, so (?!that\b).*$/i, ''))
  if (AGENT_WHEN.test(name)) return aboutAgent(name)
  if (preferred !== undefined) return ofPreference(name, preferred)
  if (LIKED.test(said)) return { name, description: `Preference of the owner: ${small(name)}` }
  return { name, description: `${who} ${told}` }
}

function ofPreference(name: string, object: string): Naming {
  return { name: aboutThem(name), description: `Preference of the owner: ${aboutThem(object)}` }
}

function aboutAgent(name: string): Naming {
  const told = name
    .replace(AGENT_WHEN, (_, when: string, verb: string) => `${when} the agent ${thirdPerson(verb)}`)
    .replaceAll(/\byour\b/gi, 'its')
  return { name: told, description: `Rule: ${small(told)}` }
}

/** A rule's name is the rule. */
export function englishRuleNaming(rule: string): Naming {
  if (/^i /i.test(rule)) return ofSentence(rule)
  return { name: capital(rule), description: `Rule: ${small(rule)}` }
}

/** A sentence as it stands in a rule's body: with a capital and a full stop. */
export function englishSentence(text: string): string {
  const plain = text.trim().replace(/[.!\s]+$/, '')
  return `${capital(plain)}.`
}
