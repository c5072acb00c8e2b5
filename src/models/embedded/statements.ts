/** The statements in a message that are worth keeping. Not sure means not kept. */
import { askedFor } from './asked.ts'
import { chineseFact } from './chinese-facts.ts'
import { chineseNaming, chineseRuleNaming, chineseSentence } from './chinese-naming.ts'
import { chineseAddition, chineseInstruction, chineseReason, chineseRule } from './chinese-rules.ts'
import { englishFact, introducedName } from './english-facts.ts'
import { englishNaming, englishRuleNaming, englishSentence, type Naming } from './english-naming.ts'
import {
  englishAddition,
  englishInstruction,
  englishLesson,
  englishReason,
  englishRule,
} from './english-rules.ts'
import { forgetting } from './forgetting.ts'
import { isCorrection, withoutLead } from './leads.ts'
import { finishedDescription, finishedName, LONGEST_BODY } from './naming.ts'
import { ownWords } from './own-words.ts'
import { type Language, languageOf, type Sentence, sentencesOf } from './sentences.ts'
import { smallTalk } from './small-talk.ts'
import type { Fact, MemoryType, Rule, Statement } from './statement.ts'

/** What a language knows about statements. */
interface Grammar {
  fact(said: string): Fact | undefined
  rule(said: string): Rule | undefined
  /** A rule that is known by its reason, which stands in the sentence as well. */
  lesson?(said: string): Rule | undefined
  instruction(content: string): string | undefined
  reason(said: string): { said: string; why?: string }
  addition(said: string): { why: string } | { how: string } | undefined
  naming(said: string, type: MemoryType): Naming
  ruleNaming(rule: string): Naming
  sentence(text: string): string
}

const GRAMMARS: Readonly<Record<Language, Grammar>> = {
  en: {
    fact: englishFact,
    rule: englishRule,
    lesson: englishLesson,
    instruction: englishInstruction,
    reason: englishReason,
    addition: englishAddition,
    naming: englishNaming,
    ruleNaming: englishRuleNaming,
    sentence: englishSentence,
  },
  zh: {
    fact: chineseFact,
    rule: chineseRule,
    instruction: chineseInstruction,
    reason: chineseReason,
    addition: chineseAddition,
    naming: chineseNaming,
    ruleNaming: chineseRuleNaming,
    sentence: chineseSentence,
  },
}

/** A message keeps at most this many; whoever says more at once has pasted it. */
const MOST_STATEMENTS = 12

/** What follows is made up, or is to be written, and is nobody's life. */
const FICTION =
  /\b(?:write|tell|compose|make up|invent|continue|create|draft)\b.{0,40}\b(?:story|poem|novel|screenplay|dialog(?:ue)?|song|lyrics|fairy tale|joke|limerick|haiku)\b|\brole-?play|\bpretend\b|\bact as\b|^you(?:'re| are) (?:an?|the) |^你是(?:一个|一名|一位)|(?:写|编|讲|续写|创作).{0,12}(?:故事|诗|小说|剧本|歌词|童话|笑话)|角色扮演|扮演/i

/** A sentence, and what it turned out to be. */
export interface Reading {
  sentence: Sentence
  statements: Statement[]
  /** `remembered` asks to keep what stands elsewhere, `reason` belongs to the sentence before it. */
  role: 'statement' | 'remembered' | 'reason' | 'other'
}

/** The keepable statements of a person's message: what extraction learns from. */
export function statementsIn(text: string, now: Date): Statement[] {
  const readings = readSentences(sentencesOf(ownWords(text)), now)
  return readings.flatMap(({ statements }) => statements)
}

/** Reads sentence by sentence; each reading may depend on those before it. */
export function readSentences(sentences: readonly Sentence[], now: Date): Reading[] {
  const readings: Draft[] = []
  let listed = false
  for (const sentence of sentences) {
    const reading = readNext(sentence, readings, sentences.length === 1)
    if (listed) keepOnRequest(reading)
    listed ||= reading.listBegins === true
    readings.push(reading)
  }
  const invented = sentences.some(({ text }) => FICTION.test(text))
  const busy = readings.some(({ sentence, role }) => role === 'other' && !smallTalk(sentence))
  const seen = new Set<string>()
  return readings.map(({ sentence, role, kept }) => {
    const statements = kept
      .filter(({ kind }) => kind === 'asked' || !invented)
      .filter(({ weak, kind }) => kind === 'asked' || !(weak && busy))
      .map(draft => finished(draft, now))
      .filter(({ type, name }) => {
        const key = `${type} ${name.toLowerCase()}`
        if (seen.has(key) || seen.size === MOST_STATEMENTS) return false
        seen.add(key)
        return true
      })
    return { sentence, role, statements }
  })
}

interface Kept {
  type: MemoryType
  said: string
  rule?: string
  why?: string
  how?: string
  weak: boolean
  kind: Statement['kind']
  language: Language
}

interface Draft {
  sentence: Sentence
  role: Reading['role']
  kept: Kept[]
  /** What follows was asked for. */
  listBegins?: boolean
}

function readNext(sentence: Sentence, before: Draft[], alone: boolean): Draft {
  const { text, language } = sentence
  const last = before.at(-1)
  const asked = askedFor(text, language)
  if (asked?.what === 'content') return readRequest(sentence, asked, alone)
  if (asked?.what === 'what follows') {
    const first = asked.content === '' ? undefined : onRequest(asked.content, language)
    return { sentence, role: 'remembered', kept: first ? [first] : [], listBegins: true }
  }
  if (asked) {
    const meant = asked.what === 'before' ? before.slice(-1) : before
    for (const reading of meant) keepOnRequest(reading)
    return { sentence, role: 'remembered', kept: [] }
  }
  const rule = before.findLast(({ role }) => role !== 'reason')?.kept.at(-1)
  const addition = rule && GRAMMARS[language].addition(text)
  if (rule && addition && (rule.type === 'feedback' || rule.type === 'project')) {
    Object.assign(rule, addition)
    return { sentence, role: 'reason', kept: [] }
  }
  if (sentence.question || forgetting(text, language)) return { sentence, role: 'other', kept: [] }
  const corrects = last !== undefined && isCorrection(last.sentence.text, last.sentence.language)
  const kept = inPassing(text, language, corrects)
  return { sentence, role: kept ? 'statement' : 'other', kept: kept ? [kept] : [] }
}

function readRequest(
  sentence: Sentence,
  { content, toDo, loose }: { content: string; toDo: boolean; loose: boolean },
  alone: boolean,
): Draft {
  const kept = onRequest(content, sentence.language)
  // "Don't forget to add tests" is about the task at hand, unless it is a rule in so many words.
  const errand = (toDo || (loose && isErrand(content))) && !GRAMMARS[languageOf(content)].rule(content)
  const wanted = kept && !(errand && (loose || !alone))
  return { sentence, role: wanted ? 'statement' : 'other', kept: wanted ? [kept] : [] }
}

/** Chinese has no "to" in "don't forget to": a bare verb in front tells. */
function isErrand(content: string): boolean {
  if (languageOf(content) === 'en') return false
  return (
    chineseFact(content) === undefined &&
    !/^(?:我|咱|他|她|项目|團隊|团队|公司|客户|.{1,12}(?:是|在|叫))/.test(content)
  )
}

/** What was said before is kept because somebody asks for it now. */
function keepOnRequest(reading: Draft): void {
  if (reading.kept.length > 0) {
    for (const kept of reading.kept) if (kept.kind === 'stated') kept.kind = 'asked'
    return
  }
  const { sentence } = reading
  if (sentence.question || reading.role !== 'other' || smallTalk(sentence)) return
  const kept = onRequest(sentence.text, sentence.language)
  if (!kept) return
  reading.kept = [kept]
  reading.role = 'statement'
}

function onRequest(content: string, spoken: Language): Kept | undefined {
  const language = languageOf(content)
  const { said, corrects } = withoutLead(content, language)
  const grammar = GRAMMARS[language]
  const plain = said.replace(/[。.!！~\s]+$/, '')
  if (plain.length < 2 || /^["“「『]/.test(plain)) return undefined
  const fact = grammar.fact(plain)
  const rule = fact ? undefined : grammar.instruction(plain)
  const type = fact?.type ?? (rule === undefined ? typeOf(plain) : 'feedback')
  const kind = corrects || fact?.changed ? 'correction' : 'asked'
  return kept({ type, said, rule, weak: false, kind, language: spoken === 'zh' ? language : 'en' })
}

function typeOf(said: string): MemoryType {
  if (/https?:\/\/\S/.test(said)) return 'reference'
  return /^(?:i|i'm|im|i've|i'd|my|me)\b|^我(?![们們])/i.test(said) ? 'user' : 'project'
}

function inPassing(text: string, language: Language, afterNo: boolean): Kept | undefined {
  const grammar = GRAMMARS[language]
  const introduced = introducedName(text)
  if (introduced !== undefined)
    return { type: 'user', said: `My name is ${introduced}`, weak: false, kind: 'stated', language }
  const { said, corrects } = withoutLead(text, language)
  if (/^["“「『'`]/.test(said)) return undefined
  const { said: claim } = grammar.reason(said)
  const rule = grammar.rule(claim) ?? grammar.lesson?.(said)
  // "From now on, call me Ann" is a rule that tells who somebody is.
  const personal = rule && grammar.fact(rule.rule)
  if (rule && personal)
    return { type: personal.type, said: rule.rule, weak: false, kind: 'correction', language }
  if (rule)
    // "No, don't use semicolons" puts something right, whatever else is to be done.
    return kept({
      type: 'feedback',
      said,
      rule: rule.rule,
      weak: rule.weak && !corrects,
      kind: 'stated',
      language,
    })
  const fact = grammar.fact(claim)
  if (!fact) return undefined
  const kind = corrects || afterNo || fact.changed ? 'correction' : 'stated'
  return kept({ type: fact.type, said, weak: false, kind, language })
}

/** Rules and decisions have their reason apart; what somebody likes is told in one sentence. */
function kept(draft: Omit<Kept, 'rule'> & { rule?: string | undefined }): Kept {
  const { rule, ...rest } = draft
  if (draft.type !== 'feedback' && draft.type !== 'project') return rest
  const { said, why } = GRAMMARS[draft.language].reason(draft.said)
  const bare = rule === undefined ? undefined : GRAMMARS[draft.language].reason(rule).said
  return { ...rest, said, ...(bare !== undefined && { rule: bare }), ...(why !== undefined && { why }) }
}

function finished({ type, said, rule, why, how, kind, language }: Kept, now: Date): Statement {
  const grammar = GRAMMARS[language]
  const plain = said
    .trim()
    .replace(/[。.!！~\s]+$/, '')
    .replace(/,? (?:btw|by the way|though|as well|too)$/i, '')
  const { name, description } = rule === undefined ? grammar.naming(plain, type) : grammar.ruleNaming(rule)
  const structured = rule !== undefined || why !== undefined || how !== undefined
  const body = [
    structured ? grammar.sentence(said) : said.trim(),
    ...(why === undefined ? [] : [`**Why:** ${why}`]),
    ...(how === undefined ? [] : [`**How to apply:** ${how}`]),
  ].join('\n\n')
  return {
    type,
    name: finishedName(name, now, language),
    description: finishedDescription(description),
    body: body.slice(0, LONGEST_BODY).toWellFormed(),
    kind,
    language,
  }
}
