/** Requests to remember, and what in front of a sentence is not part of what it tells. */
import { simplified } from './chinese-words.ts'
import type { Language } from './sentences.ts'

export type Asked =
  /** "Remember that I …", "remember to …". */
  | { what: 'content'; content: string; toDo: boolean; loose: boolean }
  /** "Remember that.": what was said just before. */
  | { what: 'before' }
  /** "Remember all of this." */
  | { what: 'all before' }
  /** "Remember these things:", and then they come. */
  | { what: 'what follows'; content: string }

const ASKING =
  "(?:(?:can|could|would|will) you (?:please |also )?|i(?:'d like| want| need) you to |i would like you to |you (?:should|must|need to|have to) )?"
const REMEMBER = [
  'remember|memori[sz]e',
  '(?:make (?:a )?(?:mental )?note|take (?:a )?note|note down|write down|jot down|save this|save that)(?=\\s*[:,]| that | of the fact)',
  '(?:keep (?:this |it |that )?in (?:your )?memory|(?:save|store|add|put|commit) (?:this |that |it )?(?:to|in|into) (?:your |the )?(?:long-term )?memory)(?=\\s*[:,.!—–-]| that |$)',
  '(?<=please )note(?=\\s*:| that (?!this|it|that|you|there)| (?:i|my|we|our)\\b)',
].join('|')
const NEVER_FORGET = "(?:don't|do not|dont|never) (?:ever )?forget"
const ENGLISH_ASKED = new RegExp(
  `^(?:(?:please|and|also|so|ok(?:ay)?|now|then|hey|hi|oh|yes|just)[,!]? )*${ASKING}(?:please )?(?:also )?(?:(?<firm>${REMEMBER})|(?<loose>${NEVER_FORGET}))(?<rest>(?:$|[\\s:,!?—–]|\\.(?=\\s|$)|-\\s).*)$`,
  'is',
)
const ENGLISH_BEFORE =
  /^[\s,:]*(?:that|this|it|that one|this one|for (?:me|later|next time|the future|future reference)|please|ok(?:ay)?|for me|too|as well|of (?:it|that|this))?(?:[\s,]*(?:please|ok(?:ay)?|for (?:me|later|next time|the future)|too|as well))*[\s.!?]*$/i
const ENGLISH_ALL =
  /^[\s,:]*(?:all(?: of)?(?: (?:that|this|it|these|those))?|everything(?: above)?|(?:both of )?(?:these|those)(?: things)?|both)(?:[\s,]*(?:please|for (?:me|later|next time)))?[\s.!?]*$/i
const ENGLISH_LINK =
  /^(?:[\s:,—–-]+|(?:for (?:me|later|next time|the future)|down)(?=[\s:,]))*(?:(?:that|of the fact that|the fact that|of)(?=[\s:,])|(?:this|it)(?=\s*[:,—–-]))?[\s:,—–-]*/i
const ENGLISH_LIST =
  /^(?:these|the following|a few|some|two|three|four|several)(?: (?:things|facts|points|rules|preferences))?(?: about me)?\s*[:—–-]\s*|^the following$/i
/** "Remember what I said?" asks; "remember me" greets. */
const ENGLISH_RECALLED =
  /^\s+(?:passwords?\b|logins?\b|what|when|where|who|whom|which|how|why|if|whether|me\b|us\b|our (?:last|previous)|the (?:last )?time|that time)/i

const CHINESE_ASKED =
  /^(?:好的?[,，]\s*|那么?|所以|另外|还有|对了)?[,，]?\s*(?:请|麻烦|拜托|帮我|帮忙|你|您|能不能|能|可以|可不可以|要|也|务必|一定要?|好好|给我|把(?:这个|这点|这些|这|它|以下内容|下面的?内容?)?|(?<all>以上|全部|全都|都|所有))*(?:(?<firm>记住|记下来?|记一下|记着|记好|牢记|记录一下|(?:加|存|写|保存|记|放)(?:到|进|入|在)(?:你的)?记忆(?:里|中)?)|(?<loose>别忘[了记]?|不要忘[了记]?|请?记得))(?<rest>.*)$/s
/** The "remember me" of a login page, and a thing that is only pointed at. */
const NOT_ASKED =
  /^(?:密码|登录|用户名|账号|状态|我?(?:按钮|选项|功能|勾选|复选框)|[这那](?:个|些|条)?[^,，是在有]{1,6}$)/
const SENTENCE = /^\s*(?:$|来|了|我|咱|他|她|以后|不要|别|总是)|是|在|有|要/
const CHINESE_BEFORE = /^(?:[:：,，。.!！~\s]|这个|这点|这一点|这件事|它|那个|了|哦|吧|啊|呀|好|来|一下)*$/
const CHINESE_ALL = /^(?:[:：,，。.!！~\s]|这些|以上|上面的?|全部|所有|都|了|哦|吧)*$/
const CHINESE_LINK = /^(?:[:：,，\s—-]|这个[:：,，]|这一点[:：,，]|一下[:：,，]?|了(?=我))+/

const CHINESE_LIST =
  /^(?:以下|下面|这|这些|如下)(?:的|这)?(?:几|些|两|三)?(?:点|条|件事|个|内容|信息|事项|事情)?\s*[:：]\s*/

/** Whether a sentence asks for something to be remembered, and what. */
export function askedFor(sentence: string, language: Language): Asked | undefined {
  if (/^(?:things to remember|to remember|要记住的(?:事|事情|内容)?|需要记住的?)\s*[:：]$/i.test(sentence))
    return { what: 'what follows', content: '' }
  return language === 'zh' ? askedInChinese(sentence) : askedInEnglish(sentence)
}

function askedInEnglish(sentence: string): Asked | undefined {
  const groups = ENGLISH_ASKED.exec(sentence)?.groups
  if (!groups) return undefined
  const rest = groups.rest ?? ''
  const loose = groups.loose !== undefined
  const politely = /^(?:\w+,? )?(?:can|could|would|will) you\b/i.test(sentence)
  if (ENGLISH_RECALLED.test(rest) || (/\?\s*$/.test(rest) && !politely)) return undefined
  if (ENGLISH_BEFORE.test(rest)) return { what: 'before' }
  if (ENGLISH_ALL.test(rest)) return { what: 'all before' }
  const content = rest.replace(ENGLISH_LINK, '').replace(/[?\s]+$/, '')
  const list = ENGLISH_LIST.exec(content)?.[0]
  if (list !== undefined) return { what: 'what follows', content: content.slice(list.length) }
  // A single word is nothing to know.
  if (!/\S\s+\S|[^\x00-\x7f]{2}/.test(content)) return undefined
  const toDo = /^to /i.test(content)
  return { what: 'content', content: content.replace(/^to /i, ''), toDo, loose }
}

function askedInChinese(sentence: string): Asked | undefined {
  const plain = simplified(sentence)
  const groups = CHINESE_ASKED.exec(plain)?.groups
  if (!groups) return undefined
  const rest = groups.rest ?? ''
  const loose = groups.loose !== undefined
  const asksBack = /[吗么][?？。\s]*$/.test(rest)
  // "记得…吗" and "你记得…吗" ask for a memory; "你能记住…吗" asks to keep one.
  if (asksBack && loose) return undefined
  if (/[:：]\s*$/.test(rest) && CHINESE_LIST.test(rest)) return { what: 'what follows', content: '' }
  if (CHINESE_BEFORE.test(rest)) return { what: groups.all === undefined ? 'before' : 'all before' }
  if (CHINESE_ALL.test(rest)) return { what: 'all before' }
  const separated = /^\s*[:：,，]/.test(rest)
  if (
    !separated &&
    (NOT_ASKED.test(rest) ||
      (/(?:记下|记一下|记着|记录一下)$/.test(groups.firm ?? '') && !SENTENCE.test(rest)))
  )
    return undefined
  const skipped = CHINESE_LINK.exec(rest)?.[0].length ?? 0
  const start = sentence.length - rest.length + skipped
  const list = CHINESE_LIST.exec(plain.slice(start))?.[0]
  if (list !== undefined) return { what: 'what follows', content: sentence.slice(start + list.length).trim() }
  const content = sentence
    .slice(start)
    .replace(/[吗嗎么]?[?？\s]+$|[吗嗎]$/, '')
    .trim()
  if (content === '' || /^[。.!！]+$/.test(content)) return undefined
  return { what: 'content', content, toDo: false, loose }
}

const ENGLISH_LEAD = new RegExp(
  `^(?:${[
    "(?:hi|hey|hello|yo|ok(?:ay)?|alright|all right|right|yes|yeah|yep|sure|thanks|thank you|thx|cool|great|nice|perfect|well|so|and|but|because|also|oh|ah|hm+|um+|btw|by the way|fyi|for your information|for the record|for context|for reference|for future reference|for what it's worth|fwiw|just so you know|just to let you know|just fyi|as an aside|in addition|additionally|besides|plus|one more thing|another thing|fun fact|as i said|like i said|as you know|as mentioned|in case (?:it's|it is) (?:useful|relevant)|tbh|to be honest|honestly|look|listen|please know that)(?: there| all| reverie| again| so much)?[,:;!.—–-]*",
    '(?:context|background|about me|ps|p\\.s\\.|note)\\s*[:—-]',
    '(?:please )?(?:note|keep in mind|bear in mind|know) that',
    'keep in mind[,:]',
    'you should (?:also )?know(?: that)?',
    'i should (?:also )?(?:add|mention|say)(?: that)?',
    'i (?:already |just )?(?:told you|said|mentioned)(?: before| already| earlier)?(?: that)?(?= (?:i|my|we|our)\\b)',
  ].join('|')})\\s+`,
  'i',
)
const ENGLISH_CORRECTION =
  /^(?:(?:no|nope|nah)(?:[,.;:!—–-]+|(?=\s+(?:i|i'm|my|we|our|it's)\b))|(?:actually|wait|correction|sorry|oops|scratch that|my mistake|i misspoke|i was wrong|not quite|well actually)[,.;:!—–-]*|(?:update|rather)[,:]+|i (?:actually )?mean(?:t)?(?: to say)?(?: that)?[,:]*(?= (?:i|my|we|our)\b)|i made a mistake[,:.]*|(?:from now on|as of (?:now|today)|now|nowadays|these days),?(?= (?:i|we|my|our)\b))\s+/i
const CHINESE_LEAD =
  /^(?:你好|您好|嗨|好的?|嗯+|哦|对了|顺便(?:说一下|说一句|提一下|一提)?|另外|还有|补充(?:一下|一点)?|说明一下|告诉你|跟你说|让你知道一下|供参考|提醒一下|谢谢|那么|所以|而且|然后|关于我|我的偏好|注意|其次|首先|需要说明的是|要知道|btw|BTW|FYI|fyi)(?:[,，:：;；。!！~\s]+|(?=我))/
const CHINESE_CORRECTION =
  /^(?:不对|不是(?:的|这样|这样的)?(?=[,，。!！\s])|不(?=[,，])|错了|说错了|我说错了|搞错了|我搞错了|记错了|你记错了|更正(?:一下)?|纠正(?:一下)?|更新(?:一下)?|其实|实际上|事实上|抱歉|等等|准确地?说|应该是)(?:[,，:：;；。!！\s]+|(?=我|现在|截止|项目|团队))/

/** What a sentence tells, without greetings, asides and the "no" of a correction. */
export function withoutLead(sentence: string, language: Language): { said: string; corrects: boolean } {
  let said = sentence
  let corrects = false
  const [lead, correction] =
    language === 'zh' ? [CHINESE_LEAD, CHINESE_CORRECTION] : [ENGLISH_LEAD, ENGLISH_CORRECTION]
  // Each round takes something away, and four of them are more than anybody strings together.
  for (let round = 0; round < 4; round++) {
    const plain = language === 'zh' ? simplified(said) : said
    const put = correction.exec(plain)?.[0]
    const taken = put ?? lead.exec(plain)?.[0]
    if (taken === undefined || taken.length >= said.length) break
    corrects ||= put !== undefined
    said = said.slice(taken.length)
  }
  return { said, corrects }
}

/** "No." by itself: the next sentence puts something right. */
export function isCorrection(sentence: string, language: Language): boolean {
  const plain = language === 'zh' ? simplified(sentence) : sentence
  return (
    /^(?:no|nope|nah|wait|sorry|correction|actually|that's (?:wrong|not right|not true|outdated)|wrong)[.!,]*$/i.test(
      plain,
    ) || /^(?:不|不对|不是|错了|更正|说错了|搞错了)[。.!！,，]*$/.test(plain)
  )
}
