/** A message as sentences: what is quoted or code stays in one piece, and each knows its language. */
import { clausesOf } from './clauses.ts'

export type Language = 'en' | 'zh'

export interface Sentence {
  /** Trimmed, without the mark of a list item. */
  text: string
  language: Language
  question: boolean
}

/** What is longer is no sentence that anybody says. */
const LONGEST_SENTENCE = 600
const MOST_SENTENCES = 60

const HAN = /\p{sc=Han}/u
const KANA = /[\p{sc=Hiragana}\p{sc=Katakana}]/u
const CLOSING: Readonly<Record<string, string>> = {
  '“': '”',
  '「': '」',
  '『': '』',
  '«': '»',
  '`': '`',
  '"': '"',
}
const ABBREVIATION =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|mr|mrs|ms|dr|prof|inc|ltd|corp|approx|no|st|jr|sr|cf|a\.m|p\.m|[a-z])$/i
const LIST_MARK =
  /^\s*(?:[-*•]\s+|\(?\d{1,3}[.)]\s+|\d{1,3}、\s*|[（(]?[一二三四五六七八九十]{1,3}[)）、]\s*)/
/** Lines shorter than this end where they end; a longer one may have been wrapped. */
const WRAPPED_FROM_CHARACTERS = 60

export function sentencesOf(text: string): Sentence[] {
  const sentences: Sentence[] = []
  for (const piece of pieces(text)) {
    for (const clause of clausesOf(piece.replaceAll(/\s+/g, ' ').replace(LIST_MARK, '').trim())) {
      const words = clause.replace(/[;；]+$/, '').trim()
      if (words === '' || words.length > LONGEST_SENTENCE) continue
      const language = languageOf(words)
      sentences.push({ text: words, language, question: isQuestion(words, language) })
      if (sentences.length === MOST_SENTENCES) return sentences
    }
  }
  return sentences
}

/** Japanese is answered in English: its characters are not Chinese words. */
export function languageOf(text: string): Language {
  return HAN.test(text) && !KANA.test(text) ? 'zh' : 'en'
}

function* pieces(text: string): Generator<string> {
  for (const paragraph of text.split(/\n\s*\n/)) {
    let start = 0
    for (let at = 0; at < paragraph.length; at++) {
      const character = paragraph[at] ?? ''
      const closing = opens(paragraph, at) ? CLOSING[character] : undefined
      if (closing !== undefined) {
        const end = paragraph.indexOf(closing, at + 1)
        if (end < 0) break
        at = end
      } else if (endsHere(paragraph, at)) {
        yield paragraph.slice(start, at + 1)
        start = at + 1
      }
    }
    yield paragraph.slice(start)
  }
}

function opens(text: string, at: number): boolean {
  const character = text[at] ?? ''
  if (CLOSING[character] === undefined) return false
  return (
    character !== '"' || at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '') || HAN.test(text[at - 1] ?? '')
  )
}

function endsHere(text: string, at: number): boolean {
  const character = text[at] ?? ''
  const next = text[at + 1] ?? ''
  if (/[。！？；]/.test(character)) return !/[。！？；”」』"]/.test(next)
  if (character === '\n') return !isWrap(text, at)
  if (!/[.!?…;]/.test(character)) return false
  if (next !== '' && !/\s/.test(next) && !HAN.test(next)) return false
  const before = text.slice(Math.max(0, at - 8), at)
  return character !== '.' || !(ABBREVIATION.test(before) || /(?:^|\n)\s*\(?\d{1,3}$/.test(before))
}

function isWrap(text: string, at: number): boolean {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1
  return at - lineStart >= WRAPPED_FROM_CHARACTERS && /[a-z]/.test(text[at + 1] ?? '')
}

const QUESTION_MARK = /[?？]["”」'!！)\s]*$/
const ENGLISH_QUESTION = new RegExp(
  [
    "^(?:(?:and|but|so|ok(?:ay)?|hey|hi|well|also|please|then),? )*(?:what|whats|what's|when|where|where's|who|who's|whom|whose|which|why|how|how's)(?:'s| (?:is|are|was|were|do|does|did|should|shall|can|could|will|would|have|has|am|to|if|about|else|\\w+ (?:do|does|did|is|are|was|were|should|can|have|has)|(?:\\w+ ){1,3}(?:do|does|did|is|are|was|were|should|can|have|has) (?:i|we|you|they|the|my|our|it))\\b)",
    '^(?:(?:and|but|so|ok(?:ay)?|hey|hi|well|also|then),? )*(?:(?:do|have|had) (?:i|you|we|they)|(?:does|did|is|are|am|was|were|can|could|will|would|should|shall|may|has) (?:i|you|we|they|he|she|it|the|my|our|your|there|this|that|any|anyone|anybody|these|those))\\b',
    '^(?:why|who said|which|what|how)\\b.{0,3}$',
  ].join('|'),
  'i',
)
const CHINESE_QUESTION =
  /[吗嗎呢么麼]\s*[。.!！]*$|^(?:请问|請問)|什么|什麼|怎么|怎麼|怎样|怎樣|如何|为什么|為什麼|为何|哪[里裡儿个個些种種天位年]|哪(?=\s|$)|谁|誰|多少|几[点点号天月年个岁]|幾[點號天月年個歲]|是不是|有没有|有沒有|能不能|会不会|會不會|要不要|可不可以|对不对|(?<!我)(?:还是|還是)[^,，。]{1,20}$/

/** Also without a question mark: people who type to a program leave it out. */
function isQuestion(text: string, language: Language): boolean {
  if (QUESTION_MARK.test(text)) return true
  return language === 'zh' ? CHINESE_QUESTION.test(text) : ENGLISH_QUESTION.test(text)
}
