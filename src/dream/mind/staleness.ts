/** What has had its time: appointments and deadlines long past, errands that are done. */
import type { DreamMemory } from '../dreamer.ts'
import { claimOf } from './claim.ts'
import { sentencesIn } from './reading.ts'

/** Time-bound facts older than this are flagged (3-dream.md). */
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
  /\[x\]|\b(?:is|are|was|were|been|got|now) (?:done|finished|completed?|closed|merged|sent|delivered|resolved)\b|\b(?:done|finished|completed)\b\s*(?:[.!)]|(?:on )?\d|$)|\balready (?:done|booked|sent|paid|bought|made|\w+ed)\b|已完成|完成了|做完|搞定|已办|已提交|已发送|已关闭/i

/** What is still wanted once it is over: that it ran out, and when something came to be. */
const WANTED_LATER = /\bexpir|\blaunch|\brelease (?:is|on)\b|到期|过期|上线/i
/** It tells what came of it, and that is a record, whenever it was. */
const RECORD =
  /\b(?:was|were|had|did|took|went|brought|gave|got|made|came|found|felt|saw|met|left|lost|won|said|told|held|ran|cost|led|(?!(?:scheduled|booked|planned|expected|invited|needed|closed|postponed|reserved|agreed|need|speed|feed|embed|wed)\b)[a-z]{2,}ed)\b|了(?!解)|过(?!期|程|来|去)|已|曾/i
/** Of a task that is not done, or of what is to be done when something else is. */
const OPEN =
  /\[ \]|\b(?:when|once|until|till|after|if|unless|before|not|never|\w+n't|should|must|will|to be)\b|之后|以后|如果|等到|未|没/i
/** Besides its day and what kind of appointment it is, an appointment tells this much. */
const WORDS_OF_APPOINTMENT = 2

export interface Staleness {
  /** Why it has had its time. */
  reason: string
  /** Nothing is left of it. What tells anything else is for the owner to let go. */
  isOver: boolean
}

/** Whether a memory has had its time; undefined while it may be of use. */
export function stalenessOf(
  { name, description, body, type, confirmed }: DreamMemory,
  now: Date,
): Staleness | undefined {
  const before = now.getTime() - STALE_AFTER_DAYS * DAY_MS
  const sentences = sentencesIn(body).map(({ text }) => text)
  const claims = sentences.length > 0 ? sentences : [description]
  const whole = [name, description, ...claims].join('\n')
  if (LASTING.test(whole)) return undefined
  const days = daysIn(whole)
  if (days.some(day => day >= before)) return undefined
  const finished = (TASK.test(name) || TASK.test(body)) && DONE.test(`${description}\n${body}`)
  if (finished && (days.length > 0 || confirmed.getTime() < before)) {
    const isDone = (claim: string) => DONE.test(claim) && !OPEN.test(claim)
    const onlyThat = claims.every(claim => isDone(claim) || (TASK.test(claim) && !OPEN.test(claim)))
    return { reason: 'a single task that is done', isOver: onlyThat && claims.some(isDone) }
  }
  const bound = claims.every(claim => BOUND.test(claim) && daysIn(claim).length > 0)
  if (!bound) return undefined
  const last = new Date(Math.max(...days)).toISOString().slice(0, 'YYYY-MM-DD'.length)
  const isOver =
    type !== 'reference' &&
    !WANTED_LATER.test(whole) &&
    !RECORD.test(whole) &&
    [...claims, `${name}; ${description}`].every(isAppointment)
  return { reason: `its time was over on ${last}`, isOver }
}

/** Hardly more than what is when. */
function isAppointment(text: string): boolean {
  const more = [...claimOf(text.replaceAll(new RegExp(BOUND, 'gi'), ' ')).terms.values()].filter(
    ({ kind }) => !['date', 'time', 'weekday', 'month'].includes(kind),
  )
  return (
    more.length <= WORDS_OF_APPOINTMENT && more.every(({ kind }) => ['word', 'name', 'id'].includes(kind))
  )
}

function daysIn(text: string): number[] {
  return [...text.matchAll(DATE)]
    .map(([found]) => Date.parse(`${found}T23:59:59Z`))
    .filter(day => !Number.isNaN(day))
}
