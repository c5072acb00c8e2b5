/** How each thing that a person wants is done: what to call, and what to say when the results are there. */
import type { Asking } from './asking.ts'
import type { Made, Result } from './conversation.ts'
import { clearlyMeant, type Finding, findingsIn, putRightBy, relevant } from './findings.ts'
import type { Forgetting } from './forgetting.ts'
import type { Desk } from './next-step.ts'
import { PHRASES } from './phrases.ts'
import type { Language } from './sentences.ts'
import { choiceLine, factOf, headline, memoryLine, type Said, saidIn, saidLine } from './showing.ts'
import type { MemoryType, Statement } from './statement.ts'
import { searchWords, tellingWords, type Word } from './words.ts'

/** How many memories a search brings, and how many of them an answer shows. */
const SEARCHED = 10
const SEARCHED_BROADLY = 50
const SHOWN = 5
const SHOWN_BROADLY = 12
const SHOWN_SESSIONS = 6
const SEARCHED_SESSIONS = 30
/** As many as one wish to forget everything about a subject may take. */
const MOST_FORGOTTEN = 20
const DAY_MS = 24 * 60 * 60 * 1000

/** An act that waits for a result says nothing yet. */
const WAITING = ''

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
}

function draftOf({ type, name, description, body }: Statement): Record<string, unknown> {
  return { type, name, description, body }
}

export function save(statement: Statement, language: Language, desk: Desk): string {
  // Who did not ask for it need not be told that it was not kept.
  if (!desk.has('memory_save')) return statement.kind === 'stated' ? WAITING : PHRASES[language].memoryOff
  return saved(statement, draftOf(statement), language, desk)
}

function saved(statement: Statement, draft: Record<string, unknown>, language: Language, desk: Desk): string {
  const phrases = PHRASES[language]
  const result = desk.result('memory_save', draft)
  if (!result) return WAITING
  const file = result.ok ? fieldOf(result.value, 'file') : undefined
  if (!result.ok || typeof file !== 'string') return phrases.notKept(messageOf(result))
  if (fieldOf(result.value, 'unchanged') === true) return phrases.known(headline(statement), file)
  const told = fieldOf(result.value, 'created') === false ? phrases.updated : phrases.remembered
  return told(headline(statement), file)
}

function messageOf(result: Result): string {
  const message = result.ok ? (typeof result.value === 'string' ? result.value : '') : result.message
  return message.slice(0, 500).toWellFormed()
}

/** First what it contradicts: the memory that is about the same is updated, under its own name. */
export function correct(statement: Statement, language: Language, desk: Desk): string {
  if (!desk.has('memory_save')) return PHRASES[language].memoryOff
  const words = tellingWords(`${statement.name} ${statement.description} ${statement.body}`)
  const found =
    desk.has('memory_search') && words.length > 0
      ? search(desk, { query: searchWords(words), k: SEARCHED })
      : []
  if (!Array.isArray(found)) return WAITING
  const old = putRightBy(statement, found)
  const draft = draftOf(statement)
  return saved(statement, old ? { ...draft, type: old.type, name: old.name } : draft, language, desk)
}

/** What a search found; a failed one found nothing, and an unanswered one is not there. */
function search(desk: Desk, input: Record<string, unknown>): Finding[] | undefined {
  const result = desk.result('memory_search', input)
  return result && (result.ok ? findingsIn(result.value) : [])
}

export function forget(
  { what, everything, file }: Forgetting,
  words: readonly Word[],
  language: Language,
  desk: Desk,
): string {
  const phrases = PHRASES[language]
  if (!desk.has('memory_forget')) return phrases.memoryOff
  if (file !== undefined) return forgetChosen([file], language, desk)
  const aboutMe = /^(?:me|myself|我)$/i.test(what)
  if (words.length === 0 && !aboutMe) {
    if (everything) return phrases.forgetAll
    const last = what === '' ? savedBefore(desk.turn.before?.made ?? []) : []
    return last.length === 1 ? forgetChosen(last, language, desk) : phrases.forgetWhat
  }
  const found = search(
    desk,
    aboutMe ? { type: 'user', k: SEARCHED_BROADLY } : { query: searchWords(words), k: SEARCHED_BROADLY },
  )
  if (!found) return WAITING
  const meant = aboutMe ? found.map(finding => ({ finding, covers: 1 })) : relevant(words, found)
  if (meant.length === 0) return phrases.nothingToForget(what)
  const one = clearlyMeant(meant)
  if (everything)
    return forgetAll(
      meant.map(({ finding }) => finding),
      language,
      desk,
    )
  if (one) return forgetAll([one], language, desk)
  return phrases.whichToForget(meant.slice(0, SHOWN).map(({ finding }, at) => choiceLine(finding, at + 1)))
}

function savedBefore(made: readonly Made[]): string[] {
  return made.flatMap(({ name, result }) => {
    const file = name === 'memory_save' && result?.ok ? fieldOf(result.value, 'file') : undefined
    return typeof file === 'string' ? [file] : []
  })
}

export function forgetChosen(files: readonly string[], language: Language, desk: Desk): string {
  if (!desk.has('memory_forget')) return PHRASES[language].memoryOff
  return files.map(file => forgotten(file, undefined, language, desk)).join('\n')
}

function forgetAll(findings: readonly Finding[], language: Language, desk: Desk): string {
  const told = findings
    .slice(0, MOST_FORGOTTEN)
    .map(finding => forgotten(finding.file, finding.name || factOf(finding), language, desk))
  return told.join('\n').trim()
}

function forgotten(file: string, what: string | undefined, language: Language, desk: Desk): string {
  const phrases = PHRASES[language]
  const result = desk.result('memory_forget', { file })
  if (!result) return WAITING
  return result.ok ? phrases.forgotten(what, file) : phrases.notForgotten(file, messageOf(result))
}

type Question = Exclude<Asking, { about: 'sessions' }>

const PREFERENCE =
  /\bprefer|\blikes?\b|\bloves?\b|\bhates?\b|\benjoys?\b|\buses?\b|favou?rite|\balways\b|\bnever\b|can't stand|doesn't like|\bavoids?\b|偏好|喜欢|讨厌|习惯|总是|从不|用|最爱|不要|以后/i

/** Which types of memory a broad question is about; undefined for all of them. */
const TYPES_ASKED: Readonly<
  Record<Exclude<Question['about'], 'words'>, ReadonlyArray<MemoryType | undefined>>
> = {
  person: ['user', 'feedback'],
  preferences: ['user', 'feedback'],
  project: ['project', 'reference'],
  everything: [undefined],
}

export function answer(question: Question, language: Language, desk: Desk): string {
  const phrases = PHRASES[language]
  const { recalled } = desk.turn
  if (!desk.has('memory_search')) {
    const known =
      question.about === 'words' ? relevant(question.words, recalled).map(({ finding }) => finding) : recalled
    return known.length > 0 ? listed(known, SHOWN, language) : phrases.memoryOff
  }
  if (question.about === 'words') return answerWords(question, language, desk)
  const inputs = TYPES_ASKED[question.about].map(type => ({ ...(type && { type }), k: SEARCHED_BROADLY }))
  const results = inputs.map(input => search(desk, input))
  if (results.includes(undefined)) return WAITING
  const found = results.flatMap(each => each ?? [])
  if (found.length === 0) return phrases.nothingYet[question.about]
  const likes = found.filter(({ name, description, body }) =>
    PREFERENCE.test(`${name}\n${description}\n${body}`),
  )
  return listed(question.about === 'preferences' && likes.length > 0 ? likes : found, SHOWN_BROADLY, language)
}

function answerWords(
  { words, personal }: Extract<Question, { about: 'words' }>,
  language: Language,
  desk: Desk,
): string {
  const phrases = PHRASES[language]
  const result = desk.result('memory_search', { query: searchWords(words), k: SEARCHED })
  if (!result) return WAITING
  if (!result.ok) return phrases.searchFailed(messageOf(result))
  const found = findingsIn(result.value)
  const attached = desk.turn.recalled.filter(({ file }) => !found.some(other => other.file === file))
  const known = relevant(words, [...found, ...attached])
  if (known.length > 0)
    return listed(
      bestOf(known).map(({ finding }) => finding),
      SHOWN,
      language,
    )
  const nothing = phrases.nothingAbout(words.map(({ word }) => word).join(language === 'zh' ? '、' : ' '))
  return personal ? nothing : `${nothing}\n${phrases.notAModel}`
}

/** Beside a full answer, half answers are noise. */
function bestOf<T extends { covers: number }>(rated: readonly T[]): T[] {
  const best = rated[0]?.covers ?? 0
  return rated.filter(({ covers }) => covers > best / 2)
}

function listed(findings: readonly Finding[], most: number, language: Language): string {
  const phrases = PHRASES[language]
  const lines = findings.slice(0, most).map(finding => memoryLine(finding, language))
  const left = findings.length - lines.length
  return [phrases.found, ...lines, ...(left > 0 ? [phrases.more(left)] : [])].join('\n')
}

/** What was talked about. Without a subject the newest is asked for, and the day chooses among it. */
export function sessions(
  { words, daysAgo }: Extract<Asking, { about: 'sessions' }>,
  language: Language,
  desk: Desk,
): string {
  const phrases = PHRASES[language]
  if (!desk.has('session_search')) return phrases.noSessions
  const subject = words.map(({ word }) => word).join(' ')
  const day = daysAgo === undefined ? undefined : phrases.daysAgo(daysAgo)
  // A search needs a word: without a subject it is the day, and then the dates of what is found decide.
  const query = subject || day || phrases.conversation
  const result = desk.result('session_search', { query, k: subject === '' ? SEARCHED_SESSIONS : SEARCHED })
  if (!result) return WAITING
  if (!result.ok) return phrases.searchFailed(messageOf(result))
  const said = saidIn(result.value).filter(
    ({ at }) => daysAgo === undefined || isDaysAgo(at, daysAgo, desk.now),
  )
  if (said.length === 0) return phrases.nothingInSessions(subject, day)
  const lines = oneOfEach(said)
    .slice(0, SHOWN_SESSIONS)
    .map(each => saidLine(each, language))
  return [phrases.inSessions, ...lines].join('\n')
}

/** One line of each conversation, the person's own words where there are some. */
function oneOfEach(said: readonly Said[]): Said[] {
  const sessions = [...new Set(said.map(({ session }) => session))]
  return sessions.flatMap(session => {
    const lines = said.filter(each => each.session === session)
    return lines.find(({ role }) => role === 'user') ?? lines[0] ?? []
  })
}

/** Whether a time lies on the day so many days before today, by the calendar of this place. */
function isDaysAgo(at: string, daysAgo: number, now: Date): boolean {
  const time = Date.parse(at)
  if (Number.isNaN(time)) return true
  const day = (date: Date): number =>
    Math.round(new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime() / DAY_MS)
  return day(now) - day(new Date(time)) === daysAgo
}
