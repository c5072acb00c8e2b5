/** The rules of the two configs, and the answers "always", which the owner's config keeps. */
import { join } from 'node:path'
import {
  configEditing,
  type Home,
  type Project,
  projectConfigPath,
  readConfigFile,
} from '../../config/index.ts'
import { ReverieError, withLock } from '../../store/index.ts'
import { type Rule, type RuleKind, readRule, ruleText } from './rule.ts'

export class NoSuchRule extends ReverieError {}

const KINDS: readonly RuleKind[] = ['allow', 'ask', 'deny']

/** The owner's rules where they do not come from the owner's config: a program that embeds the agent gives its own. */
export type GivenRules = Readonly<Record<RuleKind, readonly string[]>>

/** Every rule, the owner's first. The project's config may ask and deny, never allow. */
export function configuredRules(home: Home, project: Project | undefined, given?: GivenRules): Rule[] {
  const owner = KINDS.flatMap(kind =>
    (given?.[kind] ?? listed(home.config, kind)).map(text => readRule(text, kind, 'owner')),
  )
  const file = project && projectConfigPath(project)
  if (file === undefined || file === home.config) return owner
  const restricting = KINDS.filter(kind => kind !== 'allow')
  return [
    ...owner,
    ...restricting.flatMap(kind => listed(file, kind).map(text => readRule(text, kind, 'project'))),
  ]
}

function listed(file: string, kind: RuleKind): string[] {
  const content = readConfigFile(file)
  const permissions = isRecord(content) ? content.permissions : undefined
  const list = isRecord(permissions) ? permissions[kind] : undefined
  return Array.isArray(list) ? list.filter(text => typeof text === 'string') : []
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export async function rememberRule(home: Home, rule: Rule): Promise<void> {
  await edit(home, rule.kind, texts => {
    const text = ruleText(rule)
    const same = (other: string) => withoutDay(other) === withoutDay(text)
    return texts.some(same) ? texts : [...texts, text]
  })
}

/** Removes a rule as `permissions list` shows it. Returns how many were removed: the same may stand in several lists. */
export async function forgetRule(home: Home, text: string): Promise<number> {
  let removed = 0
  for (const kind of KINDS)
    await edit(home, kind, texts => {
      const kept = texts.filter(other => other !== text && withoutDay(other) !== text)
      removed += texts.length - kept.length
      return kept
    })
  if (removed === 0)
    throw new NoSuchRule(`There is no rule ${text}. \`reverie permissions list\` tells those that there are.`)
  return removed
}

function withoutDay(text: string): string {
  return text.replace(/ since \d{4}-\d\d-\d\d$/, '')
}

async function edit(home: Home, kind: RuleKind, change: (texts: string[]) => string[]): Promise<void> {
  const { editConfig } = await configEditing()
  await withLock(join(home.cache, 'permissions-lock'), async () => {
    const before = listed(home.config, kind)
    const after = change(before)
    if (after.length === before.length) return
    await editConfig(home, `permissions.${kind}`, after.length === 0 ? undefined : JSON.stringify(after))
  })
}
