/** Requests to forget. */
import { simplified } from './chinese-words.ts'
import type { Language } from './sentences.ts'

export interface Forgetting {
  /** What to forget, in the person's words; empty for "forget that". */
  what: string
  /** Everything about it, however many memories that is. */
  everything: boolean
  /** The file, where one is named. */
  file?: string
}

const ENGLISH = new RegExp(
  "^(?:(?:please|and|also|ok(?:ay)?|so|now|then|hey|no|yes|actually)[,!]? )*(?:(?:can|could|would|will) you (?:please )?|i(?:'d like| want| need) you to |you (?:can|may|should) )?(?:please )?(?:now )?" +
    '(?:forget(?<plain>(?![\\w-]).*)|(?:delete|remove|erase|drop|clear) (?:the |your |my |that |this |any )*(?:memory|memories|note|notes)(?: (?:about|of|on|that|for))?(?<memory> .*)|(?:delete|remove|erase|drop|clear) (?<from>.+) from (?:your |the )?memory|stop remembering(?<stop> .*))$',
  'is',
)
const NEVER_MIND =
  /^\s*(?:(?:about )?it|about (?:it|that|this)|i (?:said|asked|mentioned) (?:it|that|anything))[\s.!]*$/i
const ENGLISH_LINK =
  /^\s*(?:(?:about |that |the fact that |what (?:i|you|we) (?:said|told you|know|remember|have|saved|noted) ?(?:about|regarding|on)? ?|what you know about |the memory (?:about|of|that) |my |the |:|,)\s*)*/i
const ENGLISH_EVERYTHING =
  /^\s*(?:everything|all|anything|all (?:of )?(?:that|the memories|memories|your memories))(?: (?:that )?(?:you (?:know|have|remember|saved)|i (?:said|told you)|there is))?(?: (?:about|regarding|on|of) (?<what>.+))?$/i
const FILE = /(?<![\w./-])([\w-]+\.md)\b/

const CHINESE =
  /^(?:好的?|那|请|麻烦|帮我|你|您|可以|能不能|能|把|也|就|现在)*[,，]?\s*(?:(?:忘掉|忘记|忘了|忘却)(?<plain>.*)|把(?<object>.+?)(?:忘掉|忘记|忘了|从记忆(?:里|中)?(?:删掉|删除|去掉|移除))(?:吧|掉)?|(?:删除|删掉|清除|移除|清空)(?:你的|我的)?(?:关于)?(?<memory>.*?)的?(?:记忆|记录)|不要再?记(?:住|着|得)(?<stop>.+))[。.!！吧吗?？\s]*$/s
const CHINESE_NEVER_MIND = /^\s*(?:它|吧|算了|这事|这件事)*[。.!！\s]*$/
const CHINESE_LINK = /^(?:关于|我说过?的?(?:关于)?|我告诉你的?(?:关于)?|[:：,，\s])+/
const CHINESE_EVERYTHING =
  /^(?:(?:所有|一切|全部|任何)(?:关于|有关|和)?(?<what>.*?)(?:的)?(?:一切|所有|全部|事情|内容|东西|记忆|信息)?|(?:关于|有关)?(?<mine>我)的?(?:一切|所有|全部)(?:事情|内容|东西|记忆|信息)?|(?:关于|有关)(?<about>.+?)的?(?:一切|所有|全部)(?:事情|内容|东西|记忆|信息)?)$/

/** Whether a sentence asks to forget, and what. "Forget it" does not: it means never mind. */
export function forgetting(sentence: string, language: Language): Forgetting | undefined {
  return language === 'zh' ? inChinese(sentence) : inEnglish(sentence)
}

function inEnglish(sentence: string): Forgetting | undefined {
  const groups = ENGLISH.exec(sentence)?.groups
  if (!groups) return undefined
  const rest = (groups.plain ?? groups.memory ?? groups.from ?? groups.stop ?? '').replace(/[.!?\s]+$/, '')
  if (NEVER_MIND.test(rest)) return undefined
  // "Forget to …" is somebody who forgot something.
  if (/^\s+to\b/i.test(rest)) return undefined
  return wanted(
    rest,
    ENGLISH_EVERYTHING,
    ENGLISH_LINK,
    /^(?:that|this|it|them|those|these|that one|this one|one)?$/i,
  )
}

function inChinese(sentence: string): Forgetting | undefined {
  const plain = simplified(sentence)
  const groups = CHINESE.exec(plain)?.groups
  if (!groups) return undefined
  const found = groups.plain ?? groups.object ?? groups.memory ?? groups.stop ?? ''
  if (groups.plain !== undefined && CHINESE_NEVER_MIND.test(found)) return undefined
  const rest = found.replace(/[。.!！吧吗?？\s]+$/, '')
  return wanted(rest, CHINESE_EVERYTHING, CHINESE_LINK, /^(?:这个|那个|这|那|刚才的?|刚才那个)?$/)
}

function wanted(rest: string, everything: RegExp, link: RegExp, pointer: RegExp): Forgetting {
  const file = FILE.exec(rest)?.[1]
  if (file !== undefined) return { what: rest.trim(), everything: false, file }
  const all = everything.exec(rest.trim())
  if (all)
    return {
      what: (all.groups?.what ?? all.groups?.about ?? all.groups?.mine ?? '').trim(),
      everything: true,
    }
  const what = rest.replace(link, '').trim()
  return { what: pointer.test(what) ? '' : what, everything: false }
}
