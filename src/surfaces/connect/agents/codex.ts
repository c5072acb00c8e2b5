import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type HookEvent, hookCommand } from '../command-line.ts'
import { mcpEntry, type OtherAgent, type Piece } from '../other-agent.ts'

/** With how long each may take, in seconds. Codex warns at every start of a session's end that may take more than three. */
const EVENTS: ReadonlyArray<[theirs: string, ours: HookEvent, timeout: number]> = [
  ['SessionStart', 'start', 10],
  ['UserPromptSubmit', 'prompt', 10],
  ['Stop', 'stop', 10],
  ['SessionEnd', 'end', 3],
]

/**
 * Hooks, and its tools beside them. Hooks may stand in either of two files, and Codex warns at every start where both
 * have some: ours go where hooks are already.
 */
export const codex: OtherAgent = {
  id: 'codex',
  name: 'Codex',
  directory: ({ home, env }) => env.CODEX_HOME || join(home, '.codex'),
  settings(machine) {
    const directory = this.directory(machine)
    const own = join(directory, 'hooks.json')
    const hooks = EVENTS.map(([theirs, ours, timeout]): Piece => {
      const command = hookCommand(machine, 'codex', ours, 'cmd')
      const value = { hooks: [{ type: 'command', command, timeout }] }
      return { kind: 'hook', path: ['hooks', theirs], value }
    })
    const server: Piece = { kind: 'member', path: ['mcp_servers', 'reverie'], value: mcpEntry(machine) }
    const apart = existsSync(own)
    return [
      {
        path: join(directory, 'config.toml'),
        format: 'toml',
        pieces: apart ? [server] : [server, ...hooks],
        // The second is what it was called before.
        switch: {
          paths: [
            ['features', 'hooks'],
            ['features', 'codex_hooks'],
          ],
          off: false,
        },
      },
      { path: own, format: 'json', pieces: apart ? hooks : [] },
    ]
  },
  afterwards: () => ['Codex runs new hooks only once you have reviewed them: open /hooks in it.'],
}
