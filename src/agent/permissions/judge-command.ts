import { decide, deny, PLANNING, together } from './judge.ts'
import { concernAbout, restrictsAccess } from './judge-place.ts'
import type { LookedAt, Place, PlacedAct, Policy, Verdict } from './request.ts'
import {
  type Match,
  matchesPath,
  matchesTool,
  mayLieBelow,
  type Rule,
  type Ruling,
  ruleText,
  strongest,
} from './rule.ts'
import { isWholeCommand, matchesAct } from './rule-command.ts'
import { commandSuggestion } from './suggestion.ts'

type Command = Extract<LookedAt, { kind: 'command' }>

/** A command may run when each of the commands that it is made of may, and every file that it is redirected to. */
export function judgeCommand(command: Command, tool: string, policy: Policy): Verdict {
  const { mode } = policy
  const acts = command.acts.map(act => ({ act, ruling: rulingFor(act, tool, policy) }))
  const denied = acts.find(({ ruling }) => ruling?.decision === 'deny')
  if (denied?.ruling)
    return deny(
      `A rule denies ${quoted(denied.act.text)}: ${ruleText(denied.ruling.rule)}.`,
      denied.ruling.rule,
    )
  const bare = strongest(policy.rules, rule =>
    isFor(rule, tool) && rule.pattern === undefined ? 'yes' : 'no',
  )
  if (bare?.decision === 'deny') return deny(`A rule denies ${tool}: ${ruleText(bare.rule)}.`, bare.rule)
  if (mode === 'plan') {
    const writing = acts.find(({ act }) => act.effect !== 'read')
    if (writing) return deny(PLANNING(`${writing.act.why ?? quoted(writing.act.text)}`))
    if (command.unclear !== undefined)
      return deny(PLANNING(`of this command it cannot be said, because ${command.unclear}`))
  }
  const whole = policy.rules.find(
    rule => rule.kind === 'allow' && isFor(rule, tool) && isWholeCommand(rule, command.command),
  )
  const questioned = acts.some(({ ruling }) => ruling?.decision === 'ask')
  if (whole && (whole.source === 'session' || !questioned))
    return decide('allow', mode, `A rule allows it: ${ruleText(whole)}.`, whole)
  const verdicts = acts.map(({ act, ruling }) => judgeAct(act, ruling, policy))
  if (command.unclear !== undefined)
    verdicts.push(decide('ask', mode, `The command cannot be judged: ${command.unclear}.`))
  if (verdicts.length === 0) return decide('ask', mode, 'There is no command in it.')
  const { suggestion: _, ...verdict } = together(verdicts)
  if (verdict.decision !== 'ask') return verdict
  const suggestion = commandSuggestion(command, verdicts)
  return suggestion === undefined ? verdict : { ...verdict, suggestion }
}

function isFor(rule: Rule, tool: string): boolean {
  return matchesTool(rule, tool) || rule.tool === 'bash'
}

/** What rules say of one act. Rules about files count for commands as well, as far as they restrict. */
function rulingFor(act: PlacedAct, tool: string, policy: Policy): Ruling | undefined {
  return strongest(policy.rules, (rule): Match => {
    const named = ({ access, path, real }: Place) =>
      restrictsAccess(rule, access) && matchesPath(rule, { path, real }, policy)
    if (act.places.some(named)) return 'yes'
    if (act.maybe.some(named)) return 'maybe'
    const holds = ({ access, real, tree }: Place) =>
      tree === true && restrictsAccess(rule, access) && mayLieBelow(rule, real, policy)
    if (act.places.some(holds)) return 'maybe'
    if (act.words.length === 0 && rule.kind === 'allow')
      return allowsRedirection(rule, act, policy) ? 'yes' : 'no'
    return isFor(rule, tool) ? matchesAct(rule, act) : 'no'
  })
}

/** Who allows the shell as a whole allows it to write where nothing speaks against that. */
function allowsRedirection(rule: Rule, { places, effect }: PlacedAct, policy: Policy): boolean {
  if (effect === 'unknown') return false
  if (rule.tool === 'bash' && rule.pattern === undefined)
    return places.every(place => concernAbout(place, policy) === undefined)
  const tools = { read: ['read_file'], write: ['write_file', 'edit_file'] }
  const allows = (place: Place) =>
    rule.pattern !== undefined && tools[place.access].includes(rule.tool) && matchesPath(rule, place, policy)
  return places.length > 0 && places.every(allows)
}

function judgeAct(act: PlacedAct, ruling: Ruling | undefined, policy: Policy): Verdict {
  const { mode } = policy
  if (ruling?.decision === 'ask')
    return decide(
      'ask',
      mode,
      `A rule asks about ${quoted(act.text)}: ${ruleText(ruling.rule)}.`,
      ruling.rule,
    )
  const concerns = act.places.flatMap(place => concernAbout(place, policy) ?? [])
  if (ruling?.decision === 'allow') {
    const secret = [...concerns, ...act.maybe.flatMap(place => concernAbout(place, policy) ?? [])].find(
      concern => concern.secret,
    )
    if (!secret || (act.words.length > 0 && isExact(ruling.rule)))
      return decide(
        'allow',
        mode,
        `A rule allows ${quoted(act.text)}: ${ruleText(ruling.rule)}.`,
        ruling.rule,
      )
    return decide('ask', mode, secret.sentence)
  }
  const [concern] = concerns
  if (concern) return decide('ask', mode, concern.sentence)
  if (act.trouble !== undefined) return decide('ask', mode, act.trouble)
  // A redirection to nowhere.
  const quiet = act.words.length === 0 && act.places.length === 0 && act.effect === 'read'
  if (mode === 'deny' && !quiet) return deny(`No rule allows ${quoted(act.text)}.`)
  if (act.effect === 'read' || quiet)
    return { decision: 'allow', reason: 'It only reads, inside of the project.' }
  if (act.effect === 'write' && mode === 'auto')
    return { decision: 'allow', reason: 'It changes files inside of the project.' }
  return decide('ask', mode, `${sentence(act.why ?? `${quoted(act.text)} may change something`)}.`)
}

/** It names all words of a command, so nothing in it was unseen. */
function isExact({ pattern }: Rule): boolean {
  return pattern !== undefined && pattern !== '*' && !/(:\*| \*)$/.test(pattern)
}

const LONGEST_QUOTE = 80

function quoted(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return `\`${line.length > LONGEST_QUOTE ? `${line.slice(0, LONGEST_QUOTE)}…` : line}\``
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
