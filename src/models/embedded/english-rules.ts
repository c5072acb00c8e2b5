/** English sentences that tell how to work. One meant for the task at hand is no rule. */
import { INSTRUCTION_VERB } from './english-words.ts'
import type { Rule } from './statement.ts'

const POLITE = '(?:please |just |also |and |so |kindly )*'
const FROM_NOW_ON =
  '(?:from now on|from here on(?: out)?|going forward|moving forward|in (?:the )?future|from this point on|henceforth|next time|(?:by default|as a rule|in general)(?=,))'
const YOU =
  "(?:you (?:should|must|need to|have to|are to|shall)|i(?:'d)? (?:want|need|expect|like) you to|i would like you to|make sure (?:that )?(?:you |to )|be sure to|try to)"
const VERB = `(?:${INSTRUCTION_VERB})`

const AFTER_NOW_ON = new RegExp(
  `^${POLITE}${FROM_NOW_ON},? ${POLITE}(?:${YOU} )?(?<rule>(?:always |never |only |don't |do not |no |stop |avoid )*(?:${VERB}\\b|\\w+ing\\b|no ).*)$`,
  'i',
)
const BEFORE_NOW_ON = new RegExp(
  `^${POLITE}(?:${YOU} )?(?<rule>(?:always |never |only |don't |do not |stop )*${VERB}\\b.*?),? (?:from now on|going forward|in (?:the )?future)$`,
  'i',
)
const ALWAYS = new RegExp(
  `^${POLITE}(?:${YOU} )?${POLITE}(?<rule>(?:always|never|don't ever|do not ever) ${VERB}\\b.*)$`,
  'i',
)
const STOP = new RegExp(
  `^${POLITE}(?:${YOU} )?(?<rule>(?:stop|quit|no more|avoid) (?!being|running)(?:\\w+ing)\\b.*)$`,
  'i',
)
const EVERY_TIME = new RegExp(
  `^(?:please )?(?<rule>(?:whenever|every time|each time|before every|before each|after every|after each|(?:before|after|when)(?= [^,]{3,60}, (?:please )?(?:always|never)\\b)) (?!you(?:'re| are| can| want| have time))(?:you |i |we )?[^,]{3,80}, (?:please |always |never |don't |do not |also |first |you (?:should|must|need to) |make sure (?:to |you )|be sure to |remember to )*${VERB}\\b.*)$`,
  'i',
)
/** "I like it when you explain": a confirmed success is as good a rule as a correction. */
const WHEN_YOU =
  /^i (?:really |also |don't |do not )*(?:(?:like|love|hate|prefer|dislike|appreciate)(?: it)? when|prefer(?: it)? (?:if|that)) you (?!do (?:that|this|it)\b|did\b|\w+ed\b|get\b)(?<rule>.+)$/i
const DO_NOT =
  /^(?:please )?(?<rule>(?:don't|do not|dont) (?:use|add|write|mock|stub|abbreviate|guess|assume|apologi[sz]e|summari[sz]e|hard-?code|invent|over-?engineer|reformat|auto-?\w+|repeat|swallow|nest|introduce) .+)$/i

/** "I'd rather you ask before you install anything" */
const RATHER = new RegExp(
  `^i(?:'d| would) (?:much )?(?:rather|prefer)(?: it)?(?: if| that)? you (?<rule>(?:don't |do not |always |never )?${VERB}\\b .+)$`,
  'i',
)
/** What went wrong before is a reason for good: "don't mock the database in these tests, we got burned last quarter". */
const ONCE_BURNED =
  /^(?<said>(?:please )?(?:don't|do not|dont|never) .{6,}?)(?:,|;| [-–—])\s*(?<why>(?:we|it|that|this|last time|i|they) .{0,40}\b(?:burned|burnt|bitten|bit us|hurt us|broke|broken|failed|failure|incident|outage|lost|last (?:time|week|month|quarter|year|release))\b.*)$/i
/** "You should use British spelling in docs" */
const SHOULD = new RegExp(
  `^${POLITE}you (?:should|must) (?:only |rather )?(?<rule>(?:use|write|prefer|avoid|keep|ask|answer|reply|explain|spell|quote|cite|name|format) .+)$`,
  'i',
)

/** It speaks of this one thing, this one time. */
const FOR_THIS_ONCE =
  /\b(?:this|that|these|those|it|here|now|yet|again|today|below|above|anything|any of|for the moment|until i)\b(?! (?:repo|repository|project|codebase|team))/i
const DEFINITE = /\b(?:the|my|your|a|an|another)\b/i
const OF_THE_MOMENT =
  /^(?:always|never) \w+ (?:it|this|that|them|these|those|so|like)\b|\bright now\b|\bhere\b|\blike this\b|\bmind\b|\bthe (?:other|same|old|first|second) one\b/i
const NOT_A_RULE =
  /^(?:from now on|going forward|in (?:the )?future),? (?:i|we|it|this|there|he|she|they)(?:'| )|\b(?:might|maybe|perhaps)\b/i

export function englishRule(sentence: string): Rule | undefined {
  const said = sentence.replace(/[.!\s]+$/, '')
  if (NOT_A_RULE.test(said)) return undefined
  for (const pattern of [AFTER_NOW_ON, BEFORE_NOW_ON]) {
    const rule = pattern.exec(said)?.groups?.rule
    if (rule !== undefined) return OF_THE_MOMENT.test(rule) ? undefined : { rule, weak: false }
  }
  const general = ALWAYS.exec(said)?.groups?.rule ?? EVERY_TIME.exec(said)?.groups?.rule
  if (general !== undefined) return OF_THE_MOMENT.test(general) ? undefined : { rule: general, weak: false }
  const stop = STOP.exec(said)?.groups?.rule
  if (stop !== undefined)
    return FOR_THIS_ONCE.test(stop) || DEFINITE.test(stop) ? undefined : { rule: stop, weak: false }
  if (WHEN_YOU.test(said)) return { rule: said, weak: false }
  const should = SHOULD.exec(said)?.groups?.rule
  if (should !== undefined)
    return FOR_THIS_ONCE.test(should) || DEFINITE.test(should) ? undefined : { rule: should, weak: true }
  const rather = RATHER.exec(said)?.groups?.rule
  if (rather !== undefined)
    return /\b(?:this|that|it|these|those|now|here)\b/i.test(rather)
      ? undefined
      : { rule: rather, weak: false }
  const negative = DO_NOT.exec(said)?.groups?.rule
  if (negative === undefined || FOR_THIS_ONCE.test(negative) || DEFINITE.test(negative)) return undefined
  return { rule: negative, weak: true }
}

const INSTRUCTION = new RegExp(
  `^${POLITE}(?:to |you (?:should|must|need to) )?(?<rule>(?:always |never |only |don't |do not |stop |not to )*${VERB}\\b .+)$`,
  'i',
)

/** A rule that only its reason tells to be one. */
export function englishLesson(sentence: string): Rule | undefined {
  const rule = ONCE_BURNED.exec(sentence.replace(/[.!\s]+$/, ''))?.groups?.said
  return rule === undefined || OF_THE_MOMENT.test(rule) ? undefined : { rule, weak: false }
}

/** What somebody asked to have remembered, if it is an instruction: "use tabs in this repo". */
export function englishInstruction(content: string): string | undefined {
  const said = content.replace(/[.!\s]+$/, '')
  const known = englishRule(said)
  if (known) return known.rule
  return INSTRUCTION.exec(said)?.groups?.rule
}

const BECAUSE =
  /^(?<said>.{3,}?),?\s+(?:because(?! of\b)|since(?! (?:\d|then|the (?:beginning|start|last)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|last|yesterday|we started)))\s+(?<why>.{3,})$/i
const SO_THAT = /^(?<said>.{3,}?),?\s+(?<why>(?:because of|so that)\s+.{3,})$/i

/** The reason in a sentence, apart from what it is the reason for. */
export function englishReason(sentence: string): { said: string; why?: string } {
  const plain = sentence.replace(/[.!\s]+$/, '')
  const { said, why } = (BECAUSE.exec(plain) ?? SO_THAT.exec(plain) ?? ONCE_BURNED.exec(plain))?.groups ?? {}
  return said === undefined || why === undefined ? { said: sentence } : { said, why }
}

const WHY_NEXT =
  /^(?:why\s*[:：]|because\b|(?:the )?reason(?: is|:)(?: that)?|(?:that's|that is|it's|this is) because)\s*(?<why>.+)$/i
const HOW_NEXT =
  /^(?:how to apply\s*[:：]|(?:this )?appl(?:y|ies) (?:this |it )?(?=to|when|whenever|for|in|everywhere)|this (?:goes|holds|is) (?=for|when))\s*(?<how>.+)$/i

/** A sentence that gives the reason for the one before it, or tells where that one applies. */
export function englishAddition(sentence: string): { why: string } | { how: string } | undefined {
  const plain = sentence.replace(/[.!\s]+$/, '')
  const why = WHY_NEXT.exec(plain)?.groups?.why
  if (why !== undefined) return { why }
  const how = HOW_NEXT.exec(plain)?.groups?.how
  return how === undefined ? undefined : { how }
}
