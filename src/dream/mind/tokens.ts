/** A sentence as tokens: words for what they mean, and values (numbers, times, dates, addresses, names) in one form. */

import { simplified } from '../../models/index.ts'
import { ownValue } from '../../store/index.ts'
import { CHINESE_NEGATORS, CHINESE_NOT_NEGATING, NOT_NEGATING } from './lexicon/function-words.ts'
import { lexicon } from './lexicon/lexicon.ts'
import {
  countOf,
  dateKey,
  MONTH_NAME,
  moneyKey,
  monthKey,
  NUMBER_WORDS,
  numberKey,
  timeKey,
  UNITS,
  WEEKDAYS,
} from './values.ts'

export type TokenKind =
  | 'word'
  /** Written like a name; at the beginning of a sentence nobody can tell. */
  | 'name'
  | 'number'
  | 'time'
  | 'date'
  | 'weekday'
  | 'month'
  | 'money'
  | 'percent'
  | 'url'
  | 'email'
  | 'handle'
  /** Names which one of many is meant, as a ticket's number does; it is never the value of anything. */
  | 'id'
  | 'code'
  | 'mark'

export interface Token {
  /** Two tokens with the same key mean the same. */
  key: string
  kind: TokenKind
  /** As it is written, in lower case. */
  word: string
  /** It leaves a statement as it is. */
  slight: boolean
  /** It says the opposite of its key. */
  opposite: boolean
  /** It turns what its clause says into the opposite. */
  negates: boolean
  start: number
  end: number
}

const PATTERNS: ReadonlyArray<readonly [string, string]> = [
  ['url', 'https?:\\/\\/[^\\s)>\\]"\'`，。；、）】]+|\\bwww\\.[^\\s)>\\]"\'`，。；、）】]+'],
  ['email', '[\\w.+-]+@[\\w-]+\\.[\\w.-]*\\w'],
  ['code', '`[^`\\n]+`'],
  [
    'date',
    `\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}|\\d{4}-\\d{2}(?![\\d-])|\\d{4}-Q[1-4]|\\d{4}\\s?年\\s?\\d{1,2}\\s?月(?:\\s?\\d{1,2}\\s?[日号])?|\\d{1,2}\\s?月\\s?\\d{1,2}\\s?[日号]|(?:${MONTH_NAME})\\.? \\d{1,2}(?:st|nd|rd|th)?(?:,? \\d{4})?(?![\\d:])|\\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:${MONTH_NAME})(?:,? \\d{4})?\\b`,
  ],
  [
    'time',
    '\\d{1,2}[:：]\\d{2}(?:\\s?[ap]\\.?m\\b\\.?)?|\\b\\d{1,2}\\s?[ap]\\.?m\\b\\.?|(?:凌晨|早上|上午|中午|下午|晚上|傍晚)?\\s?(?:\\d{1,2}|[一二三四五六七八九十两]{1,3})\\s?点(?:半|一刻|三刻|\\s?\\d{1,2}\\s?分)?(?!击|赞|评|餐)',
  ],
  [
    'money',
    '[$€£¥￥]\\s?\\d(?:[\\d,]*\\d)?(?:\\.\\d+)?\\s?(?:[kKmM万亿]\\b|万|亿)?|\\d[\\d,]*(?:\\.\\d+)?\\s?(?:[kKmM] ?)?(?:USD|EUR|GBP|CNY|RMB|dollars?|euros?|pounds?|万元|亿元|元|块钱)',
  ],
  ['percent', '\\d+(?:\\.\\d+)?\\s?(?:%|％|percent\\b)|百分之\\s?\\d+'],
  [
    'id',
    '#\\d+|\\b\\d+(?:st|nd|rd|th) (?:sprint|phase|chapter|stage|level|room|floor|batch|section|building|shard)\\b|\\b(?:PR|MR|issue|ticket|sprint|phase|ADR|RFC|step|chapter|stage|level|room|gate|bug|milestone|task|round|batch|part|section|appendix|table|figure|lane|building|floor|group|squad|cohort|wave|tier|shard|week|day|track|ward|bay|pier|platform|terminal|unit|module|zone|route|bus|tram|line|tank|stall|plot|court|class|grade)[ #-]{0,2}\\d+\\b|\\b[A-Z][A-Z0-9]+-\\d+\\b|第\\s?(?:\\d+|[一二三四五六七八九十]+)\\s?[个期次章阶轮批步层组号]?|(?:\\d+|[一二三四五六七八九十]+)号(?:线|楼|库|机|桌|门|仓|院|柜)|\\bQ[1-4]\\b(?: ?\\d{4})?',
  ],
  // `mail.dove.example`: the name of a host is one thing, whatever its parts mean.
  [
    'url',
    '\\b[a-z0-9][a-z0-9-]*(?:\\.[a-z0-9][a-z0-9-]*)*\\.(?:com|org|net|example|test|local|internal)\\b(?![\\w/.-]*\\w)',
  ],
  // `Wi-Fi`, `Harbour-Guest`
  ['name', '\\b[A-Z][a-z]+(?:-[A-Z][a-z]+)+\\b'],
  ['handle', '[#@][A-Za-z][\\w-]*'],
  [
    'code',
    '\\b[a-z]{2,}(?:-[a-z]+)+-\\d+\\b|(?<![\\w])[\\w.~-]*\\/[\\w./*-]*\\w|\\.?\\b[\\w-]+\\.(?:[jt]sx?|md|py|rs|go|java|rb|sh|ya?ml|json|toml|sql|csv|txt|html|css|env|lock|ini|cfg|conf|xml|log|pdf|xlsx|docx|db)\\b|\\b\\w+_\\w+\\b|(?<!\\w)--?[a-z][\\w-]{2,}',
  ],
  [
    'number',
    '\\b\\d+(?:\\.\\d+)?e-?\\d+\\b|\\b\\d+(?:st|nd|rd|th)\\b|\\bv?\\d[\\d,]*(?:\\.\\d+)*(?:\\s?°\\s?[CF]?|-?(?:ms|secs?|s|mins?|hrs?|h|kb|mb|gb|tb|km|kg|cm|ml|rps|x|k)\\b)?',
  ],
  [
    'word',
    "[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ0-9]*(?:['’][A-Za-z]+)?(?:\\+\\+|#)?|(?:(?!(?:凌晨|早上|上午|中午|下午|晚上|傍晚)\\s?(?:\\d|[一二三四五六七八九十两]{1,3}点)|第\\s?[\\d一二三四五六七八九十])\\p{sc=Han})+|(?:(?!\\p{sc=Han})[\\p{L}\\p{N}])+",
  ],
  ['mark', '[,;:，；：。.!?！？、()（）—–=→]'],
]

const TOKEN = new RegExp(
  // A name may stand once only; the kind of a second pattern for `code` is told by its number.
  PATTERNS.map(([kind, source], at) => `(?<${kind}${at}>${source})`).join('|'),
  'gu',
)
const KINDS = PATTERNS.map(([kind], at) => [`${kind}${at}`, kind as TokenKind] as const)

const HAN = /\p{sc=Han}/u
const HAN_RUN = /\p{sc=Han}+/gu

/** The tokens of a sentence, with every place in it that of its text. */
export function tokensOf(sentence: string): Token[] {
  const text = masked(withoutSlashes(simplified(sentence).replaceAll('’', "'")))
  const tokens: Token[] = []
  for (const match of text.matchAll(TOKEN)) {
    const [group = '', kind = 'word'] = KINDS.find(([name]) => match.groups?.[name] !== undefined) ?? []
    const found = match.groups?.[group] ?? ''
    const start = match.index
    if (kind === 'word') tokens.push(...wordTokens(found, start, text))
    else if (kind === 'number') tokens.push(...numberTokens(found, start))
    else tokens.push(token(kind, keyOf(kind, found), found, start))
  }
  return withBounds(withPhrases(tokens))
}

/** `100 requests/min` is so many a minute. */
const PER =
  /(?<=\p{L}|\d)\/(?=(?:s|sec|second|min|minute|h|hr|hour|d|day|week|month|year)\b(?![/\w-]|\.\w))/giu

function withoutSlashes(text: string): string {
  return text.replaceAll(PER, ' ')
}

const BELOW = /^(?:under|below|beneath|less|fewer)$/
const ABOVE = /^(?:over|above|more)$/
const AMOUNTS: readonly TokenKind[] = ['number', 'percent', 'money']

/** Before an amount, `under`, `below` and `less than` are a limit as `at most` is. */
function withBounds(tokens: readonly Token[]): Token[] {
  return tokens.map((each, at) => {
    const next = tokens[at + 1]?.word === 'than' ? tokens[at + 2] : tokens[at + 1]
    const key = BELOW.test(each.word) ? 'limit' : ABOVE.test(each.word) ? 'minimum' : undefined
    if (key === undefined || next === undefined || !AMOUNTS.includes(next.kind)) return each
    return { ...each, key, kind: 'word', slight: false, negates: false }
  })
}

/** Words of denial that deny nothing are blanked, so that no place moves. */
function masked(text: string): string {
  const blank = (found: string): string => ' '.repeat(found.length)
  return text.replaceAll(NOT_NEGATING, found =>
    /forget|fail|hesitate/i.test(found)
      ? blank(found)
      : found.replace(/\bno[nt]?\b|\bwithout\b|\bstop\b|\bcan't\b|\bcannot\b/i, blank),
  )
}

function token(kind: TokenKind, key: string, word: string, start: number, more: Partial<Token> = {}): Token {
  const slight = kind === 'mark'
  return {
    key,
    kind,
    word: word.toLowerCase(),
    slight,
    opposite: false,
    negates: false,
    start,
    end: start + word.length,
    ...more,
  }
}

function keyOf(kind: TokenKind, found: string): string {
  switch (kind) {
    case 'url':
      return found
        .replace(/^https?:\/\//i, '')
        .replace(/[/.,;:!?]+$/, '')
        .toLowerCase()
    case 'date':
      return dateKey(found)
    case 'time':
      return timeKey(found)
    case 'money':
      return moneyKey(found)
    case 'percent':
      return `${found.replaceAll(/[^\d.]/g, '')}%`
    case 'id': {
      const id = found.toLowerCase().replaceAll(/[\s#-]/g, '')
      // The 2nd floor is floor 2.
      return id.replace(/^(\d+)(?:st|nd|rd|th)(\p{L}+)$/u, '$2$1')
    }
    case 'name':
      return found.toLowerCase().replaceAll('-', '')
    case 'code':
      return found.replaceAll('`', '').trim().toLowerCase()
    default:
      return found.toLowerCase()
  }
}

function numberTokens(found: string, start: number): Token[] {
  if (/e/i.test(found) && !/sec|ge/i.test(found)) return [token('number', found.toLowerCase(), found, start)]
  const [, digits = found, unit] = /^v?([\d,]*\d(?:\.\d+)*),?\s?-?([a-z]*|°\s?[cf]?)$/i.exec(found) ?? []
  const tokens = [token('number', numberKey(digits), found, start)]
  const known = unit?.startsWith('°') ? 'degree' : unit ? ownValue(UNITS, unit.toLowerCase()) : undefined
  if (known) tokens.push(token('word', known, unit ?? '', start + found.length - (unit ?? '').length))
  return tokens
}

function wordTokens(found: string, start: number, text: string): Token[] {
  if (!HAN.test(found)) return [englishToken(found, start, text)]
  const tokens: Token[] = []
  let done = 0
  for (const { 0: run, index } of found.matchAll(HAN_RUN)) {
    if (index > done) tokens.push(englishToken(found.slice(done, index), start + done, text))
    tokens.push(...chineseTokens(run, start + index))
    done = index + run.length
  }
  if (done < found.length) tokens.push(englishToken(found.slice(done), start + done, text))
  return tokens
}

const NEGATION =
  /^(?:not|no|never|without|none|nobody|nothing|cannot|cant|dont|doesnt|isnt|wont|\w+n't|avoid(?:s|ing|ed)?|omit(?:s|ted|ting)?|skip(?:s|ped|ping)?|refrains?|refuses?|stop(?:ped|s)?|quit|abandoned|ditched|neither|nor)$/

/** "owns a dog" is to have one, and not to answer for it. */
const HAS_ONE = /^(?:own|owns|owned) an? /i
const OF_MONTH = /^first (?:day )?of (?:the|each|every) month\b/i

function englishToken(found: string, start: number, text: string): Token {
  const word = found.toLowerCase().replace(/'s$/, '')
  if (/^\d/.test(word)) return token('number', numberKey(word), found, start)
  const weekday = WEEKDAYS.get(word)
  if (weekday !== undefined) return token('weekday', weekday, found, start)
  const month = /^[A-Z]/.test(found) ? monthKey(word) : undefined
  if (month !== undefined) return token('month', month, found, start)
  if (word === 'noon' || word === 'midnight')
    return token('time', word === 'noon' ? '12:00' : '00:00', found, start)
  if (word === 'first' && OF_MONTH.test(text.slice(start))) return token('number', '1', found, start)
  const number = NUMBER_WORDS.get(word)
  if (number !== undefined) return token('number', number, found, start)
  const known = lexicon()
  const { key, opposite } = known.concept(word)
  const kind = isName(found, start, text) ? 'name' : 'word'
  return token(kind, key, found, start, {
    // Go is no going, once it is written as a name.
    slight: kind === 'word' && (known.isSlight(word) || HAS_ONE.test(text.slice(start))),
    opposite,
    negates: NEGATION.test(word),
  })
}

/** A capital in the midst of a sentence, or in the midst of a word. */
function isName(found: string, start: number, text: string): boolean {
  if (/^[A-Z][A-Z0-9]+$/.test(found) || /[a-z][A-Z]/.test(found)) return true
  if (!/^\p{Lu}/u.test(found) || found === 'I' || found.startsWith("I'")) return false
  return (
    /[\p{L}\p{N},;)"'`][ "'(`*_]*$/u.test(text.slice(0, start)) &&
    !/(?:[.!?:] |^)["'(`*_]*$/u.test(text.slice(0, start))
  )
}

let segmenter: Intl.Segmenter | undefined

function chineseTokens(run: string, start: number): Token[] {
  const known = lexicon()
  const kept = run.replaceAll(CHINESE_NOT_NEGATING, '')
  const tokens: Token[] = []
  let loose = ''
  let looseAt = 0
  const flush = (): void => {
    if (loose !== '') tokens.push(token('word', loose, loose, looseAt))
    loose = ''
  }
  for (const [piece, at] of chinesePieces(run)) {
    const negates = CHINESE_NEGATORS.includes(piece) && (piece.length > 1 || kept.includes(piece))
    const weekday = WEEKDAYS.get(piece)
    const count =
      NUMBER_WORDS.get(piece) ?? (/^[一二两三四五六七八九十]{2,}$/.test(piece) ? countOf(piece) : undefined)
    const { key, opposite } = known.concept(piece)
    const isKnown = key !== piece || known.isSlight(piece) || negates || weekday !== undefined
    // Words that no dictionary has come as single characters in a row, and are put together.
    if (piece.length === 1 && !isKnown && count === undefined) {
      if (loose === '') looseAt = start + at
      loose += piece
      continue
    }
    flush()
    if (weekday !== undefined) tokens.push(token('weekday', weekday, piece, start + at))
    else if (count !== undefined) tokens.push(token('number', count, piece, start + at))
    else {
      const verb = negates ? piece.replace(/^(?:不|没有|没|未|别|勿)/, '') : ''
      const slight = negates || known.isSlight(piece)
      tokens.push(token('word', key, piece, start + at, { slight, opposite, negates }))
      // 不吃 denies, and says what.
      const said = verb === '' ? undefined : known.concept(verb)
      if (said && said.key !== verb && !known.isSlight(verb))
        tokens.push(token('word', said.key, verb, start + at, { opposite: said.opposite }))
    }
  }
  flush()
  return tokens
}

/** 七天, 十五个人: how many, apart from what is counted. */
const COUNT_RUN =
  /(?:[二三四五六七八九]?十[一二三四五六七八九]?|[两二三四五六七八九])(?=个|天|周|年|小时|分钟|秒|次|人|条|份|页|元|台|名|位|倍|层|间|张|辆|斤|公里|米)/gu
/** 小王, 老赵: what colleagues call each other. */
const CALLED_RUN =
  /[小老][王李张刘陈杨黄赵周吴徐孙朱胡郭何林罗郑梁谢宋唐许韩冯邓曹彭曾萧田董袁潘蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范](?=$|[负是说的和在来去也会正已])/gu
const WEEKDAY_RUN = /(?:周|星期|礼拜|每周)[一二三四五六日天]/gu

/** Words that are known come first, then the dictionary's. */
function* chinesePieces(run: string): Generator<[piece: string, at: number]> {
  segmenter ??= new Intl.Segmenter('zh', { granularity: 'word' })
  const { chineseWords } = lexicon()
  const known = new RegExp(
    `${WEEKDAY_RUN.source}|${CALLED_RUN.source}|${COUNT_RUN.source}|${chineseWords.source}`,
    'gu',
  )
  let end = 0
  const rest = function* (from: number, to: number): Generator<[string, number]> {
    for (const { segment, index } of (segmenter as Intl.Segmenter).segment(run.slice(from, to)))
      yield [segment, from + index]
  }
  for (const match of run.matchAll(known)) {
    yield* rest(end, match.index)
    yield [match[0], match.index]
    end = match.index + match[0].length
  }
  yield* rest(end, run.length)
}

/** Two or three words that mean one thing become one token. */
function withPhrases(tokens: readonly Token[]): Token[] {
  const known = lexicon()
  const joined: Token[] = []
  for (let at = 0; at < tokens.length; at++) {
    const first = tokens[at] as Token
    const phrase = stemsOf(first.word)
      .flatMap(word => known.phrases.get(word) ?? [])
      .map(each => each.split(' '))
      .find(words => words.every((word, offset) => isForm(tokens[at + offset], word)))
    const last = phrase && tokens[at + phrase.length - 1]
    if (!phrase || !last) {
      joined.push(first)
      continue
    }
    const { key, opposite } = known.concept(phrase.join('-'))
    const kind = first.kind === 'name' || last.kind === 'name' ? 'name' : 'word'
    joined.push({
      ...first,
      key,
      kind,
      word: phrase.join('-'),
      opposite,
      slight: known.isSlight(phrase.join('-')),
      negates: false,
      end: last.end,
    })
    at += phrase.length - 1
  }
  return joined
}

/** What a word may be a form of: `signs off` and `signed off` are found as `sign off`. */
function stemsOf(word: string): string[] {
  const stem = word.replace(/(?:s|ed|ing)$/, '')
  return stem === word ? [word] : [word, stem]
}

function isForm(token: Token | undefined, word: string): boolean {
  return token !== undefined && stemsOf(token.word).includes(word)
}
