import {
  type Day,
  dayInWeek,
  daysAfter,
  isoDay,
  isoMonth,
  isoQuarter,
  isoYear,
  lastWeekday,
  namedMonth,
  nextWeekday,
} from './calendar.ts'
import { sentenceAround } from './places.ts'
import type { Rule } from './rule.ts'
import { isOfMany, isRoutine, tenseOf } from './tense.ts'

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const SMALL_NUMBERS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen'.split(' ')

const WEEKDAY =
  '(?<weekday>monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tues?|wed|thu(?:rs)?|fri|sat)'
const MONTH =
  '(?<month>january|february|march|april|may|june|july|august|september|october|november|december)'
const COUNT = `(?<count>\\d{1,3}|an?|a couple of|${SMALL_NUMBERS.slice(1).join('|')})`
/** "on Friday mornings" recurs, so the plural stops the whole match. */
const PART = '(?! (?:morning|afternoon|evening|night)s\\b)(?: (?<part>morning|afternoon|evening|night))?'
/** With a determiner it is a span ("over the last month") or somebody's ("my last year at school"). */
const NO_DETERMINER =
  '(?<!\\b(?:the|my|his|her|its|their|our|your|an?|every|each|one|per|no|very|at|\\d) )(?<!\\b(?:2|3|two|three) to )'
const NOT_OF = "(?! of\\b)(?!['’]? time\\b)"

export const ENGLISH_RULES: readonly Rule[] = [
  rule(`${notRange()}\\b${COUNT} weeks? ago today\\b`, ({ today, groups }) =>
    isoDay(daysAfter(today, -7 * countOf(groups.count))),
  ),
  rule('\\b(?:the )?day before yesterday\\b', ({ today }) => isoDay(daysAfter(today, -2))),
  rule('\\b(?:the )?day after tomorrow\\b', ({ today }) => isoDay(daysAfter(today, 2))),
  rule('\\b(?:the )?week before last\\b', ({ today, match }) => firstLetterLike(match, weekOf(today, -2))),
  rule('\\b(?:the )?week after next\\b', ({ today, match }) => firstLetterLike(match, weekOf(today, 2))),
  rule(`\\b${WEEKDAY} (?:of |in )?(?<which>last|this|next) week\\b${NOT_OF}`, weekdayOfWeek),
  rule(`\\b(?<which>last|this|next) week,? (?:on )?${WEEKDAY}\\b`, weekdayOfWeek),
  rule(`\\b(?<which>yesterday|today|tomorrow)\\b${PART}\\b`, ({ today, match, groups }) => {
    if (isProperName(match)) return undefined
    const days = { yesterday: -1, today: 0, tomorrow: 1 }[lower(groups.which)] ?? 0
    return withPart(match, isoDay(daysAfter(today, days)), groups.part)
  }),
  rule('\\btonight\\b', ({ today, match }) =>
    isProperName(match) ? undefined : withPart(match, isoDay(today), 'evening'),
  ),
  rule('\\bthis (?<part>morning|afternoon|evening)\\b', ({ today, match, groups }) =>
    withPart(match, isoDay(today), groups.part),
  ),
  rule(`${NO_DETERMINER}\\blast night\\b`, ({ today, match }) =>
    withPart(match, isoDay(daysAfter(today, -1)), 'night'),
  ),
  rule(`${notRange()}\\b${COUNT} (?<unit>day|week|month|year)s? ago\\b`, ({ today, match, groups }) =>
    ago(match, today, -countOf(groups.count), groups.unit, ''),
  ),
  rule(`${notRange()}\\b${COUNT} (?<unit>day|week|month|year)s? from now\\b`, ({ today, match, groups }) =>
    ago(match, today, countOf(groups.count), groups.unit, ''),
  ),
  rule(
    `\\bin ${COUNT} (?<unit>day|week|month|year)s?(?:['’]? time)?\\b(?! (?:before|after|of|or|to)\\b)`,
    ({ today, match, groups }) => {
      const sentence = sentenceOf(match)
      const isDuration =
        (tenseOf(sentence) !== 'future' || DURATION.test(sentence.before) || isOfMany(sentence)) &&
        !FORESEEN.test(sentence.before)
      return isDuration
        ? undefined
        : ago(match, today, countOf(groups.count), groups.unit, firstLetterLike(match, 'on '))
    },
  ),
  rule(
    `${NO_DETERMINER}\\b(?<which>last|next|this past|this coming|coming|this) ${WEEKDAY}\\b${NOT_OF}${PART}\\b(?!s)`,
    ({ today, match, groups }) => {
      const weekday = weekdayNumber(groups.weekday)
      if (weekday === undefined || isFollowedByDate(match)) return undefined
      const which = lower(groups.which)
      const isPast =
        which === 'last' ||
        which === 'this past' ||
        (which === 'this' && tenseOf(sentenceOf(match)) === 'past')
      const day = isPast
        ? lastWeekday(today, weekday)
        : nextWeekday(which === 'this' ? daysAfter(today, -1) : today, weekday)
      return withPart(match, isoDay(day), groups.part)
    },
  ),
  rule(
    `${NO_DETERMINER}\\b(?<which>last|this|next) (?<unit>weekend|week|month|quarter|year)\\b${NOT_OF}`,
    ({ today, match, groups }) => {
      const steps = { last: -1, this: 0, next: 1 }[lower(groups.which)] ?? 0
      const unit = lower(groups.unit)
      if (unit === 'weekend') return `the weekend of ${isoDay(dayInWeek(today, steps, 5))}`
      if (unit === 'week') return afterAdverb(match, weekOf(today, steps))
      if (unit === 'month') return inPeriod(match, isoMonth(today, steps))
      if (unit === 'quarter') return inPeriod(match, isoQuarter(today, steps))
      return inPeriod(match, isoYear(today, steps))
    },
  ),
  rule(`${NO_DETERMINER}\\b(?<which>last|this|next) ${MONTH}\\b(?! \\d)`, ({ today, match, groups }) => {
    const name = groups.month ?? ''
    if (!/^[A-Z]/.test(name)) return undefined
    const direction = groups.which?.toLowerCase() === 'last' ? -1 : lower(groups.which) === 'next' ? 1 : 0
    return inPeriod(match, namedMonth(today, MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1, direction))
  }),
  rule(
    `\\b(?<preposition>on|by|until|till|before|after|since|from|starting|beginning|starts|begins|ends|due|for|to) ${WEEKDAY}\\b${PART}\\b`,
    ({ today, match, groups }) => {
      const weekday = weekdayNumber(groups.weekday)
      const sentence = sentenceOf(match)
      const tense = tenseOf(sentence)
      if (weekday === undefined || isFollowedByDate(match) || tense === 'habit' || isRange(match))
        return undefined
      const preposition = groups.preposition ?? ''
      if (/^(?:on|to|for)$/i.test(preposition) && isRoutine(sentence)) return undefined
      const isPast =
        /^since$/i.test(preposition) || (/^(?:on|after|from)$/i.test(preposition) && tense === 'past')
      const day = isPast ? lastWeekday(today, weekday) : nextWeekday(today, weekday)
      return `${preposition} ${withPart(undefined, isoDay(day), groups.part)}`
    },
  ),
]

/** "can be done in 3 days", "expires in 30 days": how long something takes or lasts, not when it is. */
const DURATION =
  /\b(?:can|could|done|takes?|taking|expires?|finish(?:es|ed)?|ttl|retention|times? out|within|if|when|able|times?|once|twice|average|many|much|up)\b/i
/** "should be finished in two weeks": when, after all. */
const FORESEEN =
  /\b(?:should|will|shall|must|supposed to|expected to|going to) be (?:\w+ly )?(?:finished|done|ready|completed?|live|out|over|closed|merged|released|shipped) $/i
const MONTH_OR_SEASON_BEFORE =
  /\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec|q[1-4]|spring|summer|autumn|fall|winter|early|late|mid)[a-z]*,? $/i
const PREPOSITION_BEFORE =
  /\b(?:in|since|until|till|by|from|to|of|for|before|after|during|around|about|between|through|than|over|and|or|as|the|vs\.?) $/i
const SUBJECT_AFTER = /^,? (?:we|i|they|he|she|it|you|there|the|our|my|their|his|her|an?)\b/i

function rule(source: string, to: Rule['to']): Rule {
  return { pattern: new RegExp(source, 'gi'), to }
}

/** The second number of "2-3 weeks ago" or "two or three days ago" alone would be a false precision. */
function notRange(): string {
  return `(?<![\\d.,–-])(?<!\\b(?:\\d+|half|${SMALL_NUMBERS.join('|')}) (?:or|to|and) )`
}

function weekdayOfWeek({ today, groups }: Parameters<Rule['to']>[0]): string | undefined {
  const weekday = weekdayNumber(groups.weekday)
  if (weekday === undefined) return undefined
  const weeks = { last: -1, this: 0, next: 1 }[lower(groups.which)] ?? 0
  return isoDay(dayInWeek(today, weeks, weekday))
}

/** So many units away, as precise as the unit: a week ago is a week, not a day. */
function ago(match: RegExpExecArray, today: Day, count: number, unit = 'day', beforeDay: string): string {
  if (/^day/i.test(unit)) return beforeDay + isoDay(daysAfter(today, count))
  if (/^week/i.test(unit)) return firstLetterLike(match, weekOf(today, count))
  return inPeriod(match, /^month/i.test(unit) ? isoMonth(today, count) : isoYear(today, count))
}

function weekOf(today: Day, weeks: number): string {
  return `the week of ${isoDay(dayInWeek(today, weeks, 0))}`
}

function withPart(match: RegExpExecArray | undefined, day: string, part: string | undefined): string {
  if (part === undefined) return day
  const words = `the ${part.toLowerCase()} of ${day}`
  return match === undefined ? words : firstLetterLike(match, words)
}

/** "He joined last year" needs an "in" that "since last year" and "March last year" do not. */
function inPeriod(match: RegExpExecArray, period: string): string {
  if (/^in /i.test(match[0])) return `${match[0].slice(0, 2)} ${period}`
  const before = match.input.slice(Math.max(0, match.index - 24), match.index)
  const after = match.input.slice(match.index + match[0].length, match.index + match[0].length + 12)
  if (/^['’]s|^-/.test(after) || PREPOSITION_BEFORE.test(before) || MONTH_OR_SEASON_BEFORE.test(before))
    return period
  if (/[\p{L}\p{N})] $/u.test(before)) return `in ${period}`
  return SUBJECT_AFTER.test(after) ? firstLetterLike(match, `in ${period}`) : period
}

function afterAdverb(match: RegExpExecArray, week: string): string {
  const before = match.input.slice(Math.max(0, match.index - 12), match.index)
  if (/\b(?:earlier|later|early|late|sometime) $/i.test(before)) return `in ${week}`
  return firstLetterLike(match, week)
}

function firstLetterLike(match: RegExpExecArray, words: string): string {
  return /^[A-Z]/.test(match[0]) ? words.charAt(0).toUpperCase() + words.slice(1) : words
}

function weekdayNumber(name = ''): number | undefined {
  const isFullName = name.toLowerCase().endsWith('day')
  // "sat" and "wed" are verbs unless they are written as names.
  if (!isFullName && !/^[A-Z][a-z]+$/.test(name)) return undefined
  return WEEKDAYS.indexOf(name.slice(0, 3).toLowerCase())
}

function countOf(words = ''): number {
  const lowered = words.toLowerCase()
  if (/^\d/.test(lowered)) return Number(lowered)
  if (lowered === 'a couple of') return 2
  return Math.max(1, SMALL_NUMBERS.indexOf(lowered))
}

/** A capital in the middle of a sentence, or a title in quotes: "USA Today", “Today Show”. */
function isProperName(match: RegExpExecArray): boolean {
  if (!/^[A-Z][a-z]/.test(match[0])) return false
  const before = match.input.slice(Math.max(0, match.index - 3), match.index)
  const after = match.input.slice(match.index + match[0].length, match.index + match[0].length + 2)
  return /[\p{L}\p{N},] $/u.test(before) || (/["'“‘]$/.test(before) && /^ [A-Z]/.test(after))
}

/** "on Friday, 10 April" or "on Friday the 13th", but not "on Friday 5pm". */
function isFollowedByDate(match: RegExpExecArray): boolean {
  const after = match.input.slice(match.index + match[0].length, match.index + match[0].length + 24)
  if (/^,? \(?\d{1,2}(?::\d\d| ?[ap]\.?m\b|h\b)/i.test(after)) return false
  return new RegExp(`^,? \\(?(?:\\d|the \\d|(?:${MONTHS.join('|')})[a-z]*\\.? \\d)`, 'i').test(after)
}

/** "from Monday to Friday", "Monday through Friday", "on Monday and Thursday": days of any week. */
function isRange(match: RegExpExecArray): boolean {
  const names = WEEKDAYS.join('|')
  const before = match.input.slice(Math.max(0, match.index - 12), match.index)
  const after = match.input.slice(match.index + match[0].length, match.index + match[0].length + 20)
  return (
    (/^(?:to|until|till)$/i.test(match.groups?.preposition ?? '') &&
      new RegExp(`\\b(?:${names})[a-z]* $`, 'i').test(before)) ||
    new RegExp(`^(?: (?:to|through|thru|and|or|until) |[-–/]|, )(?:${names})[a-z]*\\b`, 'i').test(after)
  )
}

function sentenceOf(match: RegExpExecArray): { before: string; after: string } {
  return sentenceAround(match.input, match.index, match.index + match[0].length)
}

function lower(word: string | undefined): string {
  return (word ?? '').toLowerCase()
}
