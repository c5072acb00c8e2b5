import { stem } from './porter.ts'

/**
 * Words found in talk about anything. They are worth searching for, but sharing one of them does not
 * make a memory an answer. A handful of memories cannot show which words these are, so they are listed.
 */
const ENGLISH = `able actually add ago answer app application ask back bad best better big bit change check code
  command common computer create current data date day describe different directory easy end error evening example
  explain feature feel file find fine first fix folder follow friend fun function good great happen hard hello help
  hey hi high hour idea important info information issue job keep last late lately later learn left less let life like line list little long look
  lot love machine main man mean mention message minute moment month morning move name need new next nice night note
  number ok okay old open option part people person place plan point possible problem program project question
  quick read ready recent recently remember result right run second see set setting show simple small soon start stop
  stuff sure system talk task team test text thank thanks think time today tomorrow tonight tool try turn type
  understand update user value version wait want watch week weekend word work world write wrong year yes yesterday`

const CHINESE = `今天 明天 昨天 现在 时间 东西 问题 事情 工作 项目 文件 代码 程序 系统 功能 方法 方式 情况 信息 内容 数据 名字 喜欢 觉得 认为 看看
  开始 结束 完成 修改 帮忙 帮我 一些 大家 朋友 今年 去年 最近 以后 以前 之前 之后 晚上 早上 好`

let terms: Set<string> | undefined

export function isEverydayTerm(term: string): boolean {
  terms ??= new Set(`${ENGLISH} ${CHINESE}`.split(/\s+/).map(stem))
  return terms.has(term)
}
