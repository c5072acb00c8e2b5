import { escapesRule } from './escapes.ts'
import type { PlacedAct } from './request.ts'
import type { Match, Rule } from './rule.ts'
import { commandName } from './shell/index.ts'

/** `bash(git status:*)`: these words, and whatever follows. `bash(npm test)`: these and no other. */
export function matchesAct(rule: Rule, act: PlacedAct): Match {
  const { pattern } = rule
  if (pattern === undefined || pattern === '*' || pattern === ':*') return 'yes'
  if (act.words.length === 0) return 'no'
  const prefix = /(:\*| \*)$/.test(pattern)
  const wanted = pattern
    .replace(/(:\*| \*)$/, '')
    .split(/\s+/)
    .filter(Boolean)
  if (rule.kind === 'allow') return allows(wanted, prefix, act) ? 'yes' : 'no'
  return restricts(wanted, prefix, act)
}

/**
 * Word by word: quotes and escapes are gone, and a space within a word is no border between two. What follows may be
 * anything but a way to run something else.
 */
function allows(wanted: readonly string[], prefix: boolean, { words }: PlacedAct): boolean {
  if (prefix ? words.length < wanted.length : words.length !== wanted.length) return false
  if (prefix && escapesRule(words, wanted.length)) return false
  return wanted.every((text, at) => words[at]?.literal && words[at]?.text === text)
}

/**
 * A command can be called by its path, with options before what it shall do, by another command, or through a
 * variable. What is plainly meant is a yes; what may be meant, by a command of which not all is known, a maybe.
 */
function restricts(wanted: readonly string[], prefix: boolean, { words, effect }: PlacedAct): Match {
  const names = words.map((word, at) => (at === 0 ? lastPart(commandName(word)) : word.text).toLowerCase())
  const goals = wanted.map(text => text.toLowerCase())
  const fits = goals.every((goal, at) => names[at] === goal && words[at]?.literal)
  if (fits && (prefix || words.length === goals.length)) return 'yes'
  if (effect !== 'unknown' && words.every(word => word.literal || word.glob) && !names[1]?.startsWith('-'))
    return 'no'
  if (words.some((word, at) => !word.literal && at < goals.length + 1)) return 'maybe'
  let found = 0
  for (const name of names) if (lastPart(name) === lastPart(goals[found] ?? '')) found++
  return found === goals.length ? 'maybe' : 'no'
}

function lastPart(text: string): string {
  return text.slice(text.lastIndexOf('/') + 1)
}

/** A rule that is, word for word, the whole of a command: who wrote it has seen all that the command does. */
export function isWholeCommand({ pattern }: Rule, command: string): boolean {
  return pattern !== undefined && !/(:\*| \*)$/.test(pattern) && pattern.trim() === command.trim()
}
