import { localDay } from './dates/calendar.ts'
import { CHINESE_RULES } from './dates/chinese.ts'
import { ENGLISH_RULES } from './dates/english.ts'
import { isAlreadyDated, isPartOfName, type Rewrite, TakenPlaces } from './dates/places.ts'

/** Only a text with one of these can hold a relative date; most memories hold none and are done here. */
const MAY_BE_ENGLISH =
  /day|tonight|tomorrow|\bago\b|from now|\b(?:last|next|this|coming|in|on|by|until|till|before|after|since|from|starting|beginning|starts|begins|ends|due|for|to) /i
const MAY_BE_CHINESE = /[天日晚夜早晨周週月年]|星期|礼拜|禮拜|季/

/** Sentences need one or two rounds; the bound is for walls of weekdays. */
const MAX_ROUNDS = 5

/**
 * Replaces relative dates by absolute ones, because a memory is read long after "yesterday" was true.
 * What recurs, lasts, is quoted as code or is dated already stays as it is.
 */
export function withAbsoluteDates(
  text: string,
  now: Date,
): { text: string; changed: Array<{ from: string; to: string }> } {
  const changed: Array<{ from: string; to: string }> = []
  let current = text
  // One date made absolute can free another ("next Friday on Monday"), so it goes on while something is left.
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const rewrites = rewritesOf(current, now)
    if (rewrites.length === 0) break
    for (const { start, end, to } of rewrites) changed.push({ from: current.slice(start, end), to })
    current = applied(current, rewrites)
  }
  return { text: current, changed }
}

function applied(text: string, rewrites: readonly Rewrite[]): string {
  let rewritten = ''
  let done = 0
  for (const { start, end, to } of rewrites) {
    rewritten += text.slice(done, start) + to
    done = end
  }
  return rewritten + text.slice(done)
}

function rewritesOf(text: string, now: Date): Rewrite[] {
  const rules = [
    ...(MAY_BE_ENGLISH.test(text) ? ENGLISH_RULES : []),
    ...(MAY_BE_CHINESE.test(text) ? CHINESE_RULES : []),
  ]
  if (rules.length === 0) return []
  const today = localDay(now)
  const places = new TakenPlaces(text)
  const rewrites: Rewrite[] = []
  for (const { pattern, to } of rules) {
    for (const match of text.matchAll(pattern)) {
      const start = match.index
      const end = start + match[0].length
      if (!places.isFree(start, end) || isPartOfName(text, start, end) || isAlreadyDated(text, end)) continue
      const replacement = to({ today, match, groups: match.groups ?? {} })
      if (replacement === undefined) continue
      places.take(start, end)
      rewrites.push({ start, end, to: replacement })
    }
  }
  return rewrites.sort((a, b) => a.start - b.start)
}
