/**
 * What of a message is the person speaking. Code, logs, quotations, mails and attachments are data that
 * came along: nothing in them is a wish or a fact of the person's, whatever it says.
 */
import { separated } from './attachments.ts'

/** A person's own message is rarely longer; beyond this only its ends are looked at. */
const LONGEST_MESSAGE = 3_000
const END_OF_LONG_MESSAGE = 1_000

const FENCE = /^\s*(`{3,}|~{3,})/
const TAG_LINE = /^\s*<([\p{L}][\p{L}\p{N}_-]{0,40})(?:\s[^>]{0,200})?>/u

const MAIL_HEAD = /^\s*(?:subject|from|to|cc|date|fwd|发件人|收件人|主题):\s*\S/i

/** Lines that a program wrote, or that are written for one. */
const NOT_PROSE = [
  /^(?: {4}|\t)/,
  /^\s*(?:>|\/\/|\/\*|\*\/|#|\+|@@|\$ |\|)/,
  /^\s*-(?! )/,
  /^\s*at \S+ ?\(|^\s*(?:Traceback|diff --git|File ")/,
  /^\s*\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d/,
  /^\s*\[?(?:ERROR|WARN(?:ING)?|INFO|DEBUG|TRACE|FATAL)\b/,
  /^\s*(?:import .{1,200} from|(?:const|let|var) \w+ ?[=:]|(?:export |async )*(?:function|class|def|interface) \w+|return\b.{0,200};|(?:if|for|while|switch) ?\()/,
  /[{}]\s*$|[)\]'"];\s*$|^\s*[})\]]/,
]
const ADDED_LINE = /^\s*\+/
const REMOVED_LINE = /^\s*-/

/** A colon after one of these is followed by somebody else's words, or by material to work on. */
const INTRODUCES = new RegExp(
  [
    '\\b(?:translat|summari[sz]|proofread|rewrit|rephras|paraphras|polish|repl(?:y|ies|ied)|respond|analy[sz]|convert|classif|extract|append|insert|explain|improv|review)\\w*',
    "\\b(?:here(?:'s| is| are)|fix|correct|check|parse|format|add|write|print|echo|replace|put|type|wrote|writes|said|says|told|asked|posted|reads?)\\b",
    '\\b(?:e?mail|letter|message|following|transcript|quote|output|logs?|errors?|text|paragraph|sentence|snippet|content|readme|ticket|issue|comment|article)s?\\b',
  ].join('|'),
  'i',
)
const INTRODUCES_IN_CHINESE =
  /翻译|總結|总结|概括|改写|润色|校对|修改|解释|分析|回复|回覆|以下|下面|如下|这段|这句|原文|内容|报错|日志|输出|错误信息|说$|说道|写道|问道|写着|邮件|消息|评论|添加一行|加一行|写入|写$|改成$|改为$|输入$|用例$|文案$/
/** These introduce what the person says after all. */
const OWN_INTRODUCTION =
  /^\W*(?:(?:please|and|ok(?:ay)?|so|hi|hey|can you|could you|just|also)\W+)*(?:remember|memori[sz]e|note|keep|save|store|add (?:this |that |it )?to (?:your )?memory|correction|update|about me|fyi|btw|by the way|ps|why|reason|how to apply|always|never)\b/i
const OWN_INTRODUCTION_IN_CHINESE =
  /^\s*(?:请|請|麻烦|帮我|你|把|也|都)*(?:这个|这|它)?(?:记住|記住|记下|記下|记一下|记着|加到记忆|加入记忆|存到记忆|保存|更正|纠正|补充|关于我|另外|顺便|我|原因|为什么)/

/** The person's own words; where something was left out, a blank line. */
export function ownWords(text: string): string {
  const plain = text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '')
    .replaceAll(/[\u2018\u2019]/g, "'")
  const prose = withoutBlocks(separated(plain).own.split('\n')).join('\n')
  return endsOf(prose.trim())
}

function withoutBlocks(lines: readonly string[]): string[] {
  const lastEnd = endsOfTags(lines)
  // Beside added lines, a dash is a removed line and no list item.
  const isDiff = lines.some(line => ADDED_LINE.test(line))
  const kept: string[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    // A mail is somebody else's to its end.
    if (MAIL_HEAD.test(line)) return kept
    const fence = FENCE.exec(line)?.[1]
    const tag = TAG_LINE.exec(line)?.[1]
    if (fence !== undefined) {
      at = endOfFence(lines, at, fence)
      kept.push('')
    } else if (tag !== undefined && (lastEnd.get(tag) ?? -1) >= at) {
      while (!lines[at]?.includes(`</${tag}>`)) at++
      kept.push('')
    } else if (NOT_PROSE.some(pattern => pattern.test(line)) || (isDiff && REMOVED_LINE.test(line)))
      kept.push('')
    else {
      const introduction = introducedAt(line)
      if (introduction === undefined) kept.push(line)
      else {
        kept.push(line.slice(0, introduction), '')
        // "Translate this:" at the end of a line is followed by the rest; in mid-line, by its paragraph.
        if (line.slice(introduction + 1).trim() === '') return kept
        while (at + 1 < lines.length && lines[at + 1]?.trim() !== '') at++
      }
    }
  }
  return kept
}

function endsOfTags(lines: readonly string[]): Map<string, number> {
  const ends = new Map<string, number>()
  lines.forEach((line, at) => {
    for (const [, tag = ''] of line.matchAll(/<\/([\p{L}][\p{L}\p{N}_-]{0,40})>/gu)) ends.set(tag, at)
  })
  return ends
}

function endOfFence(lines: readonly string[], start: number, fence: string): number {
  for (let at = start + 1; at < lines.length; at++) if (lines[at]?.trimStart().startsWith(fence)) return at
  return lines.length
}

/** Where the colon stands after which the words are somebody else's. */
function introducedAt(line: string): number | undefined {
  const head = line.slice(0, LONGEST_MESSAGE)
  const colon = head.search(/[:：](?=\s|$|["“「]|[^\x00-\x7f])/)
  if (colon < 0) return undefined
  const before =
    head
      .slice(0, colon)
      .split(/[.!?。！？;；]\s*/)
      .at(-1) ?? ''
  if (OWN_INTRODUCTION.test(before) || OWN_INTRODUCTION_IN_CHINESE.test(before)) return undefined
  return INTRODUCES.test(before) || INTRODUCES_IN_CHINESE.test(before) ? colon : undefined
}

function endsOf(text: string): string {
  if (text.length <= LONGEST_MESSAGE) return text
  const ends = [text.slice(0, END_OF_LONG_MESSAGE), text.slice(-END_OF_LONG_MESSAGE)]
  return ends.map(end => end.toWellFormed()).join('\n\n')
}
