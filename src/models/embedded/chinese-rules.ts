/** Chinese sentences that tell how to work. One meant for the task at hand is no rule. */
import { simplified } from './chinese-words.ts'
import type { Rule } from './statement.ts'

/** Verbs that start an instruction. "总是报错" is a complaint, "总是先跑测试" a rule. */
const VERB =
  '(?:跑|用|使用|写|加|添加|提交|推送|问|检查|运行|测试|回答|回复|解释|保持|避免|遵循|遵守|格式化|删|改|备份|确认|直接|硬编码|注释|记录|处理|把|给|让我|告诉我|叫|道歉|总结|猜|假设|[Mm]ock|重复|省略|缩写|啰嗦|生成|引入|输出|简短|尽量|统一|命名|部署|发布|合并|创建|列出|附上|说明|征求|通知)'
const HOW = '(?:请|先|要|都要|都|不要|别|不能|不得|不可|不|再|自动|主动|擅自|随便|随意|只|也|必须|默认)*'
const FROM_NOW_ON = new RegExp(
  `^(?:请)?(?:以后|今后|从现在起|从现在开始|从今以后|从今往后|往后|之后都|下次)[,，\\s]*(?:请你?|你|就|记得|要记得|麻烦|拜托)*[,，\\s]*(?<rule>(?:${HOW}${VERB}|[^,，我它这那]{1,12}(?:${HOW})${VERB}).*)$`,
)
const SHORTEST_RULE = 3
const LATER = /^(?:再|有|会|可能|我|我们|的|还|吧|如果|等|慢慢|想|打算|也许|应该会)/
const ALWAYS = new RegExp(
  `^(?:请你?|你|拜托|麻烦)*(?<rule>(?:(?:总是|始终|永远|务必|一定要|一律|千万|绝对|绝|切勿)(?:在.{1,8}[前后时])?${HOW}${VERB}|每次.{1,16}?(?:都要|都请|都必须|之前要|前要|前先|后要|后先|记得|请|必须|不要|别)${HOW}${VERB}).*)$`,
)
const STOP = new RegExp(`^(?:请你?|你)?(?<rule>(?:别再|不要再|停止|禁止|请勿|不许|不准)${HOW}${VERB}.*)$`)
const DO_NOT =
  /^(?:请你?)?(?<rule>(?:不要|别|不用再)\s*(?:用|使用|加|添加|写|解释|道歉|总结|猜|假设|[Mm]ock|自动|擅自|随便|随意|重复|省略|硬编码|缩写|啰嗦|主动|过度|引入)(?!了$|死)\s*.+)$/

const FOR_THIS_ONCE =
  /这|服务器?$|运行$|访问|那|它|此|该|上面|下面|现在|先(?!写|跑|问)|暂时|刚才|里的|一下|还没|今天/
const COMPLAINT = /报错|出错|失败|崩溃|会崩|不成功|异常|不会成功|打不开|卡住|变慢|丢失/
const NOT_SAID_TO_YOU = /^(?:永远|总是|始终|一定)(?:不会|会|是|有|没|在|能|可以)/

export function chineseRule(sentence: string): Rule | undefined {
  const plain = simplified(sentence).replace(/[。.!！~\s]+$/, '')
  const cut = (rule: string): string => sentence.slice(plain.length - rule.length, plain.length)
  const later = FROM_NOW_ON.exec(plain)?.groups?.rule
  if (later !== undefined && later.length < SHORTEST_RULE) return undefined
  if (later !== undefined)
    return LATER.test(later) || COMPLAINT.test(later) ? undefined : { rule: cut(later), weak: false }
  const always = ALWAYS.exec(plain)?.groups?.rule
  if (
    always !== undefined &&
    always.length > SHORTEST_RULE &&
    !COMPLAINT.test(always) &&
    !NOT_SAID_TO_YOU.test(always)
  )
    return /^.{2,6}(?:这|那|它)/.test(always) ? undefined : { rule: cut(always), weak: false }
  const stop = STOP.exec(plain)?.groups?.rule
  if (stop !== undefined) return FOR_THIS_ONCE.test(stop) ? undefined : { rule: cut(stop), weak: false }
  const negative = DO_NOT.exec(plain)?.groups?.rule
  if (negative === undefined || FOR_THIS_ONCE.test(negative)) return undefined
  return { rule: cut(negative), weak: true }
}

/** What somebody asked to have remembered, if it is an instruction. */
export function chineseInstruction(content: string): string | undefined {
  const known = chineseRule(content)
  if (known) return known.rule
  const said = content.replace(/[。.!！~\s]+$/, '')
  return /^(?:请|要|不要|别|不能|不可以|必须|务必|先|用|使用|提交|回答|回复|写|加|跑|运行|检查|每次|所有.{1,12}都要)/.test(
    simplified(said),
  )
    ? said.replace(/^[请請]/, '')
    : undefined
}

const BECAUSE = /^(?<said>.{3,}?)[,，;；]?\s*(?:因为|由于|原因是|理由是)\s*(?<why>.+)$/
const THEREFORE = /^(?:因为|由于)\s*(?<why>.{2,}?)[,，]\s*(?:所以|因此)\s*(?<said>.{3,})$/

export function chineseReason(sentence: string): { said: string; why?: string } {
  const original = sentence.replace(/[。.!！~\s]+$/, '')
  const plain = simplified(original)
  const therefore = THEREFORE.exec(plain)?.groups
  if (therefore?.said !== undefined && therefore.why !== undefined) {
    const start = plain.indexOf(therefore.why)
    return {
      said: original.slice(-therefore.said.length),
      why: original.slice(start, start + therefore.why.length),
    }
  }
  const { said, why } = BECAUSE.exec(plain)?.groups ?? {}
  if (said === undefined || why === undefined) return { said: sentence }
  return {
    said: original.slice(0, said.length).replace(/[,，;；\s]+$/, ''),
    why: original.slice(-why.length),
  }
}

const WHY_NEXT = /^(?:原因(?:是|:|：)|因为|理由(?:是|:|：)|这是因为|为什么\s*[:：]|由于)\s*(?<why>.+)$/
const HOW_NEXT = /^(?:如何应用|怎么应用|适用(?:于|范围))\s*[:：]?\s*(?<how>.+)$/

export function chineseAddition(sentence: string): { why: string } | { how: string } | undefined {
  const original = sentence.replace(/[。.!！~\s]+$/, '')
  const plain = simplified(original)
  const why = WHY_NEXT.exec(plain)?.groups?.why
  if (why !== undefined) return { why: original.slice(-why.length) }
  const how = HOW_NEXT.exec(plain)?.groups?.how
  return how === undefined ? undefined : { how: original.slice(-how.length) }
}
