/** Chinese sentences in which somebody tells a fact in passing. Not sure means no fact. */
import { CHANGES, FACTS, REFERENCES } from './chinese-patterns.ts'
import { simplified } from './chinese-words.ts'
import type { Fact } from './statement.ts'

/** Not a thing but a pointer to one: true for the moment it is pointed at. */
const POINTS =
  /^\s*(?:这|那|它|你|您|他|她|此|该|上面|下面|第[一二三四五六\d]|前者|后者|以上|方案|选项|刚才|哪|一下|的)/
const FOR_THE_MOMENT =
  /正在|刚才|刚刚|今天|现在在(?!.{1,12}(?:工作|上班))|这次|这个|那个|这里|那里|这段|这些|那些|这样|试试|暂时|的时候|之后|后(?:是|显示|就|会)|先用|看看|你|您/
const TROUBLE =
  /报错|出错|错误|失败|崩|异常|[Bb]ug|问题|不行|没反应|卡住|卡死|空白|很慢|太慢|坏了|死机|打不开|不工作|无法|找不到|超时|冲突|权限/
const DOUBTFUL =
  /^(?:如果|假如|假设|要是|比如|例如|假装|设想|想象|万一|作为|当我|若|倘若|据)|可能|也许|大概|或许|应该|觉得|认为|感觉|好像|似乎|猜|要不|希望|想要|我想|就好了|的话/
/** "我用 parse()": what the code does, not what the person does. */
const CODE = /[a-z]+[A-Z]\w*\(|\w\(\)|=>|(?:用|使用)\s*[A-Z]\s/
/** A predicate that tells how something is doing, not what it is. */
const CONDITION = /^(?:空|错|不|没|对的|坏|什么|谁|这|那|要|怎|为|在|很|太|如何|换|先|想|从|被|由|读|存)/
const ABOUT_A_DAY = /截止|上线时间|发布|deadline|DDL|ddl/

/** The fact that a sentence tells without being asked for it; it begins with the fact itself. */
export function chineseFact(sentence: string): Fact | undefined {
  const said = simplified(sentence).replace(/[。.!！~\s]+$/, '')
  if (DOUBTFUL.test(said)) return undefined
  if (REFERENCES.some(({ is }) => is.test(said))) return { type: 'reference', changed: false }
  if (FOR_THE_MOMENT.test(said.replace(/^(?:你?可以)(?=叫我)/, '')) && !ABOUT_A_DAY.test(said))
    return undefined
  if (TROUBLE.test(said) || CODE.test(said)) return undefined
  for (const { type, is, unless } of [...CHANGES, ...FACTS]) {
    const match = is.exec(said)
    if (!match || unless?.test(said)) continue
    const { object, value } = match.groups ?? {}
    if (object !== undefined && POINTS.test(object)) continue
    if (value !== undefined && (CONDITION.test(value) || POINTS.test(value))) continue
    return { type, changed: CHANGES.some(change => change.is === is) }
  }
  return undefined
}
