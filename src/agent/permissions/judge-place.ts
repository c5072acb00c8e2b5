import { dirname, isAbsolute, relative } from 'node:path'
import { isInside } from '../../store/index.ts'
import { likeAnOption, protection } from '../../tools/index.ts'
import { decide, deny, PLANNING } from './judge.ts'
import type { Place, Policy, Verdict } from './request.ts'
import { matchesPath, matchesTool, namesExplicitly, type Rule, ruleText, strongest } from './rule.ts'

const READERS: ReadonlySet<string> = new Set(['read_file', 'grep', 'glob'])
const WRITERS: ReadonlySet<string> = new Set(['write_file', 'edit_file', 'apply_patch'])

/** Whether a rule that restricts files counts for this kind of access, whatever tool wants it. */
export function restrictsAccess({ kind, tool, pattern }: Rule, access: Place['access']): boolean {
  return kind !== 'allow' && pattern !== undefined && (access === 'read' ? READERS : WRITERS).has(tool)
}

/** Whether a search of a directory may read a file in it, as far as rules about files say. */
export function maySearch(path: string, real: string, policy: Policy): boolean {
  const rules = policy.rules.filter(rule => restrictsAccess(rule, 'read'))
  return !rules.some(rule => matchesPath(rule, { path, real }, policy))
}

export function judgePlace(place: Place, tool: string, policy: Policy): Verdict {
  const { mode, rules } = policy
  const ruling = strongest(rules, rule =>
    (matchesTool(rule, tool) || restrictsAccess(rule, place.access)) && matchesPath(rule, place, policy)
      ? 'yes'
      : 'no',
  )
  if (ruling?.decision === 'deny')
    return deny(`A rule denies ${tool} for ${place.path}: ${ruleText(ruling.rule)}.`, ruling.rule)
  if (mode === 'plan' && place.access === 'write') return deny(PLANNING(`${tool} would write ${place.path}`))
  const concern = concernAbout(place, policy)
  if (ruling?.decision === 'allow' && (!concern?.secret || namesIt(ruling.rule, place, policy)))
    return decide('allow', mode, `A rule allows it: ${ruleText(ruling.rule)}.`, ruling.rule)
  const suggestion = suggestionFor(place, tool, policy, concern)
  if (ruling?.decision === 'ask')
    return decide('ask', mode, `A rule asks about ${place.path}: ${ruleText(ruling.rule)}.`, ruling.rule)
  if (concern) return { ...decide('ask', mode, concern.sentence), ...suggestion }
  if (mode === 'deny') return deny(`No rule allows ${tool} for ${place.path}.`)
  if (place.access === 'read') return { decision: 'allow', reason: 'It reads inside of the project.' }
  if (mode === 'acceptEdits' || mode === 'auto')
    return { decision: 'allow', reason: 'It changes a file inside of the project.' }
  return { ...decide('ask', mode, `${tool} would write ${place.path}.`), ...suggestion }
}

function namesIt(rule: Rule, place: Place, policy: Policy): boolean {
  return namesExplicitly(rule, policy, path => protection(path, place.access, policy) !== undefined)
}

export interface Concern {
  sentence: string
  /** A rule that speaks of many files does not say yes to this one. */
  secret: boolean
}

/** Why a place needs a yes in any mode; undefined when it does not. */
export function concernAbout(place: Place, policy: Policy): Concern | undefined {
  const { root, roots } = policy
  const { path, real, access, trouble } = place
  // Places that the program itself lends, such as the one for long results, may lie in Reverie's home.
  const lent = roots.some(other => isInside(other, real))
  const why = lent && access === 'read' ? undefined : protection(real, access, policy)
  const named = real === path || !isAbsolute(path) ? path : `${path} (${real})`
  if (why !== undefined) return { sentence: `${named} ${why}.`, secret: true }
  if (trouble !== undefined) return { sentence: trouble, secret: true }
  if (!lent && !isInside(root, real))
    return { sentence: `${named} is outside of the project.`, secret: false }
  const option = access === 'write' ? likeAnOption(real, root) : undefined
  if (option !== undefined) return { sentence: `${named} ${option}.`, secret: false }
  if (access === 'write' && isInside(real, root))
    return { sentence: `${named} is the whole project.`, secret: false }
  return undefined
}

/** Parts of a path, with the empty one before its first slash: `/home/me`, and what lies directly in it. */
const SHALLOW = 3

/**
 * For a file of its own when it is a special one, else for the directory that it is in: outside of the project only
 * for one that is deep enough to be about one thing, not for somebody's home or all there is.
 */
function suggestionFor(
  { real, access }: Place,
  tool: string,
  { root, home, reverie }: Policy,
  concern: Concern | undefined,
): { suggestion?: string } {
  const inside = isInside(root, real)
  const name = inside ? relative(root, real) : real
  const directory = dirname(name)
  const wide = [root, home, reverie].some(place => isInside(directory, place))
  const narrow = !inside && (wide || directory.split('/').length <= SHALLOW)
  const around = directory === '.' ? '*' : `${directory}/**`
  const pattern = narrow || concern?.secret || (concern && access === 'write') ? name : around
  return name === '' || /[*?[\]{}()!\p{Cc}]/u.test(name) ? {} : { suggestion: `${tool}(${pattern})` }
}
