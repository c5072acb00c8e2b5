/** Whether a call may run: a function from what is known of it and what was decided before to a verdict. */
import { judgeCommand } from './judge-command.ts'
import { judgePlace } from './judge-place.ts'
import type { LookedAt, Policy, Request, Verdict } from './request.ts'
import { hostOf, matchesAddress, matchesTool, ruleText, strongest } from './rule.ts'

export function judge(request: Request, policy: Policy): Verdict {
  const rules = policy.rules.filter(({ project }) => project === undefined || project === policy.root)
  const here = { ...policy, rules }
  if (request.touches.length === 0) return judgeBare(request, here)
  return together(request.touches.map(touch => judgeTouch(touch, request, here)))
}

function judgeTouch(touch: LookedAt, request: Request, policy: Policy): Verdict {
  if (touch.kind === 'file') return judgePlace(touch, request.tool, policy)
  if (touch.kind === 'command') return judgeCommand(touch, request.tool, policy)
  return judgeAddress(touch.url, request, policy)
}

const WEIGHT = { allow: 0, ask: 1, deny: 2 }

/** All has to be allowed; the worst is told. What "always" would add is only told when it is one thing. */
export function together(verdicts: readonly Verdict[]): Verdict {
  const worst = verdicts.reduce((a, b) => (WEIGHT[b.decision] > WEIGHT[a.decision] ? b : a))
  const open = verdicts.filter(({ decision }) => decision !== 'allow')
  const suggestions = new Set(open.map(({ suggestion }) => suggestion))
  const { suggestion, ...rest } = worst
  return suggestions.size === 1 && suggestion !== undefined ? { ...rest, suggestion } : rest
}

/** Tools that write only what is Reverie's own, and that planning needs. */
const ALSO_WHEN_PLANNING = /^(todo|memory_save|memory_log|skill|agent|agent_stop|bg_stop|task_.*)$/

/** A tool that touches nothing: one of Reverie's own, or of an MCP server, of which nothing is known. */
function judgeBare({ tool, readOnly }: Request, { mode, rules }: Policy): Verdict {
  const ruling = strongest(rules, rule =>
    matchesTool(rule, tool) && rule.pattern === undefined ? 'yes' : 'no',
  )
  if (ruling?.decision === 'deny')
    return deny(`A rule denies ${tool}: ${ruleText(ruling.rule)}.`, ruling.rule)
  const foreign = tool.startsWith('mcp__')
  const harmless = readOnly || (!foreign && ALSO_WHEN_PLANNING.test(tool))
  if (mode === 'plan' && !harmless) return deny(PLANNING(`${tool} may change something`))
  if (ruling) return decide(ruling.decision, mode, `A rule says so: ${ruleText(ruling.rule)}.`, ruling.rule)
  if (foreign)
    return {
      ...decide('ask', mode, `${tool} belongs to an MCP server, and no rule allows it.`),
      suggestion: tool,
    }
  if (mode === 'deny' && !harmless) return deny(`No rule allows ${tool}.`)
  return { decision: 'allow', reason: `${tool} touches nothing but what is Reverie's own.` }
}

function judgeAddress(url: string, { tool }: Request, { mode, rules }: Policy): Verdict {
  const ruling = strongest(rules, rule =>
    matchesTool(rule, tool) && matchesAddress(rule, url) ? 'yes' : 'no',
  )
  if (ruling)
    return decide(ruling.decision, mode, `A rule says so for ${url}: ${ruleText(ruling.rule)}.`, ruling.rule)
  const host = hostOf(url)
  return {
    ...decide('ask', mode, `${tool} would reach ${host ?? url}, which is outside of the project.`),
    ...(host !== undefined && { suggestion: `${tool}(domain:${host})` }),
  }
}

export function deny(reason: string, rule?: Verdict['rule']): Verdict {
  return { decision: 'deny', reason, ...(rule && { rule }) }
}

/** In the mode `deny` nobody is asked. */
export function decide(
  decision: Verdict['decision'],
  mode: Policy['mode'],
  reason: string,
  rule?: Verdict['rule'],
): Verdict {
  return {
    decision: decision === 'ask' && mode === 'deny' ? 'deny' : decision,
    reason,
    ...(rule && { rule }),
  }
}

export const PLANNING = (what: string) => `This is the planning mode, in which nothing is changed: ${what}.`
