/** The words that say what a sentence is about, and how much of them a text covers. */
import { simplified } from './chinese-words.ts'
import { chineseTopicWords, isLoose, topicPhrases, topicsOf, wordsOn } from './topics.ts'

/** Words that say how something is asked or told, rather than what about. */
const ENGLISH_STOP = new Set(
  `a about above actually again all also always am an and any anymore are aren't as ask at back be because been before being but by
  can can't could currently day did didn't do does doesn't doing don't down else ever every everything exactly fact far few
  for from generally get give go going got had has have haven't having he her here hers him his how i i'd i'll i'm i've if
  im in into is isn't it it's its just know knew let like likes list little ll longer lot made make me mentioned might mine
  more most mostly much must my myself need never no not now of off often ok on once one only or other our ours out over own
  please prefer preference preferences preferred prefers rather re really recall remember remembered remind right said say
  saved search see shall she should show since so some something sometimes still such sure tell than thank thanks that that's
  the their them then there these they thing things think this those to told too up us use used uses using usually ve very want was
  we we're we've well were what what's whats when where where's which while who who's whom whose why will with within
  without won't would yes yet you you'd you'll you're you've your yours usual favourite favorite main love hate enjoy owner team
  discuss discussed discussing talk talked talking talks decide decided decision decisions conversation conversations
  session sessions yesterday week project switched changed instead anything find found`.split(/\s+/),
)
const CHINESE_STOP = new Set(
  `我的 你的 我是 你是 怎么说 怎么做 说的 我有 我在 我用 我们的 他的 她的 的 了 吗 呢 吧 啊 呀 嘛 哦 我 你 您 他 她 它 们 我们 你们 他们 咱们 自己 这 那 这个 那个 这些 那些 这里 那里 哪 哪个 哪些 哪里 哪儿 哪天
  什么 怎么 怎样 怎么样 如何 为什么 为何 谁 几 多少 何时 什么时候 时候 是 是不是 有 有没有 没有 没 不 要 会 能 可以 可 应该 应 该 需要 得 地
  着 过 在 于 和 与 及 或 或者 还是 还 也 都 就 才 又 再 很 太 最 更 把 被 给 让 对 从 到 向 为 为了 因为 所以 如果 但 但是 而 而且 并 并且
  个 些 种 次 下 上 里 中 请 请问 帮 一 一个 一下 用 使用 做 说 说过 想 想要 告诉 知道 关于 的话 记得 记住 记 还记得 喜欢 偏好 爱 习惯 来着
  用户 团队 其实 现在 改用 换成 不再 以前 之前 曾经 忘掉 忘记 忘 掉 一切 所有 全部 事 事情 提醒 聊 聊天 聊过 讨论 讨论过 谈 上次 决定 天 昨天 对话 项目 问题`.split(
    /\s+/,
  ),
)

const WORD = /[\p{L}\p{N}][\p{L}\p{N}_+#'./-]*/gu
const HAN_RUN = /\p{sc=Han}+/gu
const HAN = /\p{sc=Han}/u
/** A question is about a few things; the rest of a long one is how it is put. */
const MOST_WORDS = 16
const LONGEST_TEXT = 6_000

export interface Word {
  /** As it was written, in lower case. */
  word: string
  stem: string
}

/** The telling words of a text, in its order. */
export function tellingWords(text: string): Word[] {
  const words = new Map<string, Word>()
  const plain = simplified(text.slice(0, LONGEST_TEXT)).toLowerCase()
  const phrases = topicPhrases(plain)
  const rest = phrases.reduce((left, phrase) => left.replaceAll(phrase, ' '), plain)
  for (const word of [...phrases, ...split(rest)]) {
    if (isStop(word)) continue
    const stemmed = stem(word)
    if (!words.has(stemmed)) words.set(stemmed, { word, stem: stemmed })
    if (words.size === MOST_WORDS) break
  }
  return [...words.values()]
}

function isStop(word: string): boolean {
  return (
    ENGLISH_STOP.has(word) ||
    CHINESE_STOP.has(word) ||
    (word.length < 2 && !HAN.test(word) && !/[cr]/.test(word))
  )
}

function* split(text: string): Generator<string> {
  for (const [found] of text.matchAll(WORD)) {
    if (HAN.test(found)) yield* splitMixed(found)
    else yield trimmed(found)
  }
}

function trimmed(word: string): string {
  return word
    .toLowerCase()
    .replace(/['./_-]+$/, '')
    .replace(/'s$/, '')
}

function* splitMixed(run: string): Generator<string> {
  let end = 0
  for (const match of run.matchAll(HAN_RUN)) {
    if (match.index > end) yield trimmed(run.slice(end, match.index))
    yield* chineseWords(match[0])
    end = match.index + match[0].length
  }
  if (end < run.length) yield trimmed(run.slice(end))
}

function* chineseWords(run: string): Generator<string> {
  let end = 0
  for (const match of run.matchAll(chineseTopicWords())) {
    yield* segments(run.slice(end, match.index))
    yield match[0]
    end = match.index + match[0].length
  }
  yield* segments(run.slice(end))
}

/** Made when the first Chinese text comes, not at start. */
let segmenter: Intl.Segmenter | undefined

/** Words that the dictionary lacks come as single characters in a row, and are put together. */
function* segments(run: string): Generator<string> {
  let loose = ''
  segmenter ??= new Intl.Segmenter('zh', { granularity: 'word' })
  for (const { segment } of segmenter.segment(run)) {
    if (segment.length === 1 && !CHINESE_STOP.has(segment)) {
      loose += segment
      continue
    }
    if (loose !== '') yield loose
    loose = ''
    yield segment
  }
  if (loose !== '') yield loose
}

/** Enough to see that "deployments" and "deploys" are about the same. */
export function stem(word: string): string {
  if (HAN.test(word) || word.length < 4) return word
  const bare = word.replace(/(?:ations?|ements?|ments?|ings?|ed|es|s|e)$/, '')
  return bare.length >= 3 ? bare : word
}

/** A text, prepared to be looked into. */
export interface Text {
  stems: ReadonlySet<string>
  topics: ReadonlySet<number>
  /** Those that more than a common word stands for. */
  firmTopics: ReadonlySet<number>
  plain: string
}

export function prepared(text: string): Text {
  const plain = simplified(text.slice(0, LONGEST_TEXT)).toLowerCase()
  const stems = new Set<string>()
  const topics = new Set<number>(topicPhrases(plain).flatMap(topicsOf))
  const firmTopics = new Set<number>(topics)
  for (const word of split(plain)) {
    stems.add(stem(word))
    for (const part of [word, ...word.split(/[-_./]/)]) {
      if (part !== word) stems.add(stem(part))
      for (const topic of topicsOf(part)) {
        topics.add(topic)
        if (!isLoose(part)) firmTopics.add(topic)
      }
    }
  }
  return { stems, topics, firmTopics, plain }
}

/** Whether a text has a word itself. */
export function mentions(text: Text, { word, stem: stemmed }: Word): boolean {
  if (!HAN.test(word)) return word.includes(' ') ? text.plain.includes(word) : text.stems.has(stemmed)
  if (text.plain.includes(word)) return true
  if (word.length < 3) return false
  const pairs = Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2))
  return pairs.filter(pair => text.plain.includes(pair)).length > pairs.length / 2
}

/** Whether a text is on the subject of a word, in whatever words. */
function touches(text: Text, { word }: Word): boolean {
  return topicsOf(word).some(topic => text.topics.has(topic))
}

/** The same, beyond what common words may have in common. */
export function touchesFirmly(text: Text, { word }: Word): boolean {
  return topicsOf(word).some(topic => text.firmTopics.has(topic))
}

/** A word that only shares the subject counts less than the word itself. */
const SUBJECT_WEIGHT = 0.6

/** How much of what is asked a text covers, from 0 to 1. */
export function coverage(words: readonly Word[], text: Text): number {
  if (words.length === 0) return 0
  const covered = words.map(word => (mentions(text, word) ? 1 : touches(text, word) ? SUBJECT_WEIGHT : 0))
  return covered.reduce((sum: number, each) => sum + each, 0) / words.length
}

const MOST_SEARCHED = 24

/** The words to search for: those of the question, and others for the same subjects. */
export function searchWords(words: readonly Word[]): string {
  const others = words.flatMap(({ word }) => topicsOf(word).flatMap(wordsOn))
  return [...new Set([...words.map(({ word }) => word), ...others])].slice(0, MOST_SEARCHED).join(' ')
}
