/** English sentences in which somebody tells a fact in passing. Not sure means no fact. */
import { NAME } from './english-forms.ts'
import { ABOUT_THE_PERSON, CHANGES_OF_PERSON } from './english-person.ts'
import { ABOUT_THE_PROJECT, CHANGES_OF_PROJECT, REFERENCES } from './english-project.ts'
import type { Fact } from './statement.ts'

/** Not a thing but a pointer to one: true for the moment it is pointed at. */
const POINTS =
  /^(?:it|this|that|these|those|them|him|her|you|your|yours|myself|yourself|what|how|when|where|why|who|if|whether|option|version|variant|number|all of|both(?: of|$)|neither|either|one|some of|none|nothing|everything|here|there|not(?: to)?$|to (?:think|see|know|have|get|ask|say|be able|point|mention|thank|\w+ (?:it|this|that|them)\b))\b/i
/** "The" points too, except at what there is only one of. */
const POINTS_WITH_THE =
  /^the (?!command[- ]line|terminal|cli\b|shell\b|keyboard|mouse|gui\b|oxford comma|metric system|imperative mood|active voice|browser|office|dark |light |us\b|usa\b|uk\b|netherlands|philippines|city|countryside|suburbs|\w+ (?:industry|sector|department|team|field|area))/i
const FOR_THE_MOMENT =
  /\b(?:right now|at the moment|today|tonight|this time|for now|for the moment|just now|yet|in this case|for this|(?:this|these|those) (?!project|repo|repository|codebase|team|company)\w+|that (?:file|function|method|class|line|bug|error|issue|tests?|one|way|time|pr|branch|commit|task|change|code|approach|version|option|solution|thing|stuff|module|component|page|button|feature|script|command|variable|endpoint|query|api|design|name|style|format|idea|case|part|section|directory|folder|package|library)|here|above|below|again|later|as follows|like so|you|your|yours|yourself)\b/i
const TROUBLE =
  /\b(?:errors?|fail\w*|crash\w*|bugs?|broken|breaks?|broke|(?:does|do|did)(?:n't| not) (?:work|render|load|show|start|build)\w*|not working|undefined|null|nan|exceptions?|wrong|issues?|problems?|stuck|weird|strange|returns? (?:null|undefined|nothing|an?|the|\d)|throws?|hangs?|freezes|freezing|frozen|slow|missing|blank|timeout|timed out|unexpected\w*|but (?:it|i|the|when|then|nothing|that)|and (?:it|then|get|got)|nothing happens|however|conflicts?|so i can)\b/i
const DOUBTFUL =
  /^(?:if|suppose|supposing|imagine|assum\w+|pretend|let's say|let us say|say|what if|when|whenever|while|once|as (?:a|an|the)|unless|given|act as|according|in the future)\b|\b(?:maybe|perhaps|probably|possibly|i think|i guess|i suppose|i believe|not sure|might|would|could|as if|wish|hypothetically|for example|said nobody|just kidding)\b|\bif (?!possible\b)/i
/** A predicate that tells how something is doing, not what it is. */
const CONDITION =
  /^(?:not|too|so|very|still|being|wrong|correct|right|missing|unset|empty|blank|broken|down|up|slow|fast|dead|cut|gone|lost|invalid|required|optional|on |off\b|in the |at the |the same|the (?:first|second|third|last|other)|angry|happy|sick|away|out|busy|late|that |how |why |what |behind|ahead|to \w+)/i
/** Lower case tells "blocked" from "Fred"; the name of a thing is neither. */
const STATE = /^[a-z]+(?:ed|ing)\b/
const STATE_OF_THING =
  /^(?:Blocked|Connected|Closed|Locked|Disabled|Enabled|Failed|Broken|Down|Angry|Late|Full|Ready)\b/
const A_DEVICE =
  '(?:mac|macbook|linux|windows|thinkpad|chromebook|pc|laptop|desktop|screen reader|standing desk|trackball|ergonomic|split|mechanical|dvorak|colemak|qwertz|azerty|dark|monorepo|tiling|small|large|big|dual)'
const ONE_OF_SOME = new RegExp(`^(?:an?|some|many|several|two|three|my own|another) (?!${A_DEVICE})`, 'i')
const USING = /^(?:i|we|our team|the team|my team) (?:[\w']+ )*?use\b/i
/** Verbs after which "the" points at something at hand. */
const WITH_POINTED_OBJECT =
  /\b(?:prefer|like|love|hate|enjoy|use|using|avoid|dislike|target|switched to|migrated to|moved to|live in|work (?:in|at|for)|went with|chose)\b/i

const CHANGES = [...CHANGES_OF_PERSON, ...CHANGES_OF_PROJECT]
const FACTS = [...CHANGES, ...ABOUT_THE_PERSON, ...ABOUT_THE_PROJECT]

/** The fact that a sentence tells without being asked for it; it begins with the fact itself. */
export function englishFact(sentence: string): Fact | undefined {
  const said = sentence
    .replace(/[.!\s]+$/, '')
    .replace(/^(?:please |you can |people )(?=(?:just )?call me )/i, '')
  if (DOUBTFUL.test(said)) return undefined
  if (REFERENCES.some(({ is }) => is.test(said))) return { type: 'reference', changed: false }
  if (FOR_THE_MOMENT.test(said) && !/^(?:the|our) /i.test(said)) return undefined
  if (TROUBLE.test(said)) return undefined
  for (const { type, is, unless } of FACTS) {
    const match = is.exec(said)
    if (!match || unless?.test(said) || !isLasting(said, match.groups ?? {})) continue
    return { type, changed: CHANGES.some(change => change.is === is) || / now\b|\bactually\b/i.test(said) }
  }
  return undefined
}

function isLasting(said: string, { object, value, thing }: Record<string, string | undefined>): boolean {
  if (value !== undefined && (CONDITION.test(value) || STATE.test(value) || POINTS.test(value))) return false
  if (thing !== undefined && (CONDITION.test(thing) || STATE.test(thing) || STATE_OF_THING.test(thing)))
    return false
  if (object === undefined) return true
  if (POINTS.test(object) || /\bones?$/i.test(object) || (USING.test(said) && ONE_OF_SOME.test(object)))
    return false
  return !(POINTS_WITH_THE.test(object) && WITH_POINTED_OBJECT.test(said))
}

/** "Hi, I'm Ann": after a greeting a name is a name; elsewhere "I'm Done" might not be. */
const INTRODUCTION = new RegExp(
  `^(?:[Hh]i|[Hh]ello|[Hh]ey|[Gg]ood (?:morning|evening|afternoon))(?: there| all| everyone)?[,.!]* (?:I'm|I am|[Tt]his is|[Mm]y name is) (?!Ok\\b|OK\\b|Done|Back|Stuck|New|Not|Here|Sorry|Trying|Looking|Working|Getting|Having)(?<name>${NAME})(?=[,.!]|$| and | from )`,
  'u',
)

export function introducedName(sentence: string): string | undefined {
  return INTRODUCTION.exec(sentence)?.groups?.name
}
