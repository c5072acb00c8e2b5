/** The MCP servers that lend tools, as text. */
import type { ServerStatus } from '../../servers/index.ts'
import { printable } from '../text/printable.ts'
import { table } from '../text/table.ts'

export function serversText(servers: readonly ServerStatus[]): string {
  if (servers.length === 0) return 'There are no MCP servers. `reverie mcp add NAME -- COMMAND` adds one.'
  const rows = servers.map(({ name, source, state, problem, tools }) => [
    name,
    source,
    state === 'ready' ? toolsOf(tools.length) : state,
    printable(problem ?? ''),
  ])
  return table([['NAME', 'FROM', '', ''], ...rows])
}

export function offeredText({ name, state, problem, tools }: ServerStatus): string {
  const head = state === 'ready' ? `${name}: ${toolsOf(tools.length)}` : `${name}: ${problem ?? state}`
  const lines = tools.map(tool => `  ${tool.name}  ${printable(tool.description.split('\n')[0] ?? '')}`)
  return [printable(head), ...lines].join('\n')
}

function toolsOf(number: number): string {
  return number === 1 ? '1 tool' : `${number} tools`
}
