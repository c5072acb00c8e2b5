/** `/mcp`: the servers that lend tools to this conversation. */
import { ReverieError } from '../../store/index.ts'
import { offeredText, serversText } from '../actions/servers.ts'
import type { SlashCommand } from './command.ts'

class NoSuchServer extends ReverieError {}

export const SERVER_COMMANDS: readonly SlashCommand[] = [
  {
    name: 'mcp',
    meanwhile: true,
    usage: '/mcp [NAME]',
    summary: 'the MCP servers of this conversation, or what one of them offers',
    complete: async (_, { servers }) =>
      (servers?.status() ?? []).map(({ name, state }) => ({ value: name, note: state })),
    async run(name, { servers }) {
      const all = servers?.status() ?? []
      if (name === '') return { text: serversText(all) }
      const meant = all.find(status => status.name === name)
      if (!meant) throw new NoSuchServer(`There is no MCP server ${JSON.stringify(name)}. /mcp lists them.`)
      return { text: offeredText(meant) }
    },
  },
]
