/** What names and descriptions have in common in every language: they are short, and outlive the day. */
import type { Language } from './sentences.ts'

const LONGEST_NAME = 70
const LONGEST_CHINESE_NAME = 36
/** A line of the index holds name, file and hook in 150 characters; the rest of a description is for search. */
const LONGEST_DESCRIPTION = 200
export const LONGEST_BODY = 2_000

const DAY_MS = 24 * 60 * 60 * 1000
/** In a name only: dates in descriptions and bodies are made absolute when a memory is saved. */
const DAYS: ReadonlyArray<readonly [RegExp, number]> = [
  [/\bthe day after tomorrow\b|后天|後天/gi, 2],
  [/\btomorrow\b|明天/gi, 1],
  [/\b(?:today|tonight)\b|今天|今晚/gi, 0],
  [/\byesterday\b|昨天/gi, -1],
]

export function finishedName(name: string, now: Date, language: Language): string {
  let dated = name
  for (const [words, days] of DAYS) dated = dated.replaceAll(words, () => dayAfter(now, days))
  return shortened(dated, language === 'zh' ? LONGEST_CHINESE_NAME : LONGEST_NAME)
}

export function finishedDescription(description: string): string {
  return shortened(description, LONGEST_DESCRIPTION)
}

function dayAfter(now: Date, days: number): string {
  const day = new Date(now.getTime() + days * DAY_MS)
  const two = (number: number): string => String(number).padStart(2, '0')
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`
}

/** Cut at a comma, else between two words. */
export function shortened(text: string, limit: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  if (line.length <= limit) return line
  const head = line
    .slice(0, limit)
    .toWellFormed()
    .replace(/\ufffd$/, '')
  const clause = Math.max(head.lastIndexOf(', '), head.lastIndexOf('，'), head.lastIndexOf('; '))
  const end = clause >= limit / 2 ? clause : Math.max(head.lastIndexOf(' '), 0)
  return (end >= limit / 2 ? head.slice(0, end) : head).replace(/[,，;\s]+$/, '')
}
