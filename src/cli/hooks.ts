import type { Command } from 'commander'
import { projectHooks, trustHooks } from '../agent/index.ts'
import { printable } from '../surfaces/text/printable.ts'
import { table } from '../surfaces/text/table.ts'
import { Invocation } from './invocation.ts'

export function define(command: Command): void {
  command.addHelpText(
    'after',
    `
Examples:
  $ reverie hooks list
  $ reverie hooks trust                 let the hooks of this project run, as they are now
  $ reverie config set hooks '[{"on":"tool.before","tools":"bash","command":"./check-command"}]'
`,
  )
  command
    .command('list')
    .description("your hooks, and the project's")
    .action((_, self: Command) => list(new Invocation(self)))
  command
    .command('trust')
    .description("let the project's hooks (.reverie/hooks.json) run, until they change")
    .action((_, self: Command) => trust(new Invocation(self), true))
  command
    .command('untrust')
    .description("let the project's hooks run no longer")
    .action((_, self: Command) => trust(new Invocation(self), false))
}

async function list(invocation: Invocation): Promise<void> {
  const { config } = await invocation.config()
  const project = await projectHooks(invocation.home, invocation.project.root)
  const listed = [
    ...config.hooks.map(hook => ({ ...hook, source: 'owner', runs: true })),
    ...(project?.hooks ?? []).map(hook => ({ ...hook, source: 'project', runs: project?.trusted ?? false })),
  ]
  invocation.output.result(listed, () => {
    if (listed.length === 0) return 'There are no hooks.'
    const rows = listed.map(({ on, tools, command, url, source, runs }) => [
      on,
      tools ?? '',
      source,
      runs ? '' : 'not trusted',
      printable(command ?? url ?? ''),
    ])
    return table([['ON', 'TOOLS', 'FROM', '', 'WHAT'], ...rows])
  })
}

async function trust({ home, project, output }: Invocation, trusted: boolean): Promise<void> {
  await trustHooks(home, project.root, trusted)
  output.result({ project: project.root, trusted }, () =>
    trusted
      ? `The hooks of ${project.root} run from now on, until they change.`
      : `The hooks of ${project.root} do not run.`,
  )
}
