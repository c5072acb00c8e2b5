/**
 * The forms in which a Chinese sentence tells a fact about the person, the project or a place. In a
 * match, `object` is what the verb is about, and `value` what an attribute is.
 */
import {
  DATE,
  DOCUMENT,
  EVENT,
  LANGUAGE,
  OWN_ATTRIBUTE,
  OWN_TOOL,
  PERSON,
  PLACE,
  PROJECT_ATTRIBUTE,
  ROLE,
  ROLE_WITH_MORE,
  SURNAME,
  SYSTEM,
} from './chinese-words.ts'
import type { FactPattern, MemoryType } from './statement.ts'

const ADVERBS =
  '(?:也|还是|还|更加|更|最|比较|一般|通常|平时|平常|一直|总是|从来|都|很|非常|特别|真的|个人|就|挺|蛮|超|其实|目前|主要|经常|只|大多|基本上?|日常|统一|工作中|写代码时)*'
const TEAM = '(?:我们(?:团队|公司|项目)?|咱们|团队|公司|项目组?|本项目)'
const NUMBER = '[\\d一二两三四五六七八九十几半多]+'
const END = '(?=[,，;；]|$)'
const URL = 'https?:\\/\\/\\S+'
const NAME = `(?:${SURNAME}\\p{sc=Han}{1,2}|[小阿老大]\\p{sc=Han}{1,2}|\\p{Lu}[\\p{L}'-]*(?: \\p{Lu}[\\p{L}'-]*){0,2})`
const COMPANY =
  '(?:\\p{Lu}[\\p{L}\\p{N}&. -]*|[^,，]{2,10}(?:公司|集团|科技|团队|银行|大学|学院|研究院|实验室))'
const TECHNOLOGY = '[A-Z][A-Za-z+#.]*(?: [A-Z][A-Za-z+#.]*)?'
/** "用户", "用法", "用完": words that begin with 用 and mean something else. */
const USE = '用(?!户|法|途|力|心|完|不|光|作|处|意|上|好|得|到|掉|尽|量|例|了|过|来|一下|的)'
/** What is used for an errand is not what somebody uses. */
const ERRAND =
  /打开|运行|执行|跑|调用|访问|登录|连接|请求|编译|安装|装|解析|下载|查看|存|表示|代表|起来|不上|不了|发现|一个|两个|了$|过$|实现了|写了|写的/
const DECISION =
  '(?:用|使用|采用|不用|不再|不使用|放弃|改用|支持|不支持|停止|迁移|重写|把|将|由|每|统一|从|推迟|取消|以|选|废弃|保留|合并|拆分|引入|先上线|在.{1,12}(?:前|后|上))'

function told(type: MemoryType, source: string, unless?: RegExp): FactPattern {
  return { type, is: new RegExp(source, 'u'), ...(unless && { unless }) }
}

/** Something is no longer as it was. */
export const CHANGES: FactPattern[] = [
  told(
    'user',
    `^我(?:已经|最近|刚)?搬(?:家)?(?:到|去)了?(?<object>[^,，]{2,12}?)了?${END}`,
    /文件|代码|目录/,
  ),
  told(
    'user',
    '^我(?:已经|最近|现在)?(?:改用(?!户)|换成|换到|切换到|转用|换用)了?\\s*(?<object>.{1,30})',
    /分支|目录|文件|模式|窗口|标签/,
  ),
  told(
    'user',
    `^我(?:现在|如今)(?:改)?(?:${USE}|使用|喜欢|偏好|住在?)\\s*(?<object>.{1,30})`,
    /打开|运行|执行|调用|访问|安装|解析/,
  ),
  told(
    'user',
    `^我(?:现在|如今)(?:是(?:一?[个名位])?[^,，]{0,16}(?:${ROLE})|在[^,，]{2,12}(?:工作|上班))${END}`,
  ),
  told('user', '^我(?:已经)?(?:不再|再也不)(?:用|使用|喜欢|吃|喝|写|住|做)\\s*(?<object>.{0,30})'),
  told(
    'user',
    `^我(?:已经|最近|刚)?(?:离开了?|跳槽到了?|加入了?|入职了?|去了?)\\s*(?<object>${COMPANY})了?${END}`,
  ),
  told('user', '^我(?:已经|最近|刚)?从[^,，]{2,12}离职'),
  told(
    'project',
    `^${TEAM}(?:已经|最近|现在)?(?:改用(?!户)|换成|切换到|迁移到|改成|不再(?:用|使用|支持))了?\\s*(?<object>.{1,30})`,
  ),
  told(
    'project',
    `^${EVENT}(?:已经|现在)?(?:被)?(?:改到|改为|改成|推迟到|延期到|延后到|提前到|变更为|调整到|调整为)了?\\s*.{0,10}(?:${DATE})`,
  ),
]

const LIKES_AND_HABITS: FactPattern[] = [
  told(
    'user',
    `^我${ADVERBS}(?:不太喜欢|不怎么喜欢|不喜欢|不爱|喜欢|偏好|偏爱|习惯于?|倾向于?|讨厌|热爱|痛恨|受不了|重视|注重|宁愿|宁可)(?!了|上了)\\s*(?<object>.{1,60})`,
  ),
  told(
    'user',
    `^我${ADVERBS}(?:从不|从来不|不|爱)?(?:${USE}|使用(?!了|过|时))\\s*(?<object>.{1,40})`,
    ERRAND,
  ),
  told(
    'user',
    `^我(?:总是|通常|一般|习惯|从不|从来不|每次都?|每天都?|每周都?|一向|向来)(?:先|会|都|早上|晚上|上午|下午|凌晨|中午|${NUMBER}点半?)*(?:写|用|跑|提交|部署|发布|测试|喝|吃|睡|起床|锻炼|重构|评审|合并|加|工作|上班|休息)(?<object>.{0,30})`,
    /会.{0,4}(?:报|出现)/,
  ),
  told('user', '^我(?:不吃|不喝|吃素|不抽烟|吃全素|只吃)(?<object>.{0,12})'),
  told(
    'user',
    `^我(?:每|在?周|在?星期)[一二三四五六日天]?[^,，]{0,6}(?:部署|发布|上线|提交|休息|锻炼)${END}`,
  ),
]

const WHO_SOMEBODY_IS: FactPattern[] = [
  told(
    'user',
    `^我(?:也|本身|目前|本来|其实)*是(?!说|想|在|不是|这|那|从|用|第|要|来|怕|问|指|谁|因为|为了|看|听|按|真)(?:一?[个名位])?\\s*(?<object>[^,，]{0,24}?(?:${ROLE}|[^,，\\s个名位]{2,12}(?:${ROLE_WITH_MORE})|(?:${PLACE})人))${END}`,
  ),
  told('user', `^我是一?[名位](?<object>[^,，]{1,16}[师员家手工长生])${END}`),
  told('user', `^我叫\\s*(?<value>${NAME})${END}`),
  told('user', `^(?:你?可以|请|就|大家都?)?叫我\\s*(?<value>${NAME}?)(?:就行|就好|吧|即可|就可以)?了?${END}`),
  told(
    'user',
    `^我(?:目前|一直|常年)?(?:住在|定居在?|常住在?|家住|出生在|出生于|毕业于|就读于|就职于|任职于|从事|擅长|精通|专攻|主修)\\s*(?<object>[^,，]{2,24})`,
  ),
  told('user', `^我来自\\s*(?:${PLACE}|${COMPANY}|[^,，]{1,8}[省市县国州区村镇])`),
  told(
    'user',
    `^我(?:目前|一直)?在\\s*(?<object>[^,，]{1,20}?)(?:工作|上班|上学|读书|生活|任职|读研|读博|实习|创业)${END}`,
  ),
  told('user', `^我(?:目前|最近)?在学(?:习)?\\s*(?:${LANGUAGE}|${TECHNOLOGY})${END}`),
  told(
    'user',
    `^我(?:也|只|还)?(?:会|不会|不太会|懂|不懂)(?:说|讲|写)?(?:一点|一些)?\\s*(?:${LANGUAGE}|${TECHNOLOGY})(?:[和、与跟]\\s*(?:${LANGUAGE}|${TECHNOLOGY}))*${END}`,
  ),
  told('user', `^我(?:没|没有|从没|从来没|未)(?:用|写|学|接触)过\\s*(?:${TECHNOLOGY})${END}`),
  told(
    'user',
    `^我(?:已经)?(?:写|用|做|学|从事|干)了?[^,，]{0,16}${NUMBER}年(?!前|内|后|底|初|的备份)(?:的)?[^,，]{0,12}${END}`,
  ),
  told('user', `^我有\\s*${NUMBER}\\s*年(?:多)?(?:的)?[^,，]{0,16}经验`),
  told(
    'user',
    `^我有(?:${NUMBER})个?(?:孩子|女儿|儿子|小孩|宝宝|兄弟|姐妹|哥哥|弟弟|姐姐|妹妹)|^我养了?(?:${NUMBER})?[只条]?(?:猫|狗)`,
  ),
  told('user', '^我(?:主要)?负责(?!修|把|改|写这)\\s*(?<object>[^,，]{2,20})'),
  told(
    'user',
    '^我对\\s*(?<object>[^,，]{1,16}?)\\s*(?:过敏|不太熟悉?|不熟悉?|很熟悉?|比较熟悉?|了解不多|一窍不通)',
  ),
  told(
    'user',
    '^我(?:今年)?\\s*\\d{1,3}\\s*岁|^我(?:是)?(?:近视|色盲|色弱|左撇子|失聪|失明|有阅读障碍|患有)',
  ),
  told('user', `^我的?\\s*(?:${OWN_ATTRIBUTE})\\s*(?:是|叫|为|:|：)\\s*(?<value>.{1,60})`),
  told('user', `^我的\\s*(?:${OWN_TOOL})\\s*(?:是|用的是)\\s*(?<value>.{1,40})`),
  told('user', `^我(?:的)?(?:${PERSON})(?:的名字)?(?:是|叫)\\s*(?<value>${NAME})${END}`),
]

const ABOUT_THE_PROJECT: FactPattern[] = [
  told(
    'project',
    `^${TEAM}${ADVERBS}(?:不)?(?:${USE}|使用(?!了|过|时)|采用|遵循)\\s*(?<object>.{1,40})`,
    ERRAND,
  ),
  told('project', `^${TEAM}(?:都)?(?:部署|托管|发布|运行|跑)(?:在|到)\\s*(?<object>[^,，]{1,24})`),
  told(
    'project',
    `^${TEAM}(?:都)?(?:每[天周月]|每两周|周)[一二三四五六日天]?(?:都|会)?(?:发布|部署|上线|发版|开会|例会|站会)`,
  ),
  told(
    'project',
    `^${TEAM}(?:已经|一致|最终|最后|都)?(?:决定|约定|商定|规定|选定|敲定)了?\\s*(?<object>${DECISION}.{1,60})`,
  ),
  told(
    'project',
    `^${TEAM}(?:已经|一致)?(?:约定|规定)\\s*(?<object>[^,，]{1,20}(?:用|都|不|必须|要).{1,40})`,
  ),
  told('project', '^我(?:已经)?决定(?:不)?(?:用|使用|采用|换成|迁移到)\\s*(?<object>.{1,40})'),
  told('project', `^${EVENT}\\s*(?:是|在|为|定在|定为|:|：)\\s*.{0,6}(?:${DATE})`),
  told(
    'project',
    `^(?:我们的?|咱们的?|项目的?|团队的?)(?:${PROJECT_ATTRIBUTE})(?:是|叫|为)\\s*(?<value>.{1,40})`,
  ),
]

const ONE_OF_MANY = '(?<![Bb]ug|任务|需求|工单|缺陷|群)'
/** What these say of bugs is where they are kept, and no complaint. */
export const REFERENCES: FactPattern[] = [
  told(
    'reference',
    `^(?:所有的?|全部)?${DOCUMENT}\\s*(?:(?:都|全部|统一)(?:被)?(?:是)?在|(?:都|全部|统一|现在)?(?:被)?(?:位于|放在|存在|保存在|记录在|存放在|记在|写在|登记在|托管在|跟踪在|提到|提在|见|参见)|${ONE_OF_MANY}在)\\s*(?:我们的?|公司的?)?\\s*(?:${URL}|(?:${SYSTEM})(?! Actions| API))`,
  ),
  told('reference', `^${DOCUMENT}的?(?:地址|链接|网址|位置)?\\s*(?:是|:|：|为|在)\\s*${URL}`),
]

export const FACTS: FactPattern[] = [...LIKES_AND_HABITS, ...WHO_SOMEBODY_IS, ...ABOUT_THE_PROJECT]
