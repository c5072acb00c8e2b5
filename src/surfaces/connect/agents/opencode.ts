import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readSmallFile } from '../../../store/index.ts'
import { mcpEntry, type OtherAgent } from '../other-agent.ts'
import { nodeAt, readJsonText } from '../text/json-text.ts'

/** An MCP entry: OpenCode has no hooks but plugins, which are programs of its own runtime. */
export const opencode: OtherAgent = {
  id: 'opencode',
  name: 'OpenCode',
  directory: ({ home, env }) => join(env.XDG_CONFIG_HOME || join(home, '.config'), 'opencode'),
  settings(machine) {
    const path = settingsFile(this.directory(machine))
    const { command, args } = mcpEntry(machine)
    const value = { type: 'local', command: [command, ...args] }
    const servers = hasServers(path) ? ['mcp', 'servers'] : ['mcp']
    return [{ path, format: 'json', pieces: [{ kind: 'member', path: [...servers, 'reverie'], value }] }]
  },
  afterwards: () => ['It takes effect when OpenCode is started again.'],
}

function settingsFile(directory: string): string {
  const names = ['opencode.jsonc', 'opencode.json', 'config.json']
  const there = names.find(name => existsSync(join(directory, name)))
  return join(directory, there ?? 'opencode.json')
}

/** Version 2 has the servers one level deeper, and reads both. */
function hasServers(path: string): boolean {
  try {
    const servers = nodeAt(readJsonText(readSmallFile(path) ?? '').root, ['mcp', 'servers'])
    return servers?.type === 'object' && nodeAt(servers, ['type']) === undefined
  } catch {
    return false // the edit will say what is wrong with the file
  }
}
