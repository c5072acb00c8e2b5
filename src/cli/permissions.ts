import type { Command } from 'commander'
import { configuredRules, forgetRule, type Rule, ruleText } from '../agent/index.ts'
import { printable } from '../surfaces/text/printable.ts'
import { styled } from '../surfaces/text/styled.ts'
import { table } from '../surfaces/text/table.ts'
import { Invocation } from './invocation.ts'

export function define(command: Command): void {
  command.addHelpText(
    'after',
    `
Examples:
  $ reverie permissions list
  $ reverie permissions remove 'bash(npm test:*)'
  $ reverie config set permissions.mode acceptEdits
  $ reverie config set permissions.deny '["bash(git push:*)", "read_file(secrets/**)"]'
`,
  )
  command
    .command('list')
    .description('the mode, and every rule with where it came from')
    .action((_, self: Command) => list(new Invocation(self)))
  command
    .command('remove <rule>')
    .description('remove a rule of yours, as the list shows it')
    .action((rule: string, _, self: Command) => remove(new Invocation(self), rule))
}

async function list(invocation: Invocation): Promise<void> {
  const { config } = await invocation.config()
  const { mode } = config.permissions
  const rules = configuredRules(invocation.home, invocation.project)
  invocation.output.result({ mode, rules: rules.map(described) }, () => {
    const rows = rules.map(rule => {
      const { rule: text, kind, source, project, since } = described(rule)
      return [
        kind,
        printable(text),
        source,
        printable([project && `in ${project}`, since].filter(Boolean).join(', ')),
      ]
    })
    return [
      `Mode: ${styled('bold', mode)}`,
      rows.length > 0 ? table(rows) : 'There are no rules. An answer "always" to a question adds one.',
    ].join('\n\n')
  })
}

/** `rule` is what `remove` takes. */
function described({ kind, source, project, since, ...rest }: Rule) {
  const { tool, pattern } = rest
  return {
    kind,
    rule: ruleText({
      tool,
      ...(pattern !== undefined && { pattern }),
      ...(project !== undefined && { project }),
    }),
    source,
    project: project ?? null,
    since: since ?? null,
  }
}

async function remove({ home, output }: Invocation, rule: string): Promise<void> {
  const removed = await forgetRule(home, rule)
  output.result({ removed }, () => `Removed ${rule} from ${home.config}`)
}
