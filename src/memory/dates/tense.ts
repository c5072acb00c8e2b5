/** What a weekday or a span of days in an English sentence refers to. */
export type Tense = 'past' | 'future' | 'habit'

/** Rules and routines: "never deploy on Friday", "backups run every week on Monday". */
const HABIT =
  /\b(?:every|each|always|usually|often|normally|typically|regularly|recurring|daily|weekly|biweekly|monthly|never|don't|do not|doesn't|does not|avoid|no|not|prefers?|whenever|except|unless|only|tends?|likes?|hates?|per)\b/i

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

/** The verb closest before the date decides, then the first one after it; without a verb it lies ahead. */
export function tenseOf(sentence: { before: string; after: string }): Tense {
  if (HABIT.test(sentence.before) || HABIT.test(sentence.after)) return 'habit'
  const closest = [...sentence.before.matchAll(CUES)].at(-1) ?? [...sentence.after.matchAll(CUES)][0]
  return closest?.groups?.past === undefined ? 'future' : 'past'
}
