import { join } from 'node:path'
import { type HookEvent, hookCommand } from '../command-line.ts'
import { mcpEntry, type OtherAgent, type Piece } from '../other-agent.ts'

const EVENTS: ReadonlyArray<[theirs: string, ours: HookEvent]> = [
  ['sessionStart', 'start'],
  ['beforeSubmitPrompt', 'prompt'],
  ['stop', 'stop'],
  ['sessionEnd', 'end'],
]

/** Hooks, and its tools beside them: what a hook adds to a prompt is not in Cursor's documentation. */
export const cursor: OtherAgent = {
  id: 'cursor',
  name: 'Cursor',
  directory: ({ home }) => join(home, '.cursor'),
  settings(machine) {
    const directory = this.directory(machine)
    const hooks = EVENTS.map(([theirs, ours]): Piece => {
      const value = { command: hookCommand(machine, 'cursor', ours, 'powershell') }
      return { kind: 'hook', path: ['hooks', theirs], value }
    })
    const server: Piece = { kind: 'member', path: ['mcpServers', 'reverie'], value: mcpEntry(machine) }
    return [
      {
        path: join(directory, 'hooks.json'),
        format: 'json',
        pieces: [{ kind: 'companion', path: ['version'], value: 1 }, ...hooks],
      },
      { path: join(directory, 'mcp.json'), format: 'json', pieces: [server] },
    ]
  },
  afterwards: () => ['It takes effect in chats that begin from now on.'],
}
