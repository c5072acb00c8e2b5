/** Requests to remember. */
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
