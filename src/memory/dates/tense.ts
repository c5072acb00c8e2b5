/** What a weekday or a span of days in an English sentence refers to. */
export type Tense = 'past' | 'future' | 'habit'

/** What stands before and after the date. */
interface Sentence {
  before: string
  after: string
}

/** Rules and routines: "never deploy on Friday", "backups run every week on Monday". */
const HABIT =
  /\b(?:every|each|always|usually|often|normally|typically|regularly|recurring|daily|weekly|biweekly|monthly|never|don't|do not|doesn't|does not|avoid|no|not|prefers?|whenever|except|unless|only|tends?|likes?|hates?|per)\b/i

/** Things that happen again and again, so that a weekday beside them is any week's: "the retro is on Tuesday". */
const ROUTINE =
  /\b(?:stand-?ups?|scrums?|retros?|retrospectives?|syncs?|one-on-ones?|1:1s?|sprints?|iterations?|grooming|refinement|planning|triage|office hours|all-hands|town hall|class(?:es)?|lessons?|practices?|rehearsals?|gym|choir|shifts?|rota|on-call|newsletter|trash|garbage|rubbish|bins?|market|day off|days off|payday|closed|opening hours|from home|remote(?:ly)?|happens?|takes? place|occurs?|rotates?|meets?)\b/i
/** What people do on a day of the week: "we deploy on Friday", "Plays tennis on Saturday". */
const CUSTOM = new RegExp(
  `(?:^\\W*(?=\\w+s\\b)|\\b(?:I|we|We|you|You|they|They|he|He|she|She|who|team|[A-Z][a-z]+) (?:also |both |all )?)(?i:${[
    'deploys?|releases?|plays?|trains?|swims?|teach(?:es)?|volunteers?|cleans?|cooks?|bakes?',
    '(?:go(?:es)?|gets?) to (?:yoga|pilates|church|mosque|temple|swimming|football|judo|karate|ballet|dancing|training)',
  ].join('|')})\\b`,
)
/** Many of a kind, and what they do at any time: "Releases happen on Friday", "Invoices are due in 14 days". */
const MANY =
  /^\W*(?:(?:all|our|most|new|old) )?(?:[a-z-]+ ){0,2}[a-z-]*(?:[^s\W]s|sses) (?:are|go|get|come|run|start|begin|end|open|close|ship|leave|arrive|expire|happen|take|have)\b/i

const MOVED = /\b(?:moved|shifted|changed|switched|rescheduled)\b/i
/** One time of them, after all. */
const SINGLE = /\b(?:will|going to|this|these|today|now|once|first|next|last)\b|['’]ll\b/i

/** What is said of many has no day of its own. */
export function isOfMany({ before, after }: Sentence): boolean {
  return MANY.test(before) && !SINGLE.test(before + after)
}

/** Whether a weekday may just as well be that of every week; which of them was meant nobody can tell then. */
export function isRoutine(sentence: Sentence): boolean {
  const { before, after } = sentence
  if (isOfMany(sentence)) return true
  if (SINGLE.test(before + after) || !(ROUTINE.test(before + after) || CUSTOM.test(before))) return false
  return MOVED.test(before) || tenseOf(sentence) !== 'past'
}

const BE_BEFORE_PARTICIPLE =
  /\b(?:is|are|am|be|being|gets?)(?: (?:not|also|now|still|already|currently))? [a-z]+|['’](?:s|re) [a-z]+/
const PLANS =
  /\b(?:will|shall|won't|must|should|needs?|wants?|plans?|planned|scheduled|supposed|expected|due|deadline|going to|let's|can|may|might)\b|['’]ll\b|\bto (?!the\b|an?\b|my\b|our\b|his\b|her\b|their\b|its\b|be\b)[a-z]+/
const PAST_VERBS =
  /\b(?:was|were|had|did|didn't|met|went|said|told|gave|broke|came|found|got|made|sent|left|began|saw|took|wrote|ran|lost|won|spoke|chose|built|held|kept|fell|felt|grew|knew|led|meant|paid|sold|spent|stood|taught|thought|understood|cut|quit|hit|bought|brought|caught|became|drove|flew|rewrote)\b|\b(?!need\b|feed\b|speed\b|seed\b|embed\b|indeed\b|exceed\b|proceed\b|succeed\b|hundred\b)[a-z]{2,}ed\b/
const CUES = new RegExp(
  `(?<plan>${BE_BEFORE_PARTICIPLE.source}|${PLANS.source})|(?<past>${PAST_VERBS.source})`,
  'gi',
)

/** "The demo is on Friday, the freeze started today": what follows tells of something else. */
const IS_RIGHT_BEFORE = /(?:\b(?:is|are|am)|['’](?:s|re)) $/i

/** The verb closest before the date decides, then the first one after it; without a verb it lies ahead. */
export function tenseOf(sentence: Sentence): Tense {
  if (HABIT.test(sentence.before) || HABIT.test(sentence.after)) return 'habit'
  if (IS_RIGHT_BEFORE.test(sentence.before)) return 'future'
  const closest = [...sentence.before.matchAll(CUES)].at(-1) ?? [...sentence.after.matchAll(CUES)][0]
  return closest?.groups?.past === undefined ? 'future' : 'past'
}
