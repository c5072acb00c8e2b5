import {
  type Day,
  dayInWeek,
  daysAfter,
  isoDay,
  isoDayOfMonth,
  isoMonth,
  isoQuarter,
  isoYear,
  lastWeekday,
  nextWeekday,
} from './calendar.ts'
import { sentenceAround } from './places.ts'
import type { Rule } from './rule.ts'

const DIGITS = '零一二三四五六七八九'
const NUMERALS = '一二两兩三四五六七八九十'
const COUNT = `(?<![${NUMERALS}百千半几幾数數多第每隔满滿过過\\d.~～-])(?<count>\\d{1,3}|[二三四五六七八九]?十[一二三四五六七八九]?|[一二两兩三四五六七八九])\\s?`
const WEEK = '(?:周|週|星期|礼拜|禮拜)'
const WHICH = '(?<which>上上|下下|上|下|这|這|本)'
/** Where 上, 下 and 本 belong to the word before them (晚上, 线下, 版本), what follows is not "last week". */
const NOT_AFTER_ANOTHER_WORD =
  '(?<![马馬晚早以线線网網路楼樓地桌墙牆船身海赶趕追补補遇碰登关關](?=上))(?<!(?<![参參增])加(?=上))(?<![以线線地楼樓脚腳手当當乡鄉剩留之桌](?=下))(?<![日基根版样樣](?=本))(?<!(?<![完达達变變形])成(?=本))'
const STEPS: Record<string, number> = { 上上: -2, 上: -1, 这: 0, 這: 0, 本: 0, 下: 1, 下下: 2 }

/** The day words, how many days away, and the part of the day that is folded into some of them. */
const DAY_WORDS: Record<string, [days: number, part: string]> = {
  大前天: [-3, ''],
  大后天: [3, ''],
  大後天: [3, ''],
  前天: [-2, ''],
  昨天: [-1, ''],
  今天: [0, ''],
  明天: [1, ''],
  后天: [2, ''],
  後天: [2, ''],
  昨日: [-1, ''],
  今日: [0, ''],
  明日: [1, ''],
  前晚: [-2, '晚上'],
  昨晚: [-1, '晚上'],
  昨夜: [-1, '夜里'],
  今晚: [0, '晚上'],
  今夜: [0, '夜里'],
  今早: [0, '早上'],
  今晨: [0, '早上'],
  明晚: [1, '晚上'],
  明早: [1, '早上'],
}
const YEAR_WORDS: Record<string, number> = {
  大前年: -3,
  前年: -2,
  去年: -1,
  今年: 0,
  明年: 1,
  后年: 2,
  後年: 2,
  大后年: 3,
  大後年: 3,
}
/** 说明天数 is 说明 + 天数, 目前天气 is 目前 + 天气: the first character belongs to the word before it. */
const NOT_INSIDE_A_WORD =
  '(?<![说說证證声聲表注标標申文发發透聪聰光清照黎](?=明))(?<![目以之提空生天年月周週](?=前))(?<![以之此随隨先战戰今最然日](?=[后後]))(?<![如当當现現古迄](?=今))(?<![过過失除出回离離](?=去))'
const NOT_ANOTHER_WORD = '(?![气氣]|津|[期历曆志誌]|性|免疫|习得|養成|养成|培养|头条|頭條|方舟|[轻輕龄齡代])'

/** Rules and routines: 每周五都开会, 周五不要上线. */
const HABIT =
  /每|都|只|固定|一律|统一|統一|例会|例會|周会|週會|晨会|晨會|早会|早會|站会|站會|回顾会|回顧會|周报|週報|值班|轮换|輪換|排练|排練|训练|訓練|打烊|关门|關門|休息|营业|營業|窗口|总是|總是|通常|一般|平时|平時|经常|經常|不要|不能|不准|别|別|禁止|避免|从不|從不|永远|永遠/
/** 会话在3天后过期: of many of a kind, and how long each of them lasts. */
const LASTS =
  /(?:会话|會話|令牌|链接|連結|邀请|邀請|验证码|驗證碼|缓存|快取|日志|密码|優惠券|优惠券|订单|訂單|数据|token|session|cookie|link|cache)[^，。,]{0,6}$/i
/** What may stand before 三天后 so that it counts from now, and not from an event named before it. */
const COUNTS_FROM_NOW = /(?:^|[\s，,。；：:、（(“"—-]|[在于於将將会會要到是就我你他她们們约約从從自再定])$/
/** 上线三天前冻结 counts back from an event; so does 到期三天前. */
const COUNTS_FROM_AN_EVENT =
  /(?:发布|發布|上线|上線|部署|出发|出發|到期|截止|过期|過期|考试|考試|开会|開會|开始|開始|结束|結束|提前)$/

export const CHINESE_RULES: readonly Rule[] = [
  rule(
    `${NOT_INSIDE_A_WORD}(?<word>${Object.keys(YEAR_WORDS).join('|')})(?:(?<month>1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])月份?(?:(?<dayOfMonth>\\d{1,2}|[一二三四五六七八九十]{1,3})[日号號])?)?${NOT_ANOTHER_WORD}`,
    ({ today, groups }) => {
      const year = isoYear(today, YEAR_WORDS[groups.word ?? ''] ?? 0)
      if (groups.month === undefined) return `${year}年`
      const month = `${year}-${String(countOf(groups.month)).padStart(2, '0')}`
      return groups.dayOfMonth === undefined ? month : isoDayOfMonth(month, countOf(groups.dayOfMonth))
    },
  ),
  rule(
    `${NOT_INSIDE_A_WORD}(?<word>${Object.keys(DAY_WORDS).join('|')})${NOT_ANOTHER_WORD}`,
    ({ today, groups }) => {
      const [days, part] = DAY_WORDS[groups.word ?? ''] ?? [0, '']
      return isoDay(daysAfter(today, days)) + part
    },
  ),
  // 下周一起 is "together next week" or "from next Monday": nobody can tell, so it stays.
  rule(
    `${NOT_AFTER_ANOTHER_WORD}${WHICH}[个個]?${WEEK}(?!一起)(?:(?<weekday>日(?![程志誌常报報期记記均])|天(?![气氣然使津数數内內才])|一(?![个個次些下直样樣般共定旦切致])|[二三四五六1-6](?![个個次天项項场場位人件篇轮輪份名种種台条條遍小分百千万萬十]))|(?<weekend>末))?(?![期围圍边邊刊年岁歲折转轉密全到知]|[报報]告)`,
    ({ today, match, groups }) => {
      const weeks = STEPS[groups.which ?? ''] ?? 0
      if (groups.weekend !== undefined) {
        return isoDay(dayInWeek(today, weeks, 5)) + (isTraditional(match) ? '那個週末' : '那个周末')
      }
      if (groups.weekday === undefined) return weekOf(today, weeks, match)
      return isoDay(dayInWeek(today, weeks, weekdayNumber(groups.weekday)))
    },
  ),
  rule(
    `${NOT_AFTER_ANOTHER_WORD}${WHICH}[个個]?月(?:(?<dayOfMonth>\\d{1,2}|[一二三四五六七八九十]{1,3})[日号號])?(?![亮球饼餅经經光台薪刊])`,
    ({ today, groups }) => {
      const month = isoMonth(today, STEPS[groups.which ?? ''] ?? 0)
      return groups.dayOfMonth === undefined ? month : isoDayOfMonth(month, countOf(groups.dayOfMonth))
    },
  ),
  rule(`${NOT_AFTER_ANOTHER_WORD}${WHICH}(?:[个個]季度?|季度)`, ({ today, groups }) =>
    isoQuarter(today, STEPS[groups.which ?? ''] ?? 0),
  ),
  rule(
    `${COUNT}(?<unit>天|[个個]?(?:周|週|星期|礼拜|禮拜)|[个個]月|年)(?:之|以)?前(?![端台面者后後缀綴景提置期途往来來进進])`,
    ({ today, match, groups }) =>
      COUNTS_FROM_AN_EVENT.test(before(match))
        ? undefined
        : away(today, -countOf(groups.count), groups.unit, match),
  ),
  rule(
    `${COUNT}(?<unit>天|[个個]?(?:周|週|星期|礼拜|禮拜)|[个個]月|年)(?:之|以)?[后後](?![端台续續缀綴果悔面门門者备備勤卫衛期])`,
    ({ today, match, groups }) =>
      COUNTS_FROM_NOW.test(before(match)) &&
      !HABIT.test(sentenceOf(match).before) &&
      !LASTS.test(sentenceOf(match).before)
        ? away(today, countOf(groups.count), groups.unit, match)
        : undefined,
  ),
  rule(
    `(?<preposition>在|于|於|到|至|截止|截至)${WEEK}(?<weekday>[一二三四五六日天])(?![到至和、及])`,
    bareWeekday,
  ),
  rule(`(?<![每上下这這本个個])(?<preposition>)${WEEK}(?<weekday>[一二三四五六日天])(?=之?前)`, bareWeekday),
]

function rule(source: string, to: Rule['to']): Rule {
  return { pattern: new RegExp(source, 'g'), to }
}

/** 在周五, 周五前: the coming one, unless the sentence says that it has happened. */
function bareWeekday({ today, match, groups }: Parameters<Rule['to']>[0]): string | undefined {
  const sentence = sentenceOf(match)
  const isRange = new RegExp(`${WEEK}[一二三四五六日天]$`).test(sentence.before)
  if (isRange || HABIT.test(sentence.before) || HABIT.test(sentence.after)) return undefined
  const weekday = weekdayNumber(groups.weekday ?? '')
  const preposition = groups.preposition ?? ''
  const isPast = /^[在于於]$/.test(preposition) && /了|过|過|已/.test(sentence.after)
  return preposition + isoDay(isPast ? lastWeekday(today, weekday) : nextWeekday(today, weekday))
}

/** So many units away, as precise as the unit. */
function away(today: Day, count: number, unit = '天', match: RegExpExecArray): string {
  if (/年/.test(unit)) return `${isoYear(today, count)}年`
  if (/月/.test(unit)) return isoMonth(today, count)
  if (unit === '天') return isoDay(daysAfter(today, count))
  return weekOf(today, count, match)
}

function weekOf(today: Day, weeks: number, match: RegExpExecArray): string {
  return isoDay(dayInWeek(today, weeks, 0)) + (isTraditional(match) ? '那一週' : '那一周')
}

function isTraditional(match: RegExpExecArray): boolean {
  return /[週個禮後這兩]/.test(match[0])
}

function weekdayNumber(word: string): number {
  return /[日天]/.test(word) ? 6 : countOf(word) - 1
}

/** 12, 两, 十二, 三十一. */
function countOf(numeral = ''): number {
  if (/^\d/.test(numeral)) return Number(numeral)
  const [tens, ones] = numeral.includes('十') ? numeral.split('十') : ['', numeral]
  const tensValue = numeral.includes('十') ? (tens === '' ? 1 : digitOf(tens)) : 0
  return tensValue * 10 + digitOf(ones)
}

function digitOf(numeral = ''): number {
  return /[两兩]/.test(numeral) ? 2 : Math.max(0, DIGITS.indexOf(numeral.charAt(0) || '零'))
}

function before(match: RegExpExecArray): string {
  return match.input.slice(Math.max(0, match.index - 4), match.index)
}

function sentenceOf(match: RegExpExecArray): { before: string; after: string } {
  return sentenceAround(match.input, match.index, match.index + match[0].length)
}
