/**
 * Rules such as `bash(git status:*)`, `read_file(src/**)`, `web_fetch(domain:example.org)`, `mcp__server__*`, `bash`.
 *
 * Which one decides, from the strongest: what the owner denies, what the project denies, what was allowed for the
 * session, what the owner asks about, what the owner allows, what the project asks about. Then the mode. A
 * project's own config can only restrict: one that was downloaded must not give itself rights.
 */
import { isAbsolute, join, relative } from 'node:path'
import picomatch from 'picomatch'
import { isInside, ReverieError } from '../../store/index.ts'

export type RuleSource = 'owner' | 'project' | 'session'
export type RuleKind = 'allow' | 'ask' | 'deny'

export interface Rule {
  kind: RuleKind
  source: RuleSource
  /** A tool's name; may end with `*`. */
  tool: string
  /** What of the tool; everything when there is none. */
  pattern?: string
  /** Only in the project with this root. */
  project?: string
  /** The day it was added, when it was the answer to a question. */
  since?: string
}

export class UnreadableRule extends ReverieError {}

const RULE =
  /^(?<tool>[\w-]+\*?)(?:\((?<pattern>.*?)\))?(?: in (?<project>\/.*?|[A-Za-z]:\\.*?))?(?: since (?<since>\d{4}-\d\d-\d\d))?$/s

/** Reads `TOOL(PATTERN) in PROJECT since DAY`, of which all but the tool may be missing. */
export function readRule(text: string, kind: RuleKind, source: RuleSource): Rule {
  const { tool, pattern, project, since } = RULE.exec(text.trim())?.groups ?? {}
  if (tool === undefined)
    throw new UnreadableRule(
      `${JSON.stringify(text)} is not a rule. A rule is a tool with what it may be used for, such as bash(git status:*) or read_file(src/**).`,
    )
  return {
    kind,
    source,
    tool,
    ...(pattern !== undefined && { pattern }),
    ...(project !== undefined && { project }),
    ...(since !== undefined && { since }),
  }
}

export function ruleText({ tool, pattern, project, since }: Omit<Rule, 'kind' | 'source'>): string {
  return [
    pattern === undefined ? tool : `${tool}(${pattern})`,
    ...(project ? [`in ${project}`] : []),
    ...(since ? [`since ${since}`] : []),
  ].join(' ')
}

/** Whether what is written can be read back as the same rule. */
export function isWritable(rule: Rule): boolean {
  if (/[\p{Cc}]/u.test(ruleText(rule))) return false
  try {
    const again = readRule(ruleText(rule), rule.kind, rule.source)
    return (['tool', 'pattern', 'project', 'since'] as const).every(key => again[key] === rule[key])
  } catch {
    return false
  }
}

const STRENGTH: ReadonlyArray<readonly [RuleSource, RuleKind]> = [
  ['owner', 'deny'],
  ['project', 'deny'],
  ['session', 'deny'],
  ['session', 'allow'],
  ['owner', 'ask'],
  ['owner', 'allow'],
  ['project', 'ask'],
]

/** `maybe`: it cannot be told before it runs. Whoever wants to allow needs a yes; for the others a maybe is enough to ask. */
export type Match = 'yes' | 'maybe' | 'no'

export interface Ruling {
  decision: RuleKind
  rule: Rule
}

/** The strongest of the rules that match; undefined when none does. */
export function strongest(rules: readonly Rule[], match: (rule: Rule) => Match): Ruling | undefined {
  let doubt: Ruling | undefined
  for (const [source, kind] of STRENGTH) {
    for (const rule of rules) {
      if (rule.source !== source || rule.kind !== kind) continue
      const matches = match(rule)
      if (matches === 'yes') return kind === 'allow' && doubt ? doubt : { decision: kind, rule }
      if (matches === 'maybe' && kind !== 'allow') doubt ??= { decision: 'ask', rule }
    }
  }
  return doubt
}

export function matchesTool({ tool }: Rule, name: string): boolean {
  return tool.endsWith('*') ? name.startsWith(tool.slice(0, -1)) : tool === name
}

export interface Grounds {
  root: string
  home: string
}

/** Whether a rule's pattern names a file. To restrict it is enough that the name as it was given matches. */
export function matchesPath(rule: Rule, place: { path: string; real: string }, grounds: Grounds): boolean {
  if (rule.pattern === undefined) return true
  if (rule.kind === 'allow') return pathFits(rule, place.real, grounds)
  return pathFits(rule, place.real, grounds) || pathFits(rule, place.path, grounds)
}

function pathFits({ pattern = '', kind }: Rule, path: string, { root, home }: Grounds): boolean {
  const restricts = kind !== 'allow'
  const absolute = pattern.startsWith('~/') ? join(home, pattern.slice(2)) : pattern
  const anchored = isAbsolute(absolute)
  if (!anchored && !isInside(root, path)) return false
  const wanted = anchored ? absolute.slice(1) : absolute.replace(/^\.\//, '')
  const name = anchored ? path.slice(1) : relative(root, path) || '.'
  const literal = !/[*?[\]{}()!]/.test(wanted)
  if (literal) {
    const [a, b] = restricts ? [wanted.toLowerCase(), name.toLowerCase()] : [wanted, name]
    // Who denies a directory denies what is in it.
    return a === b || (restricts && (b.startsWith(`${a.replace(/\/$/, '')}/`) || a === '.'))
  }
  return picomatch(wanted, { dot: true, nocase: restricts })(name)
}

/** Whether what a rule names may lie below a directory. */
export function mayLieBelow({ pattern = '' }: Rule, directory: string, { root, home }: Grounds): boolean {
  const absolute = pattern.startsWith('~/') ? join(home, pattern.slice(2)) : pattern
  const { base } = picomatch.scan(isAbsolute(absolute) ? absolute : join(root, absolute))
  return isInside(directory, base) || isInside(base, directory)
}

/** A rule says yes to a protected file only when it names it, or a directory of such files. */
export function namesExplicitly(
  rule: Rule,
  { root, home }: Grounds,
  isProtected: (path: string) => boolean,
): boolean {
  const { pattern } = rule
  if (pattern === undefined) return false
  const absolute = pattern.startsWith('~/') ? join(home, pattern.slice(2)) : pattern
  const path = isAbsolute(absolute) ? absolute : join(root, absolute)
  const base = picomatch.scan(path).base
  return base === path || isProtected(base)
}

/** `domain:example.org`, and `domain:*.example.org` for those below it. Who denies a domain denies those below it. */
export function matchesAddress(rule: Rule, url: string): boolean {
  if (rule.pattern === undefined) return true
  const [, domain] = /^domain:(.+)$/.exec(rule.pattern) ?? []
  const host = hostOf(url)
  if (domain === undefined || host === undefined) return rule.pattern === url
  const wanted = domain.toLowerCase()
  if (wanted.startsWith('*.')) return host.endsWith(wanted.slice(1))
  return host === wanted || (rule.kind !== 'allow' && host.endsWith(`.${wanted}`))
}

export function hostOf(url: string): string | undefined {
  try {
    return new URL(url).hostname.toLowerCase().replace(/\.$/, '') || undefined
  } catch {
    return undefined
  }
}
