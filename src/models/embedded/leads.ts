/** What in front of a sentence is not part of what it tells: greetings, asides, the "no" of a correction. */
import { simplified } from './chinese-words.ts'
import type { Language } from './sentences.ts'

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
