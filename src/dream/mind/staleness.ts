/** What has had its time: appointments and deadlines long past, errands that are done. */
import type { DreamMemory } from '../dreamer.ts'
import { sentencesIn } from './reading.ts'

/** Time-bound facts older than this are let go (3-dream.md). */
const STALE_AFTER_DAYS = 14
const DAY_MS = 24 * 60 * 60 * 1000

const DATE = /\b(\d{4})-(\d{2})-(\d{2})\b/g
/** It holds up to a day, or is about one, and nothing is left of it afterwards. */
const BOUND =
  /\b(?:until|till|by|due|deadline|freeze|frozen|vacation|holiday|on leave|out of office|ooo|away|meeting|call|demo|interview|appointment|dentist|flight|visit|visits|visiting|conference|workshop|offsite|webinar|scheduled|expires?|temporar(?:y|ily)|maintenance|downtime|outage|sprint|review is|launch(?:es)? (?:on|is)|party|trip|booked|hand(?:s|ed)? in|submit|rehearsal|on-call|covers for)\b|截止|直到|之前|到期|冻结|休假|请假|出差|会议|开会|面试|预约|航班|演示|临时|暂时|维护|停机|期间|为止|值班|提交/i
/** What happened then still holds, or tells why something is as it is. */
const LASTING =
  /\b(?:since|born|birthday|anniversary|decided|decision|agreed|chose|chosen|joined|founded|married|moved|switched|migrated|policy|always|never|every|each|because|lesson|learn(?:ed|t)|root cause|contract|licen[cs]e|must|prefers?|expires? every)\b|生日|出生|决定|自从|以来|加入|结婚|成立|因为|教训|每|总是|从不|必须|合同/i
const TASK =
  /^\W*(?:to-?do|task|errand|one-off|reminder|action item|待办|任务|提醒)\b|^\W*(?:待办|任务|提醒|一次性)|\[x\]|\bone-off\b|一次性/i
const DONE =
  /\[x\]|\b(?:is|are|was|were|been|got|now) (?:done|finished|completed?|closed|merged|sent|delivered|resolved)\b|\b(?:done|finished|completed)\b\s*(?:[.!)]|on \d|$)|已完成|完成了|做完|搞定|已办|已提交|已发送|已关闭/i

/** Why a memory has had its time; undefined while it may be of use. */
export function staleReason(
  { name, description, body, confirmed }: DreamMemory,
  now: Date,
): string | undefined {
  const before = now.getTime() - STALE_AFTER_DAYS * DAY_MS
  const sentences = sentencesIn(body).map(({ text }) => text)
  const claims = sentences.length > 0 ? sentences : [description]
  const whole = [name, description, ...claims].join('\n')
  if (LASTING.test(whole)) return undefined
  const days = daysIn(whole)
  const last = Math.max(...days)
  if (days.some(day => day >= before)) return undefined
  const finished = (TASK.test(name) || TASK.test(body)) && DONE.test(`${description}\n${body}`)
  if (finished && (days.length > 0 || confirmed.getTime() < before)) return 'a single task that is done'
  const bound = claims.every(claim => BOUND.test(claim) && daysIn(claim).length > 0)
  return bound ? `its time was over on ${new Date(last).toISOString().slice(0, 10)}` : undefined
}

function daysIn(text: string): number[] {
  return [...text.matchAll(DATE)]
    .map(([found]) => Date.parse(`${found}T23:59:59Z`))
    .filter(day => !Number.isNaN(day))
}
