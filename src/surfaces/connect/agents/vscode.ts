import { join } from 'node:path'
import type { Machine } from '../machine.ts'
import { mcpEntry, type OtherAgent } from '../other-agent.ts'

/** An MCP entry: hooks of VS Code are a preview, and where the owner has Claude Code's, it runs those. */
export const vscode: OtherAgent = {
  id: 'vscode',
  name: 'VS Code',
  directory: userDirectory,
  settings(machine) {
    const value = { type: 'stdio', ...mcpEntry(machine) }
    return [
      {
        path: join(userDirectory(machine), 'mcp.json'),
        format: 'json',
        pieces: [{ kind: 'member', path: ['servers', 'reverie'], value }],
      },
    ]
  },
  afterwards: () => ['VS Code asks once whether the server may be started.'],
}

function userDirectory({ home, env, platform }: Machine): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Code', 'User')
  if (platform === 'win32') return join(env.APPDATA || join(home, 'AppData', 'Roaming'), 'Code', 'User')
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'Code', 'User')
}
