/** A message as what the person wants done, in the order in which it was said. */

import { type Asking, askingOf } from './asking.ts'
import { type Forgetting, forgetting } from './forgetting.ts'
import { ignoresMemory } from './ignoring.ts'
import { ownWords } from './own-words.ts'
import { type Language, languageOf, type Sentence, sentencesOf } from './sentences.ts'
import { type SmallTalk, smallTalk } from './small-talk.ts'
import type { Statement } from './statement.ts'
import { type Reading, readSentences } from './statements.ts'
import { tellingWords, type Word } from './words.ts'

export type Act = { language: Language } & (
  | { do: 'save'; statement: Statement }
  | { do: 'correct'; statement: Statement }
  | { do: 'forget'; forget: Forgetting; words: Word[] }
  | { do: 'forget chosen'; files: string[] }
  | { do: 'ask'; asking: Asking }
  | { do: 'talk'; talk: SmallTalk }
  /** "Remember that", and nothing was said that could be meant. */
  | { do: 'remember nothing' }
  /** What only a language model can do. `whole`: the message holds nothing else. */
  | { do: 'decline'; whole: boolean }
  /** Something told, and no fact that is sure to last. */
  | { do: 'leave' }
)

/** What was said before this message, to which it may refer. */
export interface Context {
  words: string
  answer: string
}

const REQUEST =
  /^(?:(?:ok(?:ay)?|now|then|also|and|so|hey|hi)[,!]? )*(?:please|can you|could you|would you|will you|let's|i (?:want|need)|i'd like|help me|fix|write|show|explain|run|add|make|create|build|refactor|change|rename|delete|remove|implement|generate|translate|summari[sz]e|find|open|read|check|review|test|deploy|install|update|convert|use|give|tell|print|commit|push|remind)\b|^(?:请|帮|把|给我|写|修|改|生成|解释|翻译|能不能|可以|我要|我想|我需要|运行|删除|创建|重构|提醒)/i

export function actsIn(message: string, context: Context | undefined, now: Date): Act[] {
  const words = ownWords(message)
  const language = languageOf(words)
  const chosen = context && chosenFiles(words, context.answer)
  if (chosen && chosen.length > 0) return [{ do: 'forget chosen', files: chosen, language }]
  if (ignoresMemory(words)) return [{ do: 'decline', whole: true, language }]
  const readings = readWithContext(sentencesOf(words), context, now)
  const acts = readings.flatMap(reading => actsOf(reading))
  return settled(acts, language)
}

/** "Remember that." may mean what was said in the message before. */
function readWithContext(sentences: readonly Sentence[], context: Context | undefined, now: Date): Reading[] {
  const readings = readSentences(sentences, now)
  if (
    readings[0]?.role !== 'remembered' ||
    readings.some(({ statements }) => statements.length > 0) ||
    !context
  )
    return readings
  const earlier = sentencesOf(ownWords(context.words))
  return readSentences([...earlier, ...sentences], now).filter(
    ({ statements, role }, at) =>
      at >= earlier.length || (role === 'statement' && statements.some(({ kind }) => kind === 'asked')),
  )
}

function actsOf({ sentence, statements, role }: Reading): Act[] {
  const { text, language } = sentence
  if (statements.length > 0)
    return statements.map(statement =>
      statement.kind === 'correction'
        ? { do: 'correct', statement, language }
        : { do: 'save', statement, language },
    )
  if (role === 'remembered') return [{ do: 'remember nothing', language }]
  if (role === 'reason' || role === 'statement') return []
  const forget = forgetting(text, language)
  if (forget) return [{ do: 'forget', forget, words: tellingWords(forget.what), language }]
  const talk = smallTalk(sentence)
  if (talk) return [{ do: 'talk', talk, language }]
  const asking = askingOf(sentence)
  if (asking) return [{ do: 'ask', asking, language }]
  return [
    REQUEST.test(text) || sentence.question
      ? { do: 'decline', whole: false, language }
      : { do: 'leave', language },
  ]
}

/** Pleasantries are answered when nothing else was said, and a refusal is said once. */
function settled(acts: readonly Act[], language: Language): Act[] {
  const remembers = acts.some(act => act.do === 'save' || act.do === 'correct')
  const real = acts.filter(act => {
    if (act.do === 'talk') return act.talk === 'help' || act.talk === 'who' || act.talk === 'connect'
    if (act.do === 'remember nothing') return !remembers
    return act.do !== 'decline' && act.do !== 'leave'
  })
  const declined = acts.find(act => act.do === 'decline')
  if (real.length > 0) return declined ? [...real, declined] : real
  if (declined) return [{ do: 'decline', whole: true, language }]
  const left = acts.find(act => act.do === 'leave')
  const talk = acts.find(act => act.do === 'talk')
  return [left ?? talk ?? { do: 'decline', whole: true, language }]
}

/** How the mind asks which of several memories to forget; by this it knows its own question again. */
const LISTED_FILE = /^(\d{1,2})\. .* — (\S+\.md)$/gm
const CHOICE_ASKED = /Which one should I forget\?|要忘掉哪一个/

const CHOICES: ReadonlyArray<readonly [RegExp, number]> = [
  [/^(?:the )?(?:first|1st)\b|第一/i, 1],
  [/^(?:the )?(?:second|2nd)\b|第二/i, 2],
  [/^(?:the )?(?:third|3rd)\b|第三/i, 3],
  [/^(?:the )?(?:fourth|4th)\b|第四/i, 4],
  [/^(?:the )?(?:fifth|5th)\b|第五/i, 5],
]

/** The files that an answer to "which one should I forget?" chooses. */
function chosenFiles(words: string, answer: string): string[] | undefined {
  if (!CHOICE_ASKED.test(answer)) return undefined
  const listed = new Map(
    [...answer.matchAll(LISTED_FILE)].map(([, number, file = '']) => [Number(number), file]),
  )
  const plain = words.replace(/[\s.!。！]+$/u, '').replace(/^(?:forget|delete|please|忘掉|删掉|删除)\s*/i, '')
  const files = [...listed.values()]
  if (
    /^(?:all(?: of them| of these)?|both(?: of them)?|every one|everything|都|全部|都忘掉|全都|两个都)/i.test(
      plain,
    )
  )
    return files
  const named = files.filter(file => plain.includes(file))
  if (named.length > 0) return named
  const numbers = /^(?:(?:number|no\.?|#|nr\.?)?\s*\d{1,2}(?:\s*(?:,|and|和|、|&)?\s*)?)+$/i.test(plain)
    ? [...plain.matchAll(/\d{1,2}/g)].map(Number)
    : CHOICES.filter(([pattern]) => plain.length < 20 && pattern.test(plain)).map(([, number]) => number)
  return numbers.flatMap(number => listed.get(number) ?? [])
}
