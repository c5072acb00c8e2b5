/** What a question wants from memory, or from earlier conversations. */
import { simplified } from './chinese-words.ts'
import type { Sentence } from './sentences.ts'
import { tellingWords, type Word } from './words.ts'

export type Asking =
  /** Who the person is; what they like; what was decided; all there is. */
  | { about: 'person' | 'preferences' | 'project' | 'everything' }
  /** `personal`: it asks for what only memory can know. */
  | { about: 'words'; words: Word[]; personal: boolean }
  /** What was talked about, and when: days back from today, if that was said. */
  | { about: 'sessions'; words: Word[]; daysAgo: number | undefined }

const LEAD =
  /^(?:(?:and|but|so|ok(?:ay)?|hey|hi|well|also|please|then|now|thanks|by the way|btw|(?:can|could|would|will) you(?: please)?)[,!]? )*/i
const LOOKING_UP =
  /^(?:tell me (?:about|again|what|where|when|who|which|how|why|everything)|remind me (?:of|about|what|where|when|who|which|how|why)|recall\b|remember (?:what|where|when|who|which|how|why|me\b|our )|look up\b|(?:search|check) (?:your |the |my )?memor(?:y|ies)|(?:show|list|give|print)(?: me)? (?:me )?(?:all |everything )?(?:(?:of )?(?:my|your|the) )?(?:memor(?:y|ies)|what you (?:know|remember)|everything you (?:know|remember)|you (?:know|remember))|do you (?:still )?(?:know|remember|recall))/i
const REQUEST_TO_DO =
  /^(?:(?:can|could|would|will) you|do you want|are you sure|would you mind|shall we|should we (?:start|begin|go))\b/i

const ENGLISH_SESSIONS = [
  /\b(?:did|have|had) (?:we|i) (?:ever |already |previously |also )?(?:talk(?:ed)?|discuss(?:ed)?|chat(?:ted)?|spoken|speak|cover(?:ed)?|go(?:ne)? over|work(?:ed)? on|look(?:ed)? (?:at|into))(?: (?:about|with you about|to you about))?\b(?<what>.*)/i,
  /^what (?:did|have|were|was) we (?:last )?(?:talk(?:ed|ing)?(?: about)?|discuss(?:ed|ing)?|do(?:ne|ing)?|work(?:ed|ing)?(?: on)?|chat(?:ted|ting)?(?: about)?|say(?: about)?|speak(?:ing)?(?: about)?)\b(?<what>.*)/i,
  /^when did (?:we|i) (?:last )?(?:talk|discuss|speak|chat|work)(?: (?:about|on))?\b(?<what>.*)/i,
  /\b(?:our|my) (?:last|previous|earlier|past|recent) (?:conversation|session|chat|discussion|talk)s?\b(?<what>.*)/i,
  /^where (?:did|were) we (?:leave off|stop|left)\b(?<what>.*)/i,
  /^what did (?:i|you) (?:ask|say|tell (?:you|me)|do)\b(?<what>.*\b(?:yesterday|last (?:time|week|night|month)|earlier(?: today)?|this morning)\b.*)/i,
  /^(?:search|look through|grep|check) (?:(?:our|my|the|all|past|previous|old) )*(?:conversations?|sessions?|history|chats?|transcripts?)(?: (?:for|about))?\b(?<what>.*)/i,
  /^(?:find|show me) (?:the|our|that) (?:conversation|session|chat) (?:where|about|in which|on|when)\b(?<what>.*)/i,
  /^remember when we\b(?<what>.*)/i,
]
/** Decisions and all else about the project as such. */
const PROJECT =
  /\bwhat (?:did|have) we (?:decide|decided|agree|agreed)\b|\b(?:know|remember|told you|tell me|said)\b.* (?:my|our|this|the) project$|\bwhat is (?:my|our|this|the) project about$|(?:我们|团队).{0,4}(?:决定|约定)了?(?:什么|哪些)|(?:关于|知道|记得)(?:我的|我们的?|这个|本)?项目/i
const ENGLISH_PERSON =
  /^(?:(?:what|how much) (?:do|did|have) you (?:know|learned?|remember|have)(?: saved| stored| noted| in memory)? (?:about|on|of) me|who am i|tell me (?:something |everything |what you (?:know|remember) )?about (?:me|myself)|what (?:have|did) i (?:told|tell) you(?: so far)?(?: about (?:me|myself))?|what (?:have|did) i (?:said|say) about (?:me|myself)|do you (?:still )?(?:know|remember) (?:me|who i am|anything about me)|remember me|(?:show|list|tell)(?: me)? (?:what|everything) you (?:know|remember) about me)(?: (?:so far|already|yet))?$/i
const ENGLISH_EVERYTHING =
  /^(?:what do you (?:know|remember|have)(?: so far| already)?|what(?:'s| is)(?: there)? in (?:your )?memory|(?:show|list|give|print)(?: me)? (?:me )?(?:all |everything )?(?:(?:of )?(?:my|your|the) )?(?:memor(?:y|ies)|what you (?:know|remember)|everything you (?:know|remember)|you (?:know|remember))|what have you (?:saved|remembered|stored|learned|learnt)|(?:what|which) memories (?:do you have|are there)|recall everything|tell me everything you (?:know|remember)|tell me what you (?:know|remember))(?: so far)?$/i
/** Only memory can know it. */
const PERSONAL =
  /\b(?:my|our|us|we|told you|tell you|you (?:know|remember)|the (?:deadline|team|project|release))\b|\b(?:do|did|am|was|have|should) i\b/i
const PREFERENCE = /\bprefer(?:ences?|red|s)?\b|\blikes?\b|\bhabits?\b|偏好|喜好|喜欢|习惯/i

const CHINESE_LOOKING_UP =
  /^(?:请)?(?:告诉我|提醒我(?=.{0,12}(?:什么|哪|谁|几|多少|怎么))|列出|显示|查一下|查查|搜索(?:一下)?(?:你的)?记忆|说说|讲讲|回忆一下)/
const CHINESE_TO_DO =
  /^(?:请|帮我|能不能|可以|可不可以|能)(?:你)?(?:帮我|帮忙|给我)?(?:写|改|修|做|生成|翻译|解释|运行|删除|创建|重构|跑|加|看)/
const CHINESE_SESSIONS = [
  /(?:我们|咱们)(?:之前|以前|上次|昨天|前天|上周|最近|今天|曾经|有没有|是不是|都|一起|还)*(?:聊|谈|讨论|说|讲|提|做|干|研究|商量)(?:过|了|到|起)(?:关于)?(?<what>.*)/,
  /(?:我们|咱们)[^,，]{0,20}(?:聊|谈|讨论|商量)(?:过|了|到)/,
  /(?:上次|昨天|前天|上周|前几天|最近一次)(?:我们|咱们|的|都|一起)*(?:聊|谈|讨论|说|做|干|对话|会话|聊天)(?<what>.*)/,
  /(?:在|从)?(?:之前的|以前的|历史|过去的|所有)?(?:对话|会话|聊天记录|聊天历史)(?:里|中|记录)?(?:搜索|查找|搜|找)(?<what>.*)/,
  /(?:搜索|查找|搜一下|找一下)(?:之前的|以前的|历史|过去的)?(?:对话|会话|聊天记录)(?:里|中)?(?:的|关于)?(?<what>.*)/,
]
const CHINESE_PERSON =
  /^(?:你)?(?:还|都)*(?:知道|了解|记得|记住了?|认识)(?:关于|有关)?我(?:的)?(?:什么|哪些|多少|些什么|哪些事|哪些信息|谁|是谁|的事|的信息|的情况)?(?:事|信息|情况)?(?:吗|呢)?$|^我是谁$|^关于我[,，]?你(?:都|还)?(?:知道|记得|了解)(?:些)?什么$|^我(?:都)?告诉过?你(?:些)?什么$|^(?:告诉我|说说)(?:你)?(?:都)?(?:知道|记得)?(?:关于)?我的?(?:什么|一切|事)?$|^对我(?:你)?(?:了解|知道)(?:多少|什么)$|^你对我(?:了解|知道)(?:多少|什么|些什么)$/
const CHINESE_EVERYTHING =
  /^你(?:都|还)*(?:记得|知道|记住了?|记了|保存了)(?:些|了)?什么$|^(?:列出|显示|告诉我|给我看)(?:你|我|的|所有|全部|一切|都)*(?:记忆|记得的(?:东西|内容|一切)?|知道的(?:东西|内容|一切)?)$|^你的?记忆(?:里|中)?(?:都)?有(?:些)?什么$|^所有(?:的)?记忆$/

const DAYS_AGO: ReadonlyArray<readonly [RegExp, number]> = [
  [/\byesterday\b|\blast night\b|昨天|昨晚/i, 1],
  [/\bday before yesterday\b|前天/i, 2],
  [/\b(?:today|this morning|earlier today)\b|今天|今早/i, 0],
]
const TIME =
  /\b(?:the day before )?yesterday\b|\blast (?:time|night|week|month|session|conversation)\b|\btoday\b|\bthis (?:morning|week)\b|\bearlier\b|\brecently\b|\bbefore\b|\bago\b|昨天|昨晚|前天|今天|今早|上次|上周|上个月|最近|之前|以前|前几天/gi

/** What a sentence asks for, if it asks memory; a request to do something does not. */
export function askingOf({ text, language, question }: Sentence): Asking | undefined {
  const bare = text.replace(/[\s.!?~。！？…]+$/u, '')
  if (language === 'zh') return chineseAsking(simplified(bare), question)
  const plain = bare.replace(LEAD, '')
  const lookingUp = LOOKING_UP.test(plain)
  const sessions = ENGLISH_SESSIONS.map(pattern => pattern.exec(plain)).find(match => match !== null)
  if (sessions && (question || lookingUp || /^(?:search|look|grep|check|find|show)/i.test(plain)))
    return ofSessions(plain, sessions)
  if (!question && !lookingUp) return undefined
  if (!lookingUp && REQUEST_TO_DO.test(bare)) return undefined
  if (ENGLISH_PERSON.test(plain)) return { about: 'person' }
  if (ENGLISH_EVERYTHING.test(plain)) return { about: 'everything' }
  return ofWords(
    plain,
    lookingUp || (PERSONAL.test(plain) && !/^how (?:do|can|could|would) i\b/i.test(plain)),
  )
}

function chineseAsking(plain: string, question: boolean): Asking | undefined {
  const said = plain.replace(/^(?:请问|那么?|所以|对了|好的?|另外)[,，\s]*/, '')
  const lookingUp = CHINESE_LOOKING_UP.test(said)
  const sessions = CHINESE_SESSIONS.map(pattern => pattern.exec(said)).find(match => match !== null)
  if (sessions && (question || lookingUp || /搜|查找|找/.test(said))) return ofSessions(said, sessions)
  if (!question && !lookingUp && !CHINESE_PERSON.test(said) && !CHINESE_EVERYTHING.test(said))
    return undefined
  if (!lookingUp && CHINESE_TO_DO.test(said)) return undefined
  if (CHINESE_PERSON.test(said)) return { about: 'person' }
  if (CHINESE_EVERYTHING.test(said)) return { about: 'everything' }
  return ofWords(said, lookingUp || /我|咱|记得|截止|项目|团队/.test(said))
}

/** A question of no telling word is about the person, or it is not for memory. */
function ofWords(plain: string, personal: boolean): Asking | undefined {
  const subject = plain
    .replace(/^(?:search|check|look up|show|list|give|print|recall)\b/i, '')
    .replace(/\bmemor(?:y|ies)\b|记忆/gi, ' ')
  const words = tellingWords(subject)
  if (words.length > 0) return { about: 'words', words, personal }
  if (PREFERENCE.test(plain)) return { about: 'preferences' }
  if (PROJECT.test(plain)) return { about: 'project' }
  return personal ? { about: 'person' } : undefined
}

function ofSessions(plain: string, match: RegExpExecArray): Asking {
  const daysAgo = DAYS_AGO.findLast(([pattern]) => pattern.test(plain))?.[1]
  const what = (match.groups?.what ?? plain).replaceAll(TIME, ' ')
  return { about: 'sessions', words: tellingWords(what), daysAgo }
}
