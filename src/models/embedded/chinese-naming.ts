/** Chinese statements get a name without "I", and a line by which they are found again. */
import {
  DOCUMENT,
  EVENT,
  OWN_ATTRIBUTE,
  OWN_TOOL,
  PERSON,
  PROJECT_ATTRIBUTE,
  simplified,
} from './chinese-words.ts'
import type { Naming } from './english-naming.ts'
import type { MemoryType } from './statement.ts'

const ATTRIBUTE = new RegExp(
  `^(?:我们的?|咱们的?|项目的?|团队的?|我的?)?\\s*(?<attribute>${OWN_ATTRIBUTE}|${OWN_TOOL}|(?:${PERSON})(?:的名字)?|${PROJECT_ATTRIBUTE})\\s*(?:是|叫|为|用的是|:|：)\\s*(?<value>.+)$`,
  'du',
)
const EVENT_DATE = new RegExp(
  `^(?<attribute>${EVENT})\\s*(?<verb>是|在|为|:|：|定在|定为|(?:已经|现在)?(?:被)?(?:改|推迟|延期|延后|提前|变更|调整)[到为成]了?)\\s*(?<value>.+)$`,
  'du',
)
const CALLED = /^(?:我叫|(?:你?可以|请|就|大家都?)?叫我)\s*(?<value>.+?)(?:就行|就好|吧|即可|就可以)?了?$/du
const PLACED = new RegExp(
  `^(?:所有的?|全部)?(?<what>${DOCUMENT})\\s*(?<where>(?:都|全部|统一|现在|的?(?:地址|链接|网址|位置)|被|是|在|位于|放|存|保存|记|写|登记|托管|跟踪|提|见|参见|:|：|为).+)$`,
  'du',
)
const PREFERRED =
  /^我(?:也|还是|还|更加|更|最|比较|一般|通常|平时|一直|都|很|非常|特别|真的|个人|就|挺|蛮|超|其实|现在)*(?:喜欢|偏好|偏爱|倾向于?|爱)(?<object>.+)$/du
const SUBJECT = /^(?:我们(?:团队|公司|项目)?|咱们|团队|公司|项目组?|本项目|我)(?:也|还|其实|个人)*/u
const IDENTITY = /^我(?:也|本身|目前|本来|其实|现在)*是(?:一?[个名位])?\s*(?<what>.+)$/du
const OWN_NAME = /^(?:名字|姓名|全名)$/

/** The named part of a match, in the characters in which it was written. */
function part(original: string, match: RegExpExecArray | null, name: string): string | undefined {
  const place = match?.indices?.groups?.[name]
  return place && original.slice(place[0], place[1]).trim()
}

/** `said` is one sentence without its full stop, and without the reason given in it. */
export function chineseNaming(said: string, type: MemoryType): Naming {
  const plain = simplified(said)
  const called = part(said, CALLED.exec(plain), 'value')
  if (called !== undefined) return { name: '名字', description: `名字:${called}` }
  const attributed = ATTRIBUTE.exec(plain)
  const [attribute, value] = [part(said, attributed, 'attribute'), part(said, attributed, 'value')]
  if (attribute !== undefined && value !== undefined) return ofAttribute(attribute, value)
  if (type === 'reference') {
    const placed = PLACED.exec(plain)
    const [what, where] = [part(said, placed, 'what'), part(said, placed, 'where')]
    if (what !== undefined && where !== undefined) return { name: what, description: said }
  }
  const event = EVENT_DATE.exec(plain)
  const [day, date] = [part(said, event, 'attribute'), part(said, event, 'value')]
  if (type === 'project' && day !== undefined && date !== undefined)
    return { name: day, description: `${day}:${date}` }
  return ofSentence(said, plain)
}

function ofAttribute(attribute: string, value: string): Naming {
  if (OWN_NAME.test(attribute)) return { name: '名字', description: `名字:${value}` }
  return { name: attribute, description: `${attribute}:${value}` }
}

function ofSentence(said: string, plain: string): Naming {
  const preference = PREFERRED.exec(plain)
  const place = preference?.indices?.groups?.object
  if (place) {
    const object = said.slice(...place)
    return { name: `偏好${object}`, description: `用户偏好:${object.trim()}` }
  }
  const identity = part(said, IDENTITY.exec(plain), 'what')
  if (identity !== undefined) return { name: identity, description: `用户是${identity}` }
  if (/^我的/.test(plain)) return { name: said.slice(2), description: `用户的${said.slice(2)}` }
  const subject = SUBJECT.exec(plain)?.[0]
  if (subject === undefined) return { name: said, description: said }
  const told = said
    .slice(subject.length)
    .trim()
    .replace(/(?<!年)\s*了$/, '')
  const who = subject.startsWith('我') && !subject.startsWith('我们') ? '用户' : '团队'
  const liked =
    /^(?:很|非常|特别|最|更|比较|真的)*(?:不太?喜欢|讨厌|不爱|习惯|热爱|痛恨|受不了|宁愿|宁可)/.test(
      simplified(told),
    )
  return { name: told, description: liked ? `用户偏好:${told}` : `${who}${told}` }
}

/** A rule's name is the rule. */
export function chineseRuleNaming(rule: string): Naming {
  return { name: rule, description: `规则:${rule}` }
}

export function chineseSentence(text: string): string {
  return `${text.trim().replace(/[。.!！~\s]+$/, '')}。`
}
