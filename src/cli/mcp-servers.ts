/** The MCP servers that lend tools to the agent: which there are, how they are, adding and trusting them. */
import { type Command, InvalidArgumentError } from 'commander'
import { configEditing } from '../config/index.ts'
import { findServers, Servers, trustServers, variablesIn } from '../servers/index.ts'
import { ReverieError } from '../store/index.ts'
import { offeredText } from '../surfaces/actions/servers.ts'
import { printable } from '../surfaces/text/printable.ts'
import { table } from '../surfaces/text/table.ts'
import { Invocation } from './invocation.ts'

class NoSuchServer extends ReverieError {}

interface AddFlags {
  url?: string
  env?: Record<string, string>
  header?: Record<string, string>
}

export function defineServerCommands(command: Command): void {
  command
    .command('list')
    .description('the servers that lend tools to Reverie: yours, and the project’s')
    .action((_, self: Command) => list(new Invocation(self)))
  command
    .command('test [name]')
    .description('connect to the servers, or to one, and show what they offer')
    .action((name: string | undefined, _, self: Command) => check(new Invocation(self), name))
  command
    .command('add <name> [command...]')
    .description('add a server of yours: a command after --, or --url')
    .option('--url <url>', 'where it is reached, instead of a command to start')
    .option('--env <NAME=VALUE>', 'a variable of its environment; again for more', pair('='))
    .option('--header <NAME: VALUE>', 'a header for its address; again for more', pair(':'))
    .action((name: string, words: string[], flags: AddFlags, self: Command) =>
      add(new Invocation(self), name, words, flags),
    )
  command
    .command('remove <name>')
    .description('remove a server of yours')
    .action((name: string, _, self: Command) => remove(new Invocation(self), name))
  command
    .command('trust')
    .description("let the project's servers (.mcp.json) be started, until they change")
    .action((_, self: Command) => trust(new Invocation(self), true))
  command
    .command('untrust')
    .description("start the project's servers no longer")
    .action((_, self: Command) => trust(new Invocation(self), false))
}

async function list(invocation: Invocation): Promise<void> {
  const { home, project, output } = invocation
  const { config } = await invocation.config()
  const { servers, problems } = await findServers({ home, project, config })
  const listed = servers.map(({ name, source, unused, settings }) => ({
    name,
    source,
    used: unused ?? 'yes',
    from: settings.url ?? [settings.command, ...(settings.args ?? [])].join(' '),
    // What it would be given of the owner's environment is what trusting it is about.
    variables: [...new Set(variablesIn(JSON.stringify(settings)))],
  }))
  for (const problem of problems) output.message(printable(problem))
  output.result(listed, () => {
    if (listed.length === 0) return 'There are no MCP servers. `reverie mcp add NAME -- COMMAND` adds one.'
    const rows = listed.map(({ name, source, used, from, variables }) => [
      name,
      source,
      used === 'yes' ? '' : used,
      printable(variables.join(' ')),
      printable(from),
    ])
    return table([['NAME', 'FROM', '', 'VARIABLES', 'WHAT'], ...rows])
  })
}

async function check(invocation: Invocation, name: string | undefined): Promise<void> {
  const { home, project, env, output } = invocation
  const { config } = await invocation.config()
  await using servers = await Servers.begin({ home, project, config, env })
  await servers.settled()
  const checked = servers.status().filter(status => name === undefined || status.name === name)
  if (name !== undefined && checked.length === 0)
    throw new NoSuchServer(`There is no MCP server ${JSON.stringify(name)}. \`reverie mcp list\` lists them.`)
  if (checked.some(({ state }) => state === 'lost')) invocation.fail()
  const shown = checked.map(({ name, state, problem, tools }) => ({
    name,
    state,
    problem: problem ?? null,
    tools: tools.map(({ name, description }) => ({ name, description })),
  }))
  output.result(shown, () => checked.map(offeredText).join('\n\n') || 'There are no MCP servers.')
}

async function add(
  { home, output }: Invocation,
  name: string,
  [command, ...args]: string[],
  { url, env, header: headers }: AddFlags,
): Promise<void> {
  const { editServer } = await configEditing()
  await editServer(home, name, { command, ...(args.length > 0 && { args }), url, env, headers })
  output.result({ name, file: home.config }, () => `Added ${name}. \`reverie mcp test ${name}\` tries it.`)
}

async function remove({ home, output }: Invocation, name: string): Promise<void> {
  const { editServer } = await configEditing()
  if (!(await editServer(home, name, undefined)))
    throw new NoSuchServer(`You have no MCP server ${JSON.stringify(name)}. \`reverie mcp list\` lists them.`)
  output.result({ name, file: home.config }, () => `Removed ${name}.`)
}

async function trust({ home, project, output }: Invocation, trusted: boolean): Promise<void> {
  await trustServers(home, project.root, trusted)
  output.result({ project: project.root, trusted }, () =>
    trusted
      ? `The MCP servers of ${project.root} are started from now on, until .mcp.json changes.`
      : `The MCP servers of ${project.root} are not started.`,
  )
}

/** Collects `NAME=VALUE` or `NAME: VALUE`. */
function pair(between: string) {
  return (text: string, before: Record<string, string> = {}): Record<string, string> => {
    const at = text.indexOf(between)
    if (at <= 0) throw new InvalidArgumentError(`It should look like NAME${between}VALUE.`)
    return { ...before, [text.slice(0, at).trim()]: text.slice(at + 1).trim() }
  }
}
